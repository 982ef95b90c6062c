"""Pages of results: where one begins, what of it fits in its token budget, and where the next one begins.

A cursor, the ``next`` of a page, is URL-safe base64 of a JSON array: a digest of the arguments that choose
and order the items, then the position at which the page ended, a list of numbers and texts. The digest binds
the cursor to its read. It is no signature: a position is checked like any other input.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Annotated, Any, Final, Generic, TypeVar, cast

from legacymind.errors import InvalidInput
from legacymind.model.about import about
from legacymind.model.base import ALWAYS, MAX_KEY, OPEN, Answer, ListAnswer
from legacymind.operations import budget
from legacymind.operations.results import jsonable

After = Annotated[
    str | None,
    about("Last next", "`next` of the previous page of the same read. Default: the first page"),
]
"""The ``after`` parameter of a read that has pages."""

Position = Sequence[int | str]
"""Where a page ends: what orders the items, of the last one of the page."""

R = TypeVar("R", bound=Answer)

_SIZES: Final = frozenset({"after", "limit", "max_tokens"})
"""Parameters that may differ from page to page."""

_LISTS: Final = 36
"""Tokens of the names and brackets of lists that are measured by their items, and of the line `data`."""

_MAX_LENGTH: Final = 4096

FIRST_SECOND: Final = int(ALWAYS.timestamp())
LAST_SECOND: Final = int(OPEN.timestamp()) + 86_400

_RANGES: Final = {
    "o": (0, 2**31 - 1),
    "t": (FIRST_SECOND, LAST_SECOND),
    "T": (-LAST_SECOND, -FIRST_SECOND),
    "n": (0, 10**9 - 1),
    "N": (1 - 10**9, 0),
    "i": (-(2**63), 2**63 - 1),
}
"""The least and the greatest number by its letter in a form: an offset, seconds, nanoseconds, both negated in
capitals, and any number."""

IN_TIME: Final = "tnis"
"""The form of a position in time: seconds since 1970, nanoseconds, the step of the session's chain, id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paged(Generic[R]):
    """A result with all items of a page, of which ``fitted`` keeps what fits in a token budget.

    The budget leaves out items of ``lists`` from the end: of the last list first, or, ``abreast``, of all
    lists at one length. With ``words``, texts are cut before that, around the sentences with most of these
    words. ``ends`` has the position after each item of the first list, ``next`` the one after the page, None
    if nothing follows. A result that is one text has no lists, but ``text_from``, the place at which its
    ``text`` begins. Without ``max_tokens`` the budget is ``tokens``, or more if ``limit`` is raised. ``then``
    completes the part that fits.
    """

    result: R
    lists: Sequence[str] = ()
    ends: Sequence[Position] = ()
    next: Position | None = None
    words: Sequence[str] | None = None
    abreast: bool = False
    tokens: int = budget.DEFAULT_TOKENS
    text_from: int | None = None
    then: Callable[[R], R] | None = None


def by_offset(result: R, *lists: str, offset: int, more: bool, abreast: bool = False) -> Paged[R]:
    """A page whose position is the number of items before it. ``more``: items follow."""
    length = max(len(getattr(result, name)) for name in (lists if abreast else lists[:1]))
    ends = [[offset + count] for count in range(1, length + 1)]
    following = ends[-1] if more and ends else None
    return Paged(result=result, lists=lists, ends=ends, next=following, abreast=abreast)


def begin(offset: str | None) -> int:
    """The offset at which a page begins, from its parameter ``after``."""
    return cast("int", position(offset, "o")[0]) if offset else 0


def position(after: str | None, form: str, first: Position = ()) -> Position:
    """The position after which a page begins: that of the cursor, of this form, else ``first``.

    A form has a letter for each part: ``s`` for a text, and those of numbers. Raises InvalidInput.
    """
    if after is None:
        return first
    _, found = _read(after)
    if len(found) != len(form) or not all(map(_is, form, found)):
        raise _malformed()
    return found


def check(after: str, read: Mapping[str, Any]) -> None:
    """Raise InvalidInput for a cursor that is malformed, or of a read with other arguments."""
    if _read(after)[0] != _digest(read):
        raise InvalidInput(
            "The cursor belongs to a read with other arguments.",
            hint="Repeat the arguments of the previous page; only its size may change.",
        )


def cursor(read: Mapping[str, Any], at: Position) -> str:
    """The cursor to a position in ``read``, the arguments that choose and order the items."""
    written = json.dumps([_digest(read), at], separators=(",", ":"))
    return base64.urlsafe_b64encode(written.encode()).decode().rstrip("=")


