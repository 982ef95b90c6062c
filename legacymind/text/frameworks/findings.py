"""The findings of a framework: short, quoting the text, without duplicates."""

import re
from dataclasses import dataclass, field
from typing import Final

from legacymind.model.frameworks import Framework, FrameworkOutput
from legacymind.text.frameworks.reading import Reading, Sentence

MOST: Final = 6
"""Maximum number of insights, of questions and of next steps, per framework and per analysis."""

_QUOTED: Final = 90  # characters of a quotation
_LENGTH: Final = 280  # characters of a finding
_EDGES: Final = " \t,;:.!?…-–—\"'“”‘’«»()[]*_#。！？؟"
_OPENS: Final = re.compile(r"^(?:and|but|so|or|then|that|well|also|however|und|y|et)\b[, ]+", re.IGNORECASE)


@dataclass(slots=True)
class Findings:
    """Collects the findings of one framework; more than ``MOST`` of a kind are dropped."""

    framework: Framework
    insights: list[str] = field(default_factory=list[str])
    questions: list[str] = field(default_factory=list[str])
    next_steps: list[str] = field(default_factory=list[str])
    meta: dict[str, str] = field(default_factory=dict[str, str])

    def insight(self, text: str) -> None:
        """Add an observation about the text."""
        _add(self.insights, text)

    def ask(self, text: str) -> None:
        """Add a question that the text raises."""
        _add(self.questions, text)

    def step(self, text: str) -> None:
        """Add a possible next step."""
        _add(self.next_steps, text)

    def count(self, **figures: int) -> None:
        """Add figures to ``meta``, except zeros."""
        self.meta |= {name: str(figure) for name, figure in figures.items() if figure}

    def output(self) -> FrameworkOutput:
        """The findings as a result type."""
        return FrameworkOutput(
            framework=self.framework,
            insights=self.insights,
            questions=self.questions,
            next_steps=self.next_steps,
            meta=self.meta,
        )


def _add(findings: list[str], text: str) -> None:
    if len(findings) < MOST and (short := text[:_LENGTH]) not in findings:
        findings.append(short)


def quote(text: str) -> str:
    """A part of the text in quotation marks, without surrounding punctuation, cut at a word boundary."""
    bare = _OPENS.sub("", text.strip(_EDGES)).strip(_EDGES) or text.strip()
    if bare.count("(") > bare.count(")"):
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


def focus(reading: Reading) -> Sentence | None:
    """The most informative claim, which a question should be about; None without claims."""
    claims = reading.claims
    return claims[0] if claims else None
