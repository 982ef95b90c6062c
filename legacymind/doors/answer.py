"""What all doors share: results as JSON, and errors as envelopes."""

import logging
from typing import Any, Final, cast

from pydantic_core import to_json, to_jsonable_python

from legacymind.errors import InternalError, LegacyMindError
from legacymind.model.base import Camel
from legacymind.operations.results import camelized

_log = logging.getLogger(__name__)

Envelope = dict[str, dict[str, str]]
"""``{"error": {"code", "message"}}``"""

_EMPTY: Final[tuple[Any, ...]] = (None, [], {}, "")


def jsonable(result: Any) -> Any:
    """A result as plain JSON.

    Records in a list, and all records inside those, omit members that are null or empty; this saves tokens
    where a shape repeats. A single record keeps every member, so that clients can rely on its shape.
    """
    return _without_empty(camelized(result) if isinstance(result, Camel) else to_jsonable_python(result))


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
    return InternalError(
        "An internal error occurred in LegacyMind.", hint="Report it with the traceback from the log."
    )


def envelope(raised: BaseException) -> Envelope:
    """The envelope of ``reported(raised)``."""
    return reported(raised).envelope()


def _without_empty(value: Any, *, listed: bool = False) -> Any:
    if isinstance(value, list):
        return [_without_empty(item, listed=True) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    members = cast("dict[str, Any]", value)
    return {
        key: _without_empty(member, listed=listed)
        for key, member in members.items()
        if not (listed and member in _EMPTY)
    }
