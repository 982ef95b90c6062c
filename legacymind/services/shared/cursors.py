"""Opaque cursors: where the next page of a read begins.

A cursor is URL-safe base64 of a JSON array: a digest of the arguments that choose and order the items, then
the position at which the page ended. The digest binds the cursor to its read. It is no signature: a position
is checked like any other input.
"""

import base64
import functools
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, NamedTuple, Self, TypeVar

from pydantic import Field, TypeAdapter

from legacymind.errors import InvalidInput
from legacymind.model.base import ALWAYS, MAX_KEY, OPEN

_FIRST_SECOND: Final = int(ALWAYS.timestamp())
_LAST_SECOND: Final = int(OPEN.timestamp()) + 86_400
_MAX_LENGTH: Final = 4096

Id = Annotated[str, Field(max_length=MAX_KEY)]


class TimePosition(NamedTuple):
    """A thought's position in time: Unix seconds and nanoseconds, and what orders one instant.

    That is the step of the session's chain and then the id.
    """

    seconds: Annotated[int, Field(strict=True, ge=_FIRST_SECOND, le=_LAST_SECOND)]
    nanos: Annotated[int, Field(strict=True, ge=0, lt=10**9)]
    step: Annotated[int, Field(strict=True, ge=-(2**63), lt=2**63)]
    id: Id

    @classmethod
    def before_all(cls, *, latest_first: bool) -> Self:
        """The position at which the first page begins."""
        return cls(_LAST_SECOND if latest_first else _FIRST_SECOND, 0, -(2**63), "")


Offset = Annotated[int, Field(strict=True, ge=0, lt=2**31)]


class RankPosition(NamedTuple):
    """A position in a ranking: the number of hits before it."""

    offset: Offset


class ListPosition(NamedTuple):
    """A position in a list by time: the number of items before it, and the last of them."""

    offset: Offset
    last: TimePosition


class RecallPosition(NamedTuple):
    """A position among the memories of a thought."""

    rank: Annotated[int, Field(strict=True, ge=-1, lt=2**63)]
    id: Id


class FactPosition(NamedTuple):
    """A position among the facts about an entity, latest first: the negated time in two parts, and the id."""

    seconds: Annotated[int, Field(strict=True, ge=-(2**63), lt=2**63)]
    nanos: Annotated[int, Field(strict=True, gt=-(10**9), le=0)]
    id: Id


class SessionPosition(NamedTuple):
    """A position among sessions, latest first: the negated time of the last thought in two parts, and id."""

    seconds: Annotated[int, Field(strict=True, ge=-_LAST_SECOND, le=-_FIRST_SECOND)]
    nanos: Annotated[int, Field(strict=True, gt=-(10**9), le=0)]
    id: Id

    @classmethod
    def before_all(cls) -> Self:
        """The position at which the first page begins."""
        return cls(-_LAST_SECOND, 0, "")


class RelationPosition(NamedTuple):
    """A position among the relations of an entity: type, the beginning of the other's name, and id."""

    type: Id
    name: Id
    id: Id


class KeyPosition(NamedTuple):
    """A position in the order of ids."""

    id: Id


Position = TypeVar("Position", bound=tuple[Any, ...])


def encode(read: Mapping[str, Any], position: tuple[Any, ...]) -> str:
    """A cursor to ``position`` in ``read``, the arguments that choose and order the items."""
    return encoder(read)(position)


def encoder(read: Mapping[str, Any]) -> Callable[[tuple[Any, ...]], str]:
    """``encode`` for many positions of one read."""
    digest = _digest(read)

    def encoded(position: tuple[Any, ...]) -> str:
        written = json.dumps([digest, position], separators=(",", ":"))
        return base64.urlsafe_b64encode(written.encode()).decode().rstrip("=")

    return encoded


def decode(
    cursor: str, read: Mapping[str, Any], expected: type[Position], *, most: int = _MAX_LENGTH
) -> Position:
    """The position of a cursor that ``encode`` made for the same ``read``.

    It has at most ``most`` characters. Raises InvalidInput when the cursor is malformed or belongs to a read
    with other arguments.
    """
    try:
        if len(cursor) > most:
            raise ValueError
        written = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        digest, position = json.loads(written)
        json.dumps(position, ensure_ascii=False).encode()  # ValueError for a lone surrogate
        if digest != _digest(read):
            raise InvalidInput(
                "The cursor belongs to a read with other arguments.",
                hint="Repeat the arguments of the previous page; only its size may change.",
            )
        return _adapter(expected).validate_python(position)
    except (ValueError, TypeError, RecursionError):  # TypeError: the JSON is not an array
        raise InvalidInput(
            "The cursor is malformed.",
            hint="Send the cursor of the previous page unchanged, or no cursor for the first page.",
        ) from None


@functools.cache
def _adapter(expected: type[Position]) -> TypeAdapter[Position]:
    return TypeAdapter(expected)


def _digest(read: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(read, sort_keys=True, default=str).encode()).hexdigest()[:12]
