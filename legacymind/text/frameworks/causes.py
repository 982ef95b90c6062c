"""Chains of causes in a text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_SUBJECT: Final = re.compile(
    r"(?:(?:therefore|consequently|hence|thus|so|and|then),? )?"
    r"(?:the|an?|i|we|you|he|she|it|they|this|that|these|those|my|our|its|his|her|their|all|no|nobody|every\w*|each|some|most|many)\b",
    re.IGNORECASE,
)
_CAUSES: Final = 12  # maximum number of causes compared; the time grows with its square


@dataclass(frozen=True, slots=True)
class Sides:
    """Two related parts of the text, as written."""

    one: str
    other: str


def longest_chain(causes: Sequence[Sides]) -> tuple[Sides, ...]:
    """The longest chain of effects and causes, in which each effect is the cause of the one before.

    Both sides of each must begin like a clause, which a match of "since" or "so" in another meaning does not.
    """
    stated = [one for one in causes if _SUBJECT.match(one.one) and _SUBJECT.match(one.other)]
    tried = [(sides, _long_words(sides.one), _long_words(sides.other)) for sides in stated[:_CAUSES]]
    longest: list[int] = []
    for first in range(len(tried)):
        chain = [first]
        while following := [
            n
            for n, (_, effect, _) in enumerate(tried)
            if n not in chain and _same(tried[chain[-1]][2], effect)
        ]:
            chain.append(following[0])
        longest = max(longest, chain, key=len)
    return tuple(tried[n][0] for n in longest)


def _long_words(text: str) -> frozenset[str]:
    return frozenset(word.strip(".,;:!?").rstrip("s") for word in text.lower().split() if len(word) > 3)


def _same(cause: frozenset[str], effect: frozenset[str]) -> bool:
    """Whether two long words are in common, or all words of the shorter part."""
    return len(cause & effect) >= max(1, min(2, len(cause), len(effect)))
