"""A place in time where a page ended, as a string that callers pass on unread."""

import base64
import json
from dataclasses import dataclass
from typing import Any, Final, Self

from legacymind.errors import InvalidInput
from legacymind.model.base import ALWAYS, OPEN
from legacymind.services.shared import checks

_FIRST: Final = int(ALWAYS.timestamp())
_LAST: Final = int(OPEN.timestamp()) + 86_400
_LONGEST: Final = 4096


@dataclass(frozen=True, slots=True)
class Position:
    """A thought's place in time: Unix seconds, nanoseconds, and its id among those of one instant."""

    seconds: int
    nanos: int
    id: str

    @classmethod
    def before_all(cls, *, latest_first: bool) -> Self:
        """Where the first page begins."""
        return cls(_LAST if latest_first else _FIRST, 0, "")

    @classmethod
    def read(cls, cursor: str) -> Self:
        """The place that a cursor stands for; raises InvalidInput."""
        try:
            if len(cursor) > _LONGEST:
                raise ValueError
            return cls.of(json.loads(base64.b64decode(cursor.encode(), altchars=b"-_", validate=True)))
        except (ValueError, RecursionError):
            raise _unread() from None

    @classmethod
    def of(cls, found: Any) -> Self:
        """The place that a cursor held; raises InvalidInput."""
        try:
            seconds, nanos, own_id = found
            whole = type(seconds) is int and type(nanos) is int and isinstance(own_id, str)
            if not (whole and _FIRST <= seconds <= _LAST and 0 <= nanos < 10**9):
                raise ValueError
            return cls(seconds, nanos, checks.key("cursor", own_id))
        except (ValueError, TypeError, InvalidInput):
            raise _unread() from None

    def cursor(self) -> str:
        """The place as a cursor."""
        written = json.dumps([self.seconds, self.nanos, self.id], separators=(",", ":"))
        return base64.urlsafe_b64encode(written.encode()).decode()


def _unread() -> InvalidInput:
    return InvalidInput(
        "The cursor is not one that a page has given.",
        hint="Send the next_cursor of the page before, or none for the first page.",
    )
