"""The exit codes of the command line, the same for every command."""

from enum import IntEnum
from typing import Final

from legacymind.errors import (
    AlgorithmsMissing,
    Busy,
    ConfigurationError,
    DatabaseBusy,
    DatabaseRefused,
    DatabaseTooOld,
    DatabaseUnreachable,
    EmbeddingMismatch,
    EngineError,
    InvalidInput,
    LegacyMindError,
    NotFound,
    SchemaTooNew,
    TooManyRequests,
)


class Exit(IntEnum):
    """The exit codes. 130 is 128 plus the number of SIGINT, as in shells."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NOT_FOUND = 3
    TRUNCATED = 4
    UNVERIFIABLE = 5
    UNAVAILABLE = 6
    UNUSABLE = 7
    INTERRUPTED = 130


MEANINGS: Final[dict[Exit, str]] = {
    Exit.DONE: "done",
    Exit.FAILED: "failed, or a chain is broken",
    Exit.USAGE: "wrong arguments or input",
    Exit.NOT_FOUND: "not found",
    Exit.TRUNCATED: "a chain is truncated",
    Exit.UNVERIFIABLE: "a chain cannot be verified",
    Exit.UNAVAILABLE: "Neo4j is not available",
    Exit.UNUSABLE: "the setup cannot be used",
    Exit.INTERRUPTED: "interrupted",
}
"""What each code means, in a few words; docs/cli.md says more."""

_OF_ERRORS: Final[tuple[tuple[tuple[type[LegacyMindError], ...], Exit], ...]] = (
    ((InvalidInput,), Exit.USAGE),
    ((NotFound,), Exit.NOT_FOUND),
    ((DatabaseUnreachable, DatabaseBusy, Busy, TooManyRequests, EngineError), Exit.UNAVAILABLE),
    (
        (
            ConfigurationError,
            EmbeddingMismatch,
            DatabaseRefused,
            DatabaseTooOld,
            SchemaTooNew,
            AlgorithmsMissing,
        ),
        Exit.UNUSABLE,
    ),
)


EXIT_OF_VERDICT: Final[dict[str, Exit]] = {
    "broken": Exit.FAILED,
    "unverifiable": Exit.UNVERIFIABLE,
    "truncated": Exit.TRUNCATED,
}
"""The exit codes of verdicts on chains; `intact` has 0."""


def exit_of(error: LegacyMindError) -> Exit:
    """The exit code for an error."""
    return next((code for kinds, code in _OF_ERRORS if isinstance(error, kinds)), Exit.FAILED)
