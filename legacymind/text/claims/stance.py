"""Whether a stored text states a hypothesis, contradicts it, or is only about something near."""

import re
from typing import Final, Literal, NamedTuple, Self

from legacymind.text.claims.claim import Claim, claim, denies, plain, statement
from legacymind.text.claims.values import agree

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
    asked = _Asked.read(hypothesis)
    found: set[Stance] = {_judged(asked, one, contradicts) for one in _SENTENCE.split(text)}
    return "contradicts" if "contradicts" in found else "supports" if "supports" in found else "related"


class _Asked(NamedTuple):
    """What a hypothesis states, read once; ``names`` are the words that are no figures."""

    words: frozenset[str]
    names: frozenset[str]
    numbers: set[str]
    denied: bool
    claimed: Claim | None

    @classmethod
    def read(cls, hypothesis: str) -> Self:
        """The words and the claim of a hypothesis."""
        words = statement("", hypothesis)
        names = frozenset(word for word in words if not word.isdigit())
        return cls(words, names, set(_NUMBER.findall(hypothesis)), denies(hypothesis), _claimed(hypothesis))


def _judged(asked: _Asked, sentence: str, contradicts: re.Pattern[str]) -> Stance:
    others, given = statement("", sentence), set(_NUMBER.findall(sentence))
    share = len(asked.words & others) / max(len(asked.words), 1)
    rest = len(asked.names & others) / max(len(asked.names), 1)
    if share >= _SAME and bool(contradicts.search(sentence)) is not asked.denied:
        return "contradicts"
    other_number = asked.numbers and given and not asked.numbers & given and rest >= _SAME
    if _other_value(asked.claimed, _claimed(sentence)) or other_number:
        return "contradicts"
    return "supports" if share >= _SAME and asked.numbers <= given else "related"


def _claimed(text: str) -> Claim | None:
    full = plain(text)
    return None if full is None else claim("", full)


def _other_value(one: Claim | None, other: Claim | None) -> bool:
    """Whether both give one attribute a value, and the values differ."""
    if one is None or other is None or one.key - _GENERAL != other.key - _GENERAL:
        return False
    return agree(one.value, other.value) is (one.denied is not other.denied)
