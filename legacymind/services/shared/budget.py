"""Token budgets: how much of a language model's context an answer takes, and how much of it fits."""

import dataclasses
import string
from collections.abc import Sequence
from typing import Annotated, Any, Final, TypeVar

from pydantic_core import to_json

from legacymind.operations.coercion import whole

MaxTokens = Annotated[int | None, whole(100, 100_000)]
"""The ``max_tokens`` of a read."""

USUAL: Final = 2_000
"""Tokens of an answer whose caller asks for nothing special."""

EACH: Final = 200
"""Tokens for each item when the caller asks for more of them than usual."""

_FRAME: Final = 80
"""Tokens of a result around its items: names, counts, a cursor."""

Item = TypeVar("Item")


def tokens(value: Any) -> int:
    """About how many tokens a text takes, or anything else as JSON; rather too many than too few."""
    written = value.encode(errors="replace") if isinstance(value, str) else to_json(value)
    pieces = written.translate(_CLASSES)
    numbers_after_a_space = pieces.count(b" 0")
    for run, piece in _MERGED:
        pieces = pieces.replace(run, piece)
    return len(pieces) - pieces.count(b" ") + numbers_after_a_space


def allowance(max_tokens: int | None, limit: int, usual: int) -> int:
    """The tokens of an answer of up to ``limit`` items, of which ``usual`` come unasked.

    Without ``max_tokens`` an answer stays small, unless the caller himself asks for more items than usual.
    """
    if max_tokens is not None:
        return max_tokens
    return max(USUAL, EACH * limit) if limit > usual else USUAL


def characters(allowed: int) -> int:
    """More characters than so many tokens can hold: what a database need not send beyond."""
    return 8 * allowed


def frame(*echoed: str | None) -> int:
    """The tokens of a result around its items; ``echoed`` are texts of the caller's it says again.

    An id of the caller's may have hundreds of characters, and no two UUIDs take as many tokens.
    """
    return _FRAME + sum(tokens([text]) for text in echoed if text)


def fit(items: Sequence[Item], max_tokens: int, *, reserve: int = 0) -> tuple[list[Item], int]:
    """The items, in their order, that fit beside ``reserve`` tokens of other things; and how many do not.

    Items are dataclasses of ``model``. The first is always kept, its text shortened if it is too long alone.
    """
    left = max_tokens - reserve
    kept: list[Item] = []
    for item in items:
        left -= size(item)
        if left < 0:
            break
        kept.append(item)
    if items and not kept:
        kept.append(_shortened(items[0], max_tokens - reserve))
    return kept, len(items) - len(kept)


def size(item: Any) -> int:
    """The tokens of one record in a list, with its comma: the doors leave out what is null or empty there."""
    members = {name: getattr(item, name) for name in item.__dataclass_fields__}
    return tokens({name: value for name, value in members.items() if value not in _EMPTY}) + 1


def shorten(text: str, limit: int) -> str:
    """A text of at most ``limit`` tokens when written as JSON; an ellipsis shows that it was cut."""
    whole, keep = text, len(text)
    while (cost := tokens([text]) - _BRACKETS) > limit and keep > 0:
        keep = min(keep * limit // cost, keep - 1) if limit > 0 else 0
        text = f"{whole[:keep].rstrip()}…"
    return text


def _shortened(item: Any, limit: int) -> Any:
    name = next((name for name in ("text", "content") if getattr(item, name, None)), None)
    if name is None:
        return item
    rest = size(dataclasses.replace(item, **{name: "…"}))
    return dataclasses.replace(item, **{name: shorten(getattr(item, name), limit - rest)})


# No model's own tokenizer is at hand, and they differ: this counts pieces, so that usual English and JSON
# come out a fifth to a half too high. Byte-pair vocabularies split a text into words (with the space before
# them), numbers and marks, and keep a frequent word whole, which is taken apart here at five letters. Numbers
# are split after one to three digits, from model to model, and never take the space before them in. A hex id
# falls into pieces of about two characters by itself. Marks of JSON come merged everywhere (`","`, `":"`,
# `{"`): two cost one; others one each. Outside ASCII two bytes of UTF-8 cost one: a letter is mostly one
# token, a Chinese character one or two, an emoji two. An indent costs one for four spaces, a line one.
def _class(byte: int) -> str:
    character = chr(byte)
    if byte >= 0x80:
        return "u"
    if character in string.ascii_letters:
        return "a"
    if character in string.digits:
        return "0"
    if character in '{}[]",:':
        return "j"
    return " " if character == " " else "p"


_CLASSES: Final = "".join(map(_class, range(256))).encode()
# Replacing runs in a whole text takes a tenth of the time of a regular expression's list of pieces.
_MERGED: Final = tuple(
    (run.encode(), piece.encode())
    for run, piece in (
        ("aaaaa", "A"),
        ("aaaa", "A"),
        ("aaa", "A"),
        ("aa", "A"),
        ("00", "0"),
        ("jj", "j"),
        ("uu", "u"),
        ("    ", "S"),
        ("  ", "S"),
    )
)
_BRACKETS: Final = 2
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})
