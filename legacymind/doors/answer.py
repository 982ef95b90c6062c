"""What all doors share: results as JSON, and errors as envelopes."""

import logging
from typing import Any

from pydantic_core import to_json

from legacymind.errors import ErrorReport, InternalError, LegacyMindError

__all__ = ["Envelope", "compact", "envelope", "jsonable", "reported"]

_log = logging.getLogger(__name__)

Envelope = dict[str, ErrorReport]
"""``{"error": {"code", "message"}}``, with ``retry_after`` in seconds if a repeated call may succeed then"""


def jsonable(result: Any) -> Any:
    """A result of an operation as plain JSON."""
    # Imported with the first result: the handshake of MCP must not wait for the types of results.
    from legacymind.operations import results

    return results.jsonable(result)


def compact(value: Any) -> str:
    """Plain JSON as text without whitespace between tokens."""
    return to_json(value).decode()


def reported(raised: BaseException) -> LegacyMindError:
    """The error to show for an exception.

    A LegacyMindError is returned unchanged. Any other exception is logged with its traceback and replaced by
    an InternalError, because its message may hold private text.
    """
    if isinstance(raised, LegacyMindError):
        return raised
    _log.error("An operation failed unexpectedly.", exc_info=raised)
    error = InternalError(
        "An internal error occurred in LegacyMind.", hint="Report it with the traceback from the log."
    )
    if InternalError.written in getattr(raised, "__notes__", ()):  # a note of the operation; see registry.py
        error.of_write()
    return error


def envelope(raised: BaseException) -> Envelope:
    """The envelope of ``reported(raised)``."""
    return reported(raised).envelope()
