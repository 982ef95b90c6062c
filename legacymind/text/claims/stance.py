"""Whether a stored text states a hypothesis, contradicts it, or is only about something near."""

import re
from typing import Final, Literal

from legacymind.text.claims.claim import agree, claim, denies, plain, statement

Stance = Literal["supports", "contradicts", "related"]

_SAME: Final = 0.75
"""The share of a hypothesis's words that a sentence about the same statement has."""

_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_SENTENCE: Final = re.compile(r"(?<=[.!?;\n])\s+")
_GENERAL: Final = frozenset("run use require target listen version is has on in at".split())
"""Words of attributes that name no attribute: "runs Airflow 2.9" gives its version."""


def stance(hypothesis: str, text: str, contradicts: re.Pattern[str]) -> Stance:
    """How a stored text stands to a hypothesis: the sentence that says most about it decides.

    A sentence with nearly all of its words contradicts it if it has a word of the pattern, or if it has none
    and the hypothesis denies something. One that gives the same attribute another value, or other numbers,
    contradicts it too. One with its words and its numbers supports it. Words are compared, not meanings.
    """
    found: set[Stance] = {_judged(hypothesis, one, contradicts) for one in _SENTENCE.split(text)}
    return "contradicts" if "contradicts" in found else "supports" if "supports" in found else "related"


def _judged(hypothesis: str, sentence: str, contradicts: re.Pattern[str]) -> Stance:
    words, others = statement("", hypothesis), statement("", sentence)
    share = len(words & others) / max(len(words), 1)
    numbers, given = set(_NUMBER.findall(hypothesis)), set(_NUMBER.findall(sentence))
    figures = frozenset(word for word in words if word.isdigit())
    rest = len((words - figures) & others) / max(len(words - figures), 1)
    if share >= _SAME and bool(contradicts.search(sentence)) is not denies(hypothesis):
        return "contradicts"
    if _other_value(hypothesis, sentence) or (numbers and given and not numbers & given and rest >= _SAME):
        return "contradicts"
    return "supports" if share >= _SAME and numbers <= given else "related"


def _other_value(hypothesis: str, sentence: str) -> bool:
    """Whether both give one attribute a value, and the values differ."""
    one, other = (claim("", text) if (text := plain(each)) else None for each in (hypothesis, sentence))
    if one is None or other is None or one.key - _GENERAL != other.key - _GENERAL:
        return False
    return agree(one.value, other.value) is (one.denied is not other.denied)
