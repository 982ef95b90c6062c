"""What every door says alike: a result as JSON, an error as its envelope."""

import logging
from typing import Any, Final, cast

from pydantic_core import to_json, to_jsonable_python

from legacymind.errors import LegacyMindError
from legacymind.model.base import Camel
from legacymind.operations.registry import camelized

_log = logging.getLogger(__name__)

INTERNAL: Final = "internal"
"""The code of an error that is a bug of ours."""

_UNEXPECTED: Final = "Something went wrong inside LegacyMind. The log has the details; please report them."

Envelope = dict[str, dict[str, str]]


def jsonable(result: Any) -> Any:
    """A result as plain JSON.

    What repeats is kept short: the records of a list, and those in them, leave out what is null or
    empty. A single record keeps every key, so that its shape can be relied on.
    """
    return _short(camelized(result) if isinstance(result, Camel) else to_jsonable_python(result))


def compact(value: Any) -> str:
    """Plain JSON as text without a space too many."""
    return to_json(value).decode()


def envelope(raised: Exception) -> Envelope:
    """``{"error": {"code", "message"}}``: of ours what it says, of any other only that it happened.

    The traceback of any other goes to the log.
    """
    if isinstance(raised, LegacyMindError):
        return raised.envelope()
    return {"error": {"code": INTERNAL, "message": unexpected(raised)}}


def unexpected(raised: BaseException) -> str:
    """Log an error that is none of ours; the message that may be shown instead of it."""
    _log.error("an operation failed unexpectedly", exc_info=raised)
    return _UNEXPECTED


def _short(value: Any, *, listed: bool = False) -> Any:
    if isinstance(value, list):
        return [_short(item, listed=True) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    members = cast("dict[str, Any]", value)
    return {
        key: _short(member, listed=listed)
        for key, member in members.items()
        if not (listed and member in (None, [], {}, ""))
    }
