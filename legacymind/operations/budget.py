"""Token budgets: estimate the tokens of a result and cut it to a limit."""

import dataclasses
import math
import string
from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from typing import Annotated, Any, Final, NamedTuple, TypeVar, cast

from pydantic.alias_generators import to_camel
from pydantic_core import to_json

from legacymind.calls import current_caller
from legacymind.model.about import about
from legacymind.model.base import Camel, Hit, compact_hit
from legacymind.model.think import Memory, usual_members
from legacymind.model.values import MOST_TOKENS, whole
from legacymind.operations import brief
from legacymind.operations.results import jsonable
from legacymind.text.excerpts import Passage, character_end, excerpt

MaxTokens = Annotated[
    int | None,
    whole(100, MOST_TOKENS),
    about(
        "Token budget",
        "Token budget of the answer; `left_out` is the number of items that did not fit. "
        "Default: 2,000, or 200 for each item when `limit` is above its default",
    ),
]
"""The ``max_tokens`` parameter of a read."""

DEFAULT_TOKENS: Final = 2_000
"""Token budget of a result unless the caller sets ``max_tokens`` or raises ``limit``."""

TOKENS_PER_ITEM: Final = 200
"""Tokens for each item when the caller raises ``limit`` above its default."""

EXCERPT_LENGTHS: Final = (600, 480, 380, 300, 230, 180, 140, 100)
"""Characters of a text in a list; shorter lengths are tried if not all items fit."""

Item = TypeVar("Item")


def tokens(value: Any) -> int:
    """Estimate the tokens of a text, or of any other value as JSON.

    Of English, code and JSON it is within 10 % of the tokenizers cl100k and o200k.
    """
    written = value.encode(errors="replace") if isinstance(value, str) else to_json(value)
    pieces = written.translate(_CLASSES)
    words, digits, marks = (written.translate(table) for table in (_WORDS, _DIGITS, _MARKS))
    return math.ceil(
        1.02 * len(words.split())
        + 2.1 * pieces.count(b"aA")  # base64 more than getUser
        + 0.3 * pieces.count(b"AAA")
        + 4 * pieces.count(_LONG)
        + 1.05 * len(digits.replace(b"000", b"0 ").split())
        + 0.9 * pieces.count(b" 0")
        + 0.67 * len(marks.split())
        + 0.22 * marks.count(b"pp")
        + 0.63 * pieces.count(b"_")
        + 1.08 * (pieces.count(b"\n") - pieces.count(b"\n\n"))
        + 0.5 * pieces.count(b"2")
        + pieces.count(b"3")
        + 2 * pieces.count(b"4")
    )


def allowance(max_tokens: int | None, limit: int, default_limit: int, default: int = DEFAULT_TOKENS) -> int:
    """The token budget of a result with up to ``limit`` items.

    It is ``max_tokens`` when given. Otherwise it is ``default``, or ``TOKENS_PER_ITEM`` for each item when
    the caller asks for more items than ``default_limit``.
    """
    wide = max(default, TOKENS_PER_ITEM * limit) if limit > default_limit else default
    return wide if max_tokens is None else max_tokens


def beginning(text: str | None, limit: int) -> str:
    """The first ``limit`` characters of a text, and an ellipsis if it was cut."""
    return excerpt(text or "", limit)


def characters(token_budget: int) -> int:
    """An upper bound of the characters in a token budget: the database need not send more of a text."""
    return 8 * token_budget


def fit(items: Sequence[Item], max_tokens: int) -> tuple[list[Item], int]:
    """Cut a list to a token budget. Returns the items kept and the number left out.

    Items are dataclasses of ``model``. The first is always kept; its text is shortened when the item alone
    exceeds the budget.
    """
    left = max_tokens
    kept: list[Item] = []
    for item in items:
        left -= size(item)
        if left < 0:
            break
        kept.append(item)
    if items and not kept:
        kept.append(_shortened(items[0], max_tokens))
    return kept, len(items) - len(kept)


