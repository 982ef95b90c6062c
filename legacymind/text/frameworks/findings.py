"""What a framework says of a text: short, in the text's own words, each thing once."""

import re
from dataclasses import dataclass, field
from typing import Final

from legacymind.model.frameworks import Framework, FrameworkOutput
from legacymind.text.frameworks.reading import Reading, Sentence

MOST: Final = 6
"""Insights, questions or next steps of one framework, and of a blend."""

_QUOTED: Final = 90  # characters of a quotation
_LENGTH: Final = 280  # of what is said in all
_EDGES: Final = " \t,;:.!?…-–—\"'“”‘’«»()[]*_#。！？؟"
_OPENS: Final = re.compile(r"^(?:and|but|so|or|then|that|well|also|however|und|y|et)\b[, ]+", re.IGNORECASE)


@dataclass(slots=True)
class Findings:
    """The findings of one framework while it makes them; more than ``MOST`` of a kind are dropped."""

    framework: Framework
    insights: list[str] = field(default_factory=list[str])
    questions: list[str] = field(default_factory=list[str])
    next_steps: list[str] = field(default_factory=list[str])
    meta: dict[str, str] = field(default_factory=dict[str, str])

    def insight(self, said: str) -> None:
        """Something the text shows."""
        _add(self.insights, said)

    def ask(self, said: str) -> None:
        """A question that the text raises."""
        _add(self.questions, said)

    def step(self, said: str) -> None:
        """What could be done next."""
        _add(self.next_steps, said)

    def count(self, **figures: int) -> None:
        """Keep figures for ``meta``; those that are 0 say nothing."""
        self.meta |= {name: str(figure) for name, figure in figures.items() if figure}

    def output(self) -> FrameworkOutput:
        """The findings as they cross doors."""
        return FrameworkOutput(
            framework=self.framework,
            insights=self.insights,
            questions=self.questions,
            next_steps=self.next_steps,
            meta=self.meta,
        )


def _add(them: list[str], said: str) -> None:
    if len(them) < MOST and (short := said[:_LENGTH]) not in them:
        them.append(short)


def quote(text: str) -> str:
    """A part of the text in quotation marks, without the signs around it, cut at a word."""
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
    """A part of the text up to where its clause ends, in quotation marks."""
    found = _CLAUSE.match(text)
    return quote(found[0] if found else text)


_CLAUSE: Final = re.compile(
    r".{6,}?(?=[,;:.!?](?:\s|$)|\s(?:but|because|although|since|so that|which)\s|\s[–—-]\s|$)"
)


def focus(reading: Reading) -> Sentence | None:
    """The claim that a question is best asked about: the most telling one."""
    claims = reading.claims
    return claims[0] if claims else None
