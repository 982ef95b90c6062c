"""The exit codes of the command line, the same for every command."""

from enum import IntEnum
from typing import Final

from legacymind import errors


class Exit(IntEnum):
    """The exit codes with their meanings (docs/interfaces/cli.md). 130 is 128 plus SIGINT, as in shells."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> "Exit":
        """A code with its meaning."""
        made = int.__new__(cls, code)
        made._value_ = code
        made.meaning = meaning
        return made

    DONE = 0, "done"
    FAILED = 1, "failed, or a chain is broken"
    USAGE = 2, "wrong arguments or input"
    NOT_FOUND = 3, "not found"
    TRUNCATED = 4, "a chain is truncated"
    UNVERIFIABLE = 5, "a chain cannot be verified"
    UNAVAILABLE = 6, "Neo4j is not available"
    UNUSABLE = 7, "the setup cannot be used"
    INTERRUPTED = 130, "interrupted"


_OF_ERRORS: Final = {
    errors.InvalidInput: Exit.USAGE,
    errors.NotFound: Exit.NOT_FOUND,
    errors.DatabaseUnreachable: Exit.UNAVAILABLE,
    errors.DatabaseBusy: Exit.UNAVAILABLE,
    errors.Busy: Exit.UNAVAILABLE,
    errors.TooManyRequests: Exit.UNAVAILABLE,
    errors.EngineError: Exit.UNAVAILABLE,
    errors.ConfigurationError: Exit.UNUSABLE,
    errors.EmbeddingMismatch: Exit.UNUSABLE,
    errors.DatabaseRefused: Exit.UNUSABLE,
    errors.DatabaseTooOld: Exit.UNUSABLE,
    errors.SchemaTooNew: Exit.UNUSABLE,
    errors.AlgorithmsMissing: Exit.UNUSABLE,
}

EXIT_OF_STATE: Final[dict[str, Exit]] = {
    "broken": Exit.FAILED,
    "truncated": Exit.TRUNCATED,
    "unverifiable": Exit.UNVERIFIABLE,
    "unusable": Exit.UNUSABLE,
    "unavailable": Exit.UNAVAILABLE,
}
"""The exit codes of verdicts on chains and of the severities of problems, worst first."""


def exit_of(error: errors.LegacyMindError) -> Exit:
    """The exit code for an error."""
    return next((code for kind, code in _OF_ERRORS.items() if isinstance(error, kind)), Exit.FAILED)