def fill(part: Callable[[int], Item], left: int, allowed: int) -> Item:
    """The part of an answer that fits in ``left`` tokens, or as much more as ``allowed`` of all leave.

    The brief form says once what its items share, which they are measured with. A twentieth stays free, since
    tokens are estimated.
    """
    made, allowed = part(left), allowed - allowed // 20
    spare = allowed - tokens(jsonable(made)) if current_caller().brief and cast("Any", made).left_out else 0
    more = (part(left + some) for some in (spare, spare // 2) if some > 0)
    return next((one for one in more if tokens(jsonable(one)) <= allowed), made)


def fit_excerpts(
    items: Sequence[Item],
    max_tokens: int,
    words: Sequence[str],
    *,
    lengths: Sequence[int],
    first: int = 0,
) -> tuple[list[Item], int]:
    """Fit items with a ``text`` into a token budget by shortening texts before leaving items out.

    Texts are cut around the sentences that contain the most of ``words``, to one of ``lengths`` in
    characters, the longest first. Items are left out, counted from the end, only if they do not fit with the
    shortest. The rest of the budget lengthens the ``first`` texts, one after the other, then the others, all
    to the same length. Then the first ones are not cut if tokens remain. Returns the items and the number
    left out. ``fit`` decides about a first item that does not fit.
    """
    cuts = [_Excerpts(item, words) for item in items]
    chosen = [one.within(lengths[0]) for one in cuts]
    left = max_tokens - sum(one.tokens for one in chosen)
    if items and left < 0:
        shortest = [one.within(lengths[-1]) for one in cuts]
        fitting = sum(total <= max_tokens for total in accumulate(one.tokens for one in shortest))
        if not fitting:
            return fit([_with_text(items[0], shortest[0].text)], max_tokens)[0], len(items) - 1
        cuts, chosen = cuts[:fitting], shortest[:fitting]
        left = max_tokens - sum(one.tokens for one in chosen)
        for part in (*(slice(n, n + 1) for n in range(min(first, fitting))), slice(first, fitting)):
            left += sum(one.tokens for one in chosen[part])
            for length in lengths:
                longer = [one.within(length) for one in cuts[part]]
                if sum(one.tokens for one in longer) <= left:
                    chosen[part] = longer
                    break
            left -= sum(one.tokens for one in chosen[part])
    for number, one in enumerate(cuts[:first]):
        whole = one.whole()
        if whole.tokens - chosen[number].tokens <= left:
            left -= whole.tokens - chosen[number].tokens
            chosen[number] = whole
    kept = [_with_text(one.item, excerpt.text) for one, excerpt in zip(cuts, chosen, strict=True)]
    return kept, len(items) - len(kept)


def size(item: Any) -> int:
    """The tokens of one item of a list, with its comma. The doors omit null and empty members of records.

    They also omit usual values of hits, and of memories in compact results. An item may itself be a list.
    """
    if isinstance(item, list):
        return sum(map(size, cast("list[Any]", item))) + 1
    return tokens(_sent(item) if dataclasses.is_dataclass(item) else item) + 1


def _sent(item: Any) -> dict[str, Any]:
    """The members of a record that the doors send, under the names that they have there."""
    members = {name: getattr(item, name) for name in item.__dataclass_fields__}
    if isinstance(item, Hit):
        members = compact_hit(members)
    usual = usual_members(members) if isinstance(item, Memory) else ()
    sent = {name: value for name, value in members.items() if value not in _EMPTY and name not in usual}
    if current_caller().brief:
        return brief.item(item, sent)
    return {_camel(name): value for name, value in sent.items()} if isinstance(item, Camel) else sent


def shorten(text: str, limit: int) -> str:
    """Cut a text to ``limit`` tokens as JSON; a cut text ends with an ellipsis."""
    whole, keep = text, len(text)
    while (cost := tokens([text]) - _BRACKETS) > limit and keep > 0:
        keep = min(keep * limit // cost, keep - 1) if limit > 0 else 0
        text = f"{whole[: character_end(whole, keep)].rstrip()}…"
    return text


class _Excerpt(NamedTuple):
    text: str
    tokens: int
    """Those of the item with this text, an upper bound of its ``size``."""


class _Excerpts:
    """The excerpts of the ``text`` of an item. Each is made and measured once."""

    def __init__(self, item: Any, words: Sequence[str]) -> None:
        self.item = item
        self._text: str = getattr(item, "text", "")
        self._passage = Passage(self._text, words)
        # A cut text may lack the name of its entity, which the brief form sends then.
        cut = item if len(self._text) <= EXCERPT_LENGTHS[-1] else _with_text(item, "")
        others = {name: value for name, value in _sent(cut).items() if name != "text"}
        self._others = tokens(others) + 1 + _TEXT_MEMBER
        self._made: dict[int, _Excerpt] = {}

    def within(self, length: int) -> _Excerpt:
        """The excerpt of at most ``length`` characters, or the whole text if it is short enough."""
        length = min(length, len(self._text))
        if length not in self._made:
            self._made[length] = self._measured(self._passage.within(length))
        return self._made[length]

    def whole(self) -> _Excerpt:
        """The whole text."""
        return self.within(len(self._text))

    def _measured(self, text: str) -> _Excerpt:
        return _Excerpt(text, self._others + tokens([text]))


def _with_text(item: Any, text: str) -> Any:
    return item if text == getattr(item, "text", "") else dataclasses.replace(item, text=text)


def _shortened(item: Any, limit: int) -> Any:
    if isinstance(item, list):  # a path keeps its end
        listed = cast("list[Any]", item)
        fitting = sum(total <= limit for total in accumulate(map(size, reversed(listed))))
        return listed[-max(fitting, 1) :]
    name = next((name for name in ("text", "content") if getattr(item, name, None)), None)
    if name is None:
        return item
    rest = size(dataclasses.replace(item, **{name: "…"}))
    return dataclasses.replace(item, **{name: shorten(getattr(item, name), limit - rest)})


# Tokenizers differ between models and none is available here, so pieces are counted, with weights that fit
# two vocabularies. All of them share these rules:
# - A word takes the space before it, and most words are one token. Capitals inside a word and very long words
#   mean more tokens.
# - A number is split after three digits, and does not take the space before it.
# - Adjacent marks (`","`, `);`) merge. A line break takes the indentation that follows.
# - A letter of two bytes in UTF-8 is half a token, a Chinese character one, an emoji two.
# Counting in translated bytes takes a tenth of the time of matching pieces with a regular expression.
_LONG: Final = b"a" * 16


def _class(byte: int) -> str:
    character = chr(byte)
    if byte >= 0x80:
        return "4" if byte >= 0xF0 else "3" if byte >= 0xE0 else "2" if byte >= 0xC0 else "u"
    if character in string.ascii_letters:
        return "A" if character.isupper() else "a"
    if character in string.digits:
        return "0"
    return character if character in "_ \n" else "p" if character in string.punctuation else "s"


def _only(classes: str) -> bytes:
    """A table that keeps bytes of these classes, as the first one, and makes the others spaces."""
    return bytes(ord(classes[0] if _class(byte) in classes else " ") for byte in range(256))


_CLASSES: Final = "".join(map(_class, range(256))).encode()
_WORDS: Final = _only("aAu234")
_DIGITS: Final = _only("0")
_MARKS: Final = _only("p")
_camel: Final = cache(to_camel)
_BRACKETS: Final = 2
_TEXT_MEMBER: Final = 4
"""Tokens of the name and punctuation of the member ``text``, rounded up."""
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})
