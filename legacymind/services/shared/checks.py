"""Checks of the caller's input. Each raises InvalidInput with the fault and its correction."""

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, overload

from legacymind.calls import current_caller
from legacymind.characters import has_controls
from legacymind.errors import InputFinding, InvalidInput, NotFound, RequestRefused
from legacymind.model import stored, values
from legacymind.model.base import MAX_CONTENT, MAX_KEY, RESERVED
from legacymind.model.properties import properties
from legacymind.settings import Settings

_MOST_PROPERTIES: Final = 50
_OWN: Final = frozenset({*properties(stored.Related), *stored.local(*stored.RECORDS)})
_LONG: Final = 2**63
"""Neo4j has integers of 64 bits."""


def text(name: str, value: str, *, limit: int = MAX_CONTENT) -> str:
    """A text that is not blank, is valid Unicode and has at most ``limit`` bytes of UTF-8."""
    if not value.strip():
        raise _refused(name, "is empty", "Send some text.")
    if _size(name, value) > limit:
        size = f"is {_size(name, value):,} bytes of UTF-8; at most {limit:,} are stored"
        raise _refused(name, size, "Shorten it, or split it.")
    return value


@overload
def key(name: str, value: str) -> str: ...
@overload
def key(name: str, value: str | None) -> str | None: ...
def key(name: str, value: str | None) -> str | None:
    """An id, namespace, author or similar key: 1 to 512 bytes, no control characters; None stays None."""
    if value is None:
        return None
    if not value.strip():
        raise _refused(name, "is empty", "Send a value, or omit the parameter.")
    if _size(name, value) > MAX_KEY:
        size = f"is {_size(name, value):,} bytes of UTF-8; at most {MAX_KEY} can be indexed"
        raise _refused(name, size, "Send a shorter value.")
    if has_controls(value):
        raise _refused(name, "contains a control character", "Remove it.")
    return value


def is_key(value: object) -> bool:
    """Whether a stored value is one that ``key`` accepts."""
    try:
        return isinstance(value, str) and key("", value) == value
    except InvalidInput:
        return False


def namespace(requested: str | None, settings: Settings) -> str:
    """The namespace of a call: the requested one, else the caller's or configured one. A blank one is none.

    Raises RequestRefused for one that the caller may not use.
    """
    fixed = fixed_namespaces(settings)
    if requested is None or not requested.strip():
        return key("namespace", fixed[0] if fixed else settings.namespace)
    if fixed and requested not in fixed:
        allowed = " or ".join(map(repr, fixed))
        raise RequestRefused(f"This call may only use the namespace {allowed}.", hint="Omit `namespace`.")
    return key("namespace", requested)


def fixed_namespaces(settings: Settings) -> tuple[str, ...]:
    """The only namespaces that the caller may use, the default one first; empty if it may use all."""
    return current_caller().namespaces or ((settings.namespace,) if settings.namespace_fixed else ())


def namespaces(requested: str | None, also: Sequence[str] | None, settings: Settings) -> list[str]:
    """The namespaces of a read: that of the call first, then those of ``also``, else of the settings.

    Raises RequestRefused for one that the caller may not use.
    """
    own = namespace(requested, settings)
    if also is not None:
        more = [namespace(one, settings) for one in also if one.strip()]
    else:
        allowed = current_caller().namespaces
        configured = (one.strip() for one in settings.also_read.split(","))
        more = [one for one in configured if one and (not allowed or one in allowed)]
    return list(dict.fromkeys([own, *more]))


@overload
def thought_id(name: str, value: str) -> str: ...
@overload
def thought_id(name: str, value: str | None) -> str | None: ...
def thought_id(name: str, value: str | None) -> str | None:
    """The bare id of a thought sent as ``ID`` or ``thoughts:ID``, without surrounding spaces."""
    checked = key(name, value)
    if checked is None:
        return None
    return key(name, checked.strip().removeprefix("thoughts:").strip())


def moment(value: datetime | None) -> datetime | None:
    """A time converted to UTC; one without a time zone is taken as UTC."""
    if value is None:
        return None
    try:
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(
            f"{value} is outside the years 1 to 9999 in UTC.", hint="Send another time."
        ) from None


def day(name: str, value: str | None, *, end: bool) -> datetime | None:
    """The bound of a date filter. A date, month or year is its first or last instant in UTC."""
    if value is None:
        return None
    try:
        return moment((values.last_instant(value) if end else None) or values.moment(value))
    except ValueError as reason:
        raise _refused(name, str(reason), "Send YYYY-MM-DD, or a full ISO 8601 time.") from None


def type_name(value: str) -> str:
    """The name of a relationship type: any key in upper case; spaces and hyphens become underscores."""
    name = re.sub(r"[\s-]+", "_", unicodedata.normalize("NFC", value).strip()).upper()
    return key("type", unicodedata.normalize("NFC", name))


def relation_type(value: str) -> str:
    """The type of a user's relation. One that LegacyMind creates itself gets the prefix ``ENTITY_``."""
    name = type_name(value)
    return f"ENTITY_{name}" if name in RESERVED else name


def relation_properties(sent: Mapping[str, Any]) -> Mapping[str, str | int | float | bool]:
    """A user's properties of a relation: scalars that Neo4j stores, under names that LegacyMind has not."""
    if len(sent) > _MOST_PROPERTIES:
        raise _refused("properties", f"has {len(sent):,} names; at most {_MOST_PROPERTIES} are stored", "")
    for name, value in sent.items():
        key("properties", name)
        if name in _OWN or name.startswith(("merged_", "embedding_")):
            problem = f"has the name {name[:80]}, which LegacyMind uses itself"
            raise _refused("properties", problem, "Choose another name.")
        if isinstance(value, str):
            text("properties", value)
        elif not isinstance(value, int | float) or not math.isfinite(value) or not -_LONG <= value < _LONG:
            problem = f"has a value for {name[:80]} that is no text, number, true or false that can be stored"
            raise _refused("properties", problem, "Send such a value, or omit the name.")
    return sent


def thought_not_found(id: str | None, *, effect: str | None = None) -> NotFound:
    """The error for an id that no thought of the namespace has, or one that the caller may not read."""
    return NotFound(
        f"There is no thought {id} in this namespace.",
        effect=effect,
        hint="Check the id, or find the thought with legacymind_search. A private thought needs its session.",
    )


def _size(name: str, value: str) -> int:
    try:
        return len(value.encode())
    except UnicodeEncodeError:
        problem = "is not valid Unicode: it contains a lone surrogate"
        raise _refused(name, problem, "Send well-formed UTF-8.") from None


def _refused(name: str, problem: str, hint: str) -> InvalidInput:
    return InvalidInput(findings=[InputFinding(name, problem)], hint=hint)