def read_of(operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What a cursor of an operation is bound to."""
    return {"operation": operation} | {name: value for name, value in arguments.items() if name not in _SIZES}


def fitted(paged: Paged[R], read: Mapping[str, Any], arguments: Mapping[str, Any], default_limit: int) -> R:
    """The part of a page that fits in the budget of a call, with the cursor of the next page in ``read``.

    At least one item of the first list that has any is kept; its text is cut if it alone exceeds the budget.
    """
    allowed = budget.allowance(
        arguments.get("max_tokens"), arguments.get("limit", 0), default_limit, paged.tokens
    )
    if paged.text_from is not None:
        return _text_within(paged.result, paged.text_from, allowed, read)
    lists = {name: cast("list[Any]", getattr(paged.result, name)) for name in paged.lists}
    rows = zip_longest(*([(name, item) for item in items] for name, items in lists.items()))
    if not paged.abreast:
        rows = [[(name, item)] for name, items in lists.items() for item in items]
    entries = [[entry for entry in row if entry] for row in rows]
    bare = replace(paged.result, **{name: [] for name in lists})
    ending = budget.tokens([cursor(read, paged.ends[-1])]) if paged.ends else 0
    left = allowed - budget.tokens(jsonable(bare)) - ending - _LISTS
    made = budget.fill(lambda left: _part(paged, entries, left, read), left, allowed)
    return paged.then(made) if paged.then else made


def _part(
    paged: Paged[R], entries: Sequence[Sequence[tuple[str, Any]]], left: int, read: Mapping[str, Any]
) -> R:
    """The part of a page whose items fit in ``left`` tokens; ``entries`` are cut from the end."""
    items = [item for row in entries for _, item in row]
    if paged.words is None:
        kept, _ = budget.fit(items, left)
    else:
        kept, _ = budget.fit_excerpts(items, left, paged.words, lengths=budget.EXCERPT_LENGTHS)
    count, fitting = 0, dict[str, list[Any]]((name, []) for name in paged.lists)
    for number, row in enumerate(entries):
        if number and count + len(row) > len(kept):
            break
        for name, item in row:
            fitting[name].append(kept[count] if count < len(kept) else item)
            count += 1
    changed: dict[str, Any] = dict(fitting)
    if isinstance(paged.result, ListAnswer):
        shown = max(map(len, fitting.values())) if paged.abreast else len(fitting[paged.lists[0]])
        following = paged.ends[shown - 1] if 0 < shown < len(paged.ends) else paged.next
        changed["next"] = following and cursor(read, following)
    left_out = cast("Any", paged.result).left_out + len(items) - count
    return replace(paged.result, **changed, left_out=left_out)


def _text_within(result: Any, start: int, allowed: int, read: Mapping[str, Any]) -> Any:
    """A result with the beginning of its text that fits beside the other members, or takes half of it all."""
    whole = result.text[: budget.characters(allowed)]
    others = budget.tokens(jsonable(replace(result, text=""))) + 2 * _LISTS
    short = budget.shorten(whole, max(allowed - others, allowed // 2))
    text = whole if short == whole else whole[: len(short) - 1]
    if len(text) == len(result.text):
        return result
    return replace(result, text=text, next=cursor(read, [start + len(text)]))


def _is(letter: str, part: object) -> bool:
    """Whether a part of a position is what its letter in the form says."""
    if letter == "s":
        return isinstance(part, str) and len(part) <= MAX_KEY
    low, high = _RANGES[letter]
    return type(part) is int and low <= part <= high


def _read(cursor: str) -> tuple[object, list[Any]]:
    """The digest and the position of a cursor."""
    try:
        if len(cursor) > _MAX_LENGTH:
            raise ValueError
        written = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        digest, found = json.loads(written)
        json.dumps(found, ensure_ascii=False).encode()  # ValueError for a lone surrogate
        if not isinstance(found, list):
            raise ValueError
        return digest, cast("list[Any]", found)
    except (ValueError, TypeError, RecursionError):  # TypeError: the JSON is not an array
        raise _malformed() from None


def _malformed() -> InvalidInput:
    return InvalidInput(
        "The cursor is malformed.",
        hint="Send `next` of the previous page unchanged, or no `after` for the first page.",
    )


def _digest(read: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(read, sort_keys=True, default=str).encode()).hexdigest()[:12]
