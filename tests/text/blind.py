"""Which findings of an analysis are generic: the mechanical criterion of the blind check.

``blind_texts.txt`` has 60 texts. 30 were written for the check before the rules. 9 commit messages and 9
paragraphs of documentation were drawn at random from this repository; 12 logs and tracebacks are real output.
"""

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from legacymind.text.frameworks import analyze
from legacymind.text.modes import select

MOST_SHARED: Final = 3
"""Texts that may have the same question apart from its quotations and figures: 5 % of 60."""

_SHUFFLES: Final = 5
_QUOTATION: Final = re.compile("“([^”]*)”")
_FIGURE: Final = re.compile(r"\d[\d.,:]*")


@dataclass(frozen=True)
class Asked:
    """The findings of one text."""

    name: str
    text: str
    insights: list[str]
    questions: list[str]
    next_steps: list[str]

    @property
    def findings(self) -> list[str]:
        """All findings."""
        return [*self.insights, *self.questions, *self.next_steps]


def texts(file: str = "blind_texts.txt") -> dict[str, str]:
    """The texts by kind and name."""
    content = (Path(__file__).parent / file).read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in re.split(r"^=== ", content, flags=re.MULTILINE)[1:])
    return {name.strip(): text.strip() for name, _, text in parts}


def asked(name: str, text: str) -> Asked:
    """The analysis that think makes of a text without hint and submode."""
    found = analyze(text, select(text, None).mode)
    if found is None:
        return Asked(name, text, [], [], [])
    return Asked(name, text, found.insights, found.questions, found.next_steps)


def template(finding: str) -> str:
    """A finding without its quotations and figures."""
    return _FIGURE.sub("#", _QUOTATION.sub("“”", finding))


def generic(analyses: Sequence[Asked]) -> dict[tuple[str, str], str]:
    """The generic findings by text, with the first reason."""
    shared = Counter(
        one for analysis in analyses for one in {template(finding) for finding in analysis.findings}
    )
    found: dict[tuple[str, str], str] = {}
    for analysis in analyses:
        survivors = _survivors(analysis.text)
        for finding in analysis.findings:
            if reason := _reason(finding, analysis.text, shared, survivors):
                found[analysis.name, finding] = reason
    return found


def _reason(finding: str, text: str, shared: Mapping[str, int], survivors: Mapping[str, int]) -> str | None:
    grounds = _QUOTATION.findall(finding)
    if not grounds:
        return "quotes nothing"
    plain = _plain(text)
    if missing := [one for one in grounds if _plain(one) not in plain]:
        return f"quotes what the text does not have: {missing[0]}"
    if shared[template(finding)] > MOST_SHARED:
        return f"the same for {shared[template(finding)]} texts"
    if survivors[template(finding)] > 1:
        return f"the same after {survivors[template(finding)]} of {_SHUFFLES} shuffles of the words"
    return None


def _plain(text: str) -> str:
    return "".join(re.sub("[“”‘’'\"`…]", "", text).split()).lower()


def _survivors(text: str) -> Counter[str]:
    """How many shuffles of a text's words have a finding of each template.

    A shuffled text has the same words, and so the same nouns, but states nothing. A finding that it has too
    rests on single words.
    """
    found: Counter[str] = Counter()
    for seed in range(_SHUFFLES):
        words = text.split()
        random.Random(seed).shuffle(words)
        lengths = [len(line.split()) for line in text.split("\n")]
        lines = [" ".join(words[sum(lengths[:n]) : sum(lengths[: n + 1])]) for n in range(len(lengths))]
        found.update({template(one) for one in asked("shuffled", "\n".join(lines)).findings})
    return found
