"""Figures with their units, and what the text relates them by: changes, limits, rates, parts, comparisons."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from legacymind.text.frameworks import words

if TYPE_CHECKING:  # which has the figures that are found here
    from legacymind.text.frameworks.reading import Sentence

_WORDS: Final = {
    name: value
    for value, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"twenty": 20, "fifty": 50}
_UNITS: Final[dict[str, tuple[str, float]]] = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), ("time", 0.001)),
    **dict.fromkeys(("µs", "us"), ("time", 1e-6)),
    **dict.fromkeys(("s", "sec", "second", "seconds"), ("time", 1.0)),
    **dict.fromkeys(("min", "minute", "minutes"), ("time", 60.0)),
    **dict.fromkeys(("h", "hour", "hours"), ("time", 3600.0)),
    **dict.fromkeys(("day", "days"), ("time", 86_400.0)),
    **dict.fromkeys(("week", "weeks"), ("time", 604_800.0)),
    **dict.fromkeys(("kb", "kib"), ("bytes", 1e3)),
    **dict.fromkeys(("mb", "mib"), ("bytes", 1e6)),
    **dict.fromkeys(("gb", "gib"), ("bytes", 1e9)),
    **dict.fromkeys(("tb", "tib"), ("bytes", 1e12)),
    **dict.fromkeys(("%", "percent"), ("percent", 1.0)),
    **dict.fromkeys(("€", "eur", "euro", "euros"), ("euros", 1.0)),
    **dict.fromkeys(("$", "usd", "dollar", "dollars"), ("dollars", 1.0)),
}
_FIGURE: Final = re.compile(
    r"(?<![\w.:/-])(?P<money>[$€])?(?:(?P<hour>\d{1,2}):(?P<minute>\d\d)(?![\d:])"
    r"|(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d.,:/-]*\d)"
    rf"|(?P<word>{'|'.join(_WORDS)})\b)"
    r"(?P<unit>[- ]?(?:[µa-z]{1,12}\b|%))?"
)
_ANY: Final = re.compile(rf"\d|\b(?:{'|'.join(_WORDS)})\b")
_LIMIT: Final = re.compile(
    r"(?:under|below|at most|no more than|less than|up to|within|budget (?:was|is|of)|maximum (?:of|is)"
    r"|cap of|capped at|≤|<|limit\w* (?:of|to|is|was)) (?:about |a |the )?$"
)
_PER: Final = re.compile(r"^ ?(?:an?|per|every|each|/) ?(?P<unit>second|minute|hour|day|week|s|min|h)\b")
_TO: Final = re.compile(r"^ ?(?:,? ?(?:up |down )?to|→|->|,? and is now|,? and now|, now) (?:about )?$")
_INSTEAD: Final = re.compile(r"^ (?:instead of|rather than) (?:the )?(?:usual |planned )?$")
_VERSUS: Final = re.compile(r"\b(?:but|when|while|whereas|than|and|although|against|vs)\b")
_RANGE: Final = re.compile(r"\b(?:between|from)\b.{0,20}$")
_MOST_TIMES: Final = 10  # figures further apart are mostly of different things
_OF_THAT: Final = re.compile(r"^ of (?:that|it|this|them|which)\b")
_SHARE: Final = re.compile(
    rf"\b(?P<part>\d{{1,6}}|{'|'.join(_WORDS)}) (?:out )?of (?:(?:the|its|his|her|their|our|my|all) )?"
    rf"(?P<whole>\d{{1,6}}|{'|'.join(_WORDS)}) (?P<noun>[a-z]{{3,20}})"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure of a sentence as written, its value in the base unit, and its kind.

    Figures of one kind can be compared.
    """

    written: str
    value: float
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two figures of one kind, with the words that hold them."""

    one: Quantity
    other: Quantity
    ground: str

    @property
    def times(self) -> float:
        """How many times the larger figure is the smaller one."""
        small, large = sorted((self.one.value, self.other.value))
        return large / small if small > 0 else 0.0


def quantities(text: str, low: str) -> tuple[Quantity, ...]:
    """The figures of a sentence. A figure without a unit or a noun in the plural is left out."""
    if not _ANY.search(low):
        return ()
    found: list[Quantity] = []
    for match in _FIGURE.finditer(low):
        unit = (match["unit"] or "").strip(" -")
        start, end = match.span()
        if match["hour"]:
            value, kind, end = int(match["hour"]) * 60.0 + int(match["minute"]), "clock", match.end("minute")
            if int(match["hour"]) > 23 or int(match["minute"]) > 59:
                continue
        else:
            value = float(_WORDS[match["word"]] if match["word"] else match["digits"].replace(",", ""))
            measured = _UNITS.get(match["money"] or unit)
            if measured:
                kind, factor = measured
                value *= factor
                if match["money"]:
                    end = match.end("digits") if match["digits"] else end
            elif (unit.endswith("s") and len(unit) > 3 and unit not in words.NOT_TOPICS) and not match[
                "money"
            ]:
                kind = unit
            else:
                continue
        found.append(Quantity(text[start:end], value, kind, start, end))
    return tuple(found)


def changes(sentence: "Sentence") -> Iterator[Pair]:
    """Figures that changed: ``from 40 ms to 1.4 s``, ``14 s instead of 7 s``. The old one is ``one``."""
    text, low = sentence.text, sentence.low
    for one, other in pairwise(_of_a_kind(sentence)):
        between = low[one.end : other.start]
        if one.kind != other.kind or one.value == other.value:
            continue
        if _TO.match(between) and (
            low[: one.start].rstrip().endswith(("from", "was")) or between.strip() in "→->"
        ):
            yield Pair(one, other, text)
        elif _INSTEAD.match(between):
            yield Pair(other, one, text)


def comparisons(sentence: "Sentence") -> Iterator[Pair]:
    """Figures of one kind that a sentence sets against each other, in its order; no range and no list."""
    text, low = sentence.text, sentence.low
    changed = {pair.one for pair in changes(sentence)} | {pair.other for pair in changes(sentence)}
    found = _of_a_kind(sentence)
    for one, other in pairwise(found):
        between = low[one.end : other.start]
        if one.kind != other.kind or one.value == other.value or one in changed or len(between) > 90:
            continue
        if one.kind not in ("time", "clock", "bytes"):
            continue  # percentages and counts of one sentence are mostly of different things
        if Pair(one, other, text).times > _MOST_TIMES:
            continue
        same = [each for each in found if each.kind == one.kind]
        if len(same) != 2 or _RANGE.search(low[: one.start]) or len(between.split()) < 3:
            continue
        if _VERSUS.search(between) and not _OF_THAT.match(low[other.end :]):
            yield Pair(one, other, text)


def parts(sentence: "Sentence") -> Iterator[Pair]:
    """A figure and its part: ``takes 9 s, and 7 s of that``. The part is ``one``."""
    text, low = sentence.text, sentence.low
    found = _of_a_kind(sentence)
    for n, part in enumerate(found):
        if _OF_THAT.match(low[part.end :]):
            wholes = [each for each in found[:n] if each.kind == part.kind and each.value > part.value]
            if wholes:
                yield Pair(part, wholes[-1], text[part.start :])


@dataclass(frozen=True, slots=True)
class Share:
    """``3 of 20 runs``: a part of a counted whole."""

    part: int
    whole: int
    noun: str
    ground: str


def shares(sentence: "Sentence") -> Iterator[Share]:
    """The shares of a sentence."""
    text, low = sentence.text, sentence.low
    for match in _SHARE.finditer(low):
        part, whole = (_WORDS[one] if one in _WORDS else int(one) for one in (match["part"], match["whole"]))
        if 0 < part < whole and match["noun"].endswith("s"):
            yield Share(part, whole, match["noun"], text)


@dataclass(frozen=True, slots=True)
class Limit:
    """A figure that is a limit."""

    figure: Quantity
    ground: str


def limits(sentence: "Sentence") -> Iterator[Limit]:
    """The limits of a sentence: ``under 200 ms``, ``a limit of 1 GB``."""
    text, low = sentence.text, sentence.low
    for one in sentence.figures:
        if found := _LIMIT.search(low[max(0, one.start - 40) : one.start]):
            yield Limit(one, text[max(0, one.start - 40) + found.start() : one.end])


@dataclass(frozen=True, slots=True)
class Rate:
    """A figure per time: ``40 MB an hour``."""

    figure: Quantity
    seconds: float
    ground: str


def rates(sentence: "Sentence") -> Iterator[Rate]:
    """The rates of a sentence."""
    text, low = sentence.text, sentence.low
    for one in sentence.figures:
        if found := _PER.match(low[one.end :]):
            yield Rate(one, _UNITS[found["unit"]][1], text[one.start : one.end + found.end()])


def _of_a_kind(sentence: "Sentence") -> Sequence[Quantity]:
    kinds = [one.kind for one in sentence.figures]
    return [one for one in sentence.figures if kinds.count(one.kind) > 1]


def times(factor: float) -> str:
    """A factor as text, rounded to what its size justifies."""
    return f"{factor:,.0f}" if factor >= 9.95 else f"{factor:.1f}".removesuffix(".0")


def amount(value: float, kind: str) -> str:
    """A value of a kind as text."""
    if kind == "clock":
        return f"{value:.0f} minutes"
    if kind == "time":
        for unit, size in (("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0)):
            if value >= 2 * size:
                return f"{times(value / size)} {unit}"
        return f"{_short(value)} s" if value >= 1 else f"{_short(value * 1000)} ms"
    if kind == "bytes":
        unit, size = next(
            (one for one in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)) if value >= one[1]), ("B", 1.0)
        )
        return f"{_short(value / size)} {unit}"
    return f"{_short(value)} %" if kind == "percent" else f"{_short(value)} {kind}"


def _short(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".")
