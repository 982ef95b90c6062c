"""The findings of a framework: each quotes its ground, the words of the text that it rests on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from legacymind.model.frameworks import Framework

MOST: Final = 2
"""Maximum number of insights, of questions and of next steps of an analysis."""

STATED, TWO_SIDED, COMPUTED = 3, 4, 5
"""How much of a finding is in the text itself.

Stated: one sentence states the relation. Two-sided: two parts of the text belong together, or the kind of the
error is known. Computed: it follows from several parts of the text, which the text does not connect.
"""

FindingKind = Literal["insight", "question", "step"]

_QUOTED: Final = 90  # characters of a quotation
_LENGTH: Final = 280  # characters of a finding
_EDGES: Final = " \t,;:.!?…-–—\"'“”‘’«»()[]*_#。！？؟"
_OPENS: Final = re.compile(r"^(?:and|but|so|or|then|that|well|also|however|und|y|et)\b[, ]+", re.IGNORECASE)
_QUOTATION: Final = re.compile("“([^”]*)”")


@dataclass(frozen=True, slots=True)
class Finding:
    """An insight, a question or a next step."""

    kind: FindingKind
    text: str
    strength: int

    @property
    def grounds(self) -> tuple[str, ...]:
        """The quotations."""
        return tuple(_QUOTATION.findall(self.text))


@dataclass(slots=True)
class Findings:
    """Collects the findings of one framework. A finding that quotes nothing is an error of the framework."""

    found: list[Finding] = field(default_factory=list[Finding])
    meta: dict[str, str] = field(default_factory=dict[str, str])

    def insight(self, text: str, strength: int) -> None:
        """Add an observation about the text."""
        self._add("insight", text, strength)

    def ask(self, text: str, strength: int) -> None:
        """Add a question that the text raises."""
        self._add("question", text, strength)

    def step(self, text: str, strength: int) -> None:
        """Add a possible next step."""
        self._add("step", text, strength)

    def _add(self, kind: FindingKind, text: str, strength: int) -> None:
        if len(text) <= _LENGTH and all(one.text != text for one in self.found):
            self.found.append(Finding(kind, text, strength))


def strongest(
    found: Mapping[Framework, Findings], weights: Mapping[Framework, int]
) -> list[tuple[Framework, Finding]]:
    """At most ``MOST`` findings of each kind, the strongest first, each on another ground.

    Between findings of one strength the weight of the framework decides, then the order in the framework.
    """
    pairs: list[tuple[Framework, Finding]] = [(name, one) for name in weights for one in found[name].found]
    chosen: list[tuple[Framework, Finding]] = []
    for name, one in sorted(pairs, key=lambda pair: (-pair[1].strength, -weights[pair[0]])):
        same = [other for _, other in chosen if other.kind == one.kind]
        if len(same) < MOST and not any(_overlap(one, other) for other in same):
            chosen.append((name, one))
    return chosen


def _overlap(one: Finding, other: Finding) -> bool:
    """Whether a quotation of one finding contains a quotation of the other."""
    return any(
        mine.rstrip("…") in theirs or theirs.rstrip("…") in mine
        for mine in one.grounds
        for theirs in other.grounds
    )


def quote(text: str) -> str:
    """A part of the text in quotation marks, without surrounding punctuation, cut at a word boundary."""
    bare = _OPENS.sub("", text.strip(_EDGES)).strip(_EDGES) or text.strip()
    if bare.count("(") > bare.count(")") and f"{bare})" in text:
        bare += ")"
    for sign in "'\"":
        if bare.count(sign) % 2 and text.rstrip(" .,;:").endswith(f"{bare}{sign}"):
            bare += sign
    if len(bare) > _QUOTED:
        cut = bare[:_QUOTED]
        bare = f"{(cut.rpartition(' ')[0] or cut).rstrip(_EDGES)}…"
    elif text.rstrip().endswith(("?", "？", "؟")):
        bare += text.rstrip()[-1]
    return f"“{bare.replace('“', '‘').replace('”', '’')}”"


def clause(text: str) -> str:
    """A part of the text up to the end of its first clause, in quotation marks."""
    found = _CLAUSE.match(text)
    return quote(found[0] if found else text)


_CLAUSE: Final = re.compile(
    r".{6,}?(?=[,;:.!?](?:\s|$)|\s(?:but|because|although|since|so that|which)\s|\s[–—-]\s|$)"
)
