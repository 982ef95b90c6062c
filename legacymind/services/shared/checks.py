"""Checks of what callers send, shared by the services; each says what is wrong and what would be right."""

import re
import unicodedata
from datetime import UTC, datetime
from typing import overload

from legacymind.errors import InvalidInput
from legacymind.model.base import MAX_CONTENT, MAX_KEY, RESERVED

_RELATION_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_DAY = re.compile(r"[\dW-]+")  # a date that no time follows, as ISO 8601 writes dates


def text(name: str, value: str, *, limit: int = MAX_CONTENT) -> str:
    """A text that is not empty, not longer than ``limit`` bytes and is valid UTF-8."""
    if not value.strip():
        raise InvalidInput(f"{name} is empty.", hint="Send some text.")
    if _size(name, value) > limit:
        raise InvalidInput(
            f"{name} is {_size(name, value):,} bytes of UTF-8; at most {limit:,} are stored.",
            hint="Shorten it, or split it into several.",
        )
    return value


@overload
def key(name: str, value: str) -> str: ...
@overload
def key(name: str, value: str | None) -> str | None: ...
def key(name: str, value: str | None) -> str | None:
    """An id, namespace, author or the like: 1 to 512 bytes, no control characters; None stays None."""
    if value is None:
        return None
    if not value.strip():
        raise InvalidInput(f"{name} is empty.", hint="Leave it out, or give it a value.")
    if _size(name, value) > MAX_KEY:
        raise InvalidInput(
            f"{name} is {_size(name, value):,} bytes of UTF-8; at most {MAX_KEY} can be indexed.",
            hint="Use a shorter one.",
        )
    if any(unicodedata.category(character) == "Cc" for character in value):
        raise InvalidInput(f"{name} has a control character.", hint="Remove it.")
    return value


def thought_id(name: str, value: str | None) -> str | None:
    """A thought's id, bare or as ``thoughts:ID``, without spaces around it; bare afterwards."""
    checked = key(name, value)
    if checked is None:
        return None
    return key(name, checked.strip().removeprefix("thoughts:").strip())


def moment(value: datetime | None) -> datetime | None:
    """A time in UTC; one without a zone is taken as UTC."""
    if value is None:
        return None
    try:
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(f"{value} is outside the years 1 to 9999.", hint="Send another time.") from None


def day(name: str, value: str | None, *, end: bool) -> datetime | None:
    """A bound of a search: ``YYYY-MM-DD`` as that day's first or last instant in UTC, or a full time."""
    if value is None:
        return None
    try:
        parsed = datetime.fromisoformat(value.strip())
    except ValueError:
        raise InvalidInput(
            f"{name} is not a date.", hint="Send YYYY-MM-DD, or a full ISO 8601 time."
        ) from None
    if end and _DAY.fullmatch(value.strip()):
        parsed = parsed.replace(hour=23, minute=59, second=59, microsecond=999_999)
    return moment(parsed)


def relation_type(value: str) -> str:
    """A user's relationship type: an identifier, upper-cased, and not one of ours."""
    named = re.sub(r"[\s-]+", "_", value.strip()).upper()
    if not _RELATION_TYPE.fullmatch(named):
        raise InvalidInput(
            f"The relation type {value[:80]!r} is not an identifier.",
            hint="Use letters, digits and underscores, at most 64, beginning with a letter.",
        )
    if named in RESERVED:
        raise InvalidInput(
            f"The relation type {named} is LegacyMind's own.",
            hint="Choose another; thoughts make theirs by thinking.",
        )
    return named


def _size(name: str, value: str) -> int:
    try:
        return len(value.encode())
    except UnicodeEncodeError:
        raise InvalidInput(
            f"{name} is not valid Unicode: it has a lone surrogate.", hint="Send well-formed UTF-8."
        ) from None
