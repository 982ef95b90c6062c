"""Reads a text once for all frameworks. The time is bounded: at most 16 KB are read."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple

from legacymind.text.excerpts import sentences

_READ: Final = 8_192
"""Characters read at each end of a text that is longer than twice this."""

_SENTENCE: Final = 300  # characters read of a sentence
_SENTENCES: Final = 50  # from each end
_QUOTED: Final = 90  # characters of a quotation

_SCALES: Final = {
    "time": {"days": 86_400.0, "hours": 3_600.0, "min": 60.0, "s": 1.0, "ms": 0.001},
    "bytes": {"TB": 1e12, "GB": 1e9, "MB": 1e6, "KB": 1e3},
    "share": {"%": 1.0},
}
_NAMES: Final = {"day": "days", "hour": "hours", "h": "hours", "minutes": "min", "seconds": "s"}
_UNITS: Final = {unit.lower(): (kind, size) for kind, of in _SCALES.items() for unit, size in of.items()}
_UNITS.update({name: _UNITS[unit] for name, unit in _NAMES.items()})
"""Units with what they measure and their size; a figure without a unit is compared with none."""

_UNIT: Final = "|".join(sorted(_UNITS, key=len, reverse=True))
_FIGURE: Final = re.compile(rf"(?<![\w.,-])(\d{{1,9}}(?:,\d{{3}}){{0,4}}(?:\.\d{{1,6}})?) ?({_UNIT})(?!\w)")
_HIDDEN: Final = dict.fromkeys(
    chain(
        *(range(0x0A), range(0x0B, 0x20), range(0x7F, 0xA0), range(0x200E, 0x2010), range(0x202A, 0x202F)),
        *(range(0x2066, 0x206A), range(0xD800, 0xE000)),
    ),
    " ",
)
"""Controls, marks of direction and lone surrogates."""

_OPENS: Final = re.compile(r"(?:and|but|so|or|then|that|well|also|however)\b[, ]+", re.IGNORECASE)
_CODE: Final = ("    ", "\t", "|", ">>>", "Traceback")
_MARKS: Final = " \t-*•>#_"
_EDGES: Final = " \t,;:.!?…-–—\"'“”‘’«»()[]*_#"


class Figure(NamedTuple):
    """A figure with a unit. ``value`` is in seconds, bytes or percent, ``written`` as in the text."""

    written: str
    kind: str
    value: float


@dataclass(frozen=True)
class Sentence:
    """A sentence of at most 300 characters; ``low`` is it in lower case, with straight apostrophes."""

    text: str
    low: str
    asks: bool

    @cached_property
    def figures(self) -> list[Figure]:
        """Its figures with units."""
        return [
            Figure(self.text[slice(*found.span())], kind, float(found[1].replace(",", "")) * size)
            for found in _FIGURE.finditer(self.low)
            for kind, size in [_UNITS[found[2]]]
        ]

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words of more than three letters, without the plural's s."""
        words = (word.strip(_EDGES) for word in self.low.split())
        return frozenset(word.rstrip("s") for word in words if len(word) > 3 and word.isalpha())

    def has(self, *phrases: str) -> bool:
        """Whether one of the phrases is in it, as whole words in lower case."""
        plain = " ".join(word.strip(_EDGES) for word in self.low.split())
        return any(f" {phrase} " in f" {plain} " for phrase in phrases)

    def match(self, pattern: re.Pattern[str]) -> tuple[str, ...] | None:
        """The groups of a match in the lower-case text, as written; None without a match."""
        found = pattern.search(self.low)
        return found and tuple(self.text[slice(*found.span(n + 1))] for n in range(pattern.groups))


class Reading(NamedTuple):
    """The sentences of a text's prose, and ``part``: which part of the text was read."""

    sentences: list[Sentence]
    part: str

    @property
    def stated(self) -> list[Sentence]:
        """The sentences that are not questions."""
        return [sentence for sentence in self.sentences if not sentence.asks]


def read(content: str) -> Reading:
    """Split the prose of a text into sentences; code, tables and log lines are left out."""
    long = len(content) > 2 * _READ
    text = f"{content[:_READ]}\n\n{content[-_READ:]}" if long else content
    found: list[Sentence] = []
    for paragraph in _paragraphs(text):
        for start, end in sentences(paragraph):
            short = " ".join(paragraph[start : min(end, start + _SENTENCE)].split())
            low = short.lower().replace("’", "'")
            if len(low) == len(short) and any(map(str.isalnum, low)):
                found.append(Sentence(short, low, short.endswith(("?", '?"', "?)"))))
    part = f"the first and the last {_READ:,} of {len(content):,} characters" if long else "all"
    return Reading([*dict.fromkeys(found[:_SENTENCES] + found[-_SENTENCES:])], part)


def _paragraphs(text: str) -> list[str]:
    """The paragraphs of the prose on one line each; an item of a list is a paragraph."""
    found: list[str] = []
    fenced, goes_on = False, False
    for line in text.splitlines():
        bare = line.translate(_HIDDEN).strip()
        fence = bare.startswith(("```", "~~~"))
        fenced ^= fence
        code = fenced or fence or not bare or line.startswith(_CODE)
        if not code and goes_on and bare[0] not in _MARKS:
            found[-1] += f" {bare}"
        elif not code:
            found.append(bare.lstrip(_MARKS))
        goes_on = not code and not bare.endswith((".", "!", "?", ":"))
    return found


def quote(text: str) -> str:
    """A part of the text in quotation marks, without surrounding punctuation, cut at a word."""
    bare = text.strip(_EDGES)
    bare = bare[found.end() :] if (found := _OPENS.match(bare)) else bare
    if len(bare) > _QUOTED:
        cut = bare[:_QUOTED]
        bare = f"{(cut.rpartition(' ')[0] or cut).rstrip(_EDGES)}…"
    return f"“{bare.replace('“', '‘').replace('”', '’')}”"


def quoted(finding: str) -> set[str]:
    """The quotations of a finding."""
    return {part.partition("”")[0] for part in finding.split("“")[1:]}


def amount(value: float, kind: str) -> str:
    """A value in its largest unit of which it has at least one: 90 s is "1.5 min"."""
    sizes = [*_SCALES[kind].items()]
    unit, size = next((one for one in sizes if value >= one[1]), sizes[-1])
    return f"{value / size:.3g} {unit}"
