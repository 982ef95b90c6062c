"""Chains of causes in a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_CAUSES: Final = 12  # maximum number of causes compared; the time grows with its square


@dataclass(frozen=True, slots=True)
class Sides:
    """Two related parts of the text, as written."""

    one: str
    other: str


def longest_chain(causes: Sequence[Sides]) -> tuple[Sides, ...]:
    """The longest chain of effects and causes, in which each effect is the cause of the one before."""
    tried = [(sides, _long_words(sides.one), _long_words(sides.other)) for sides in causes[:_CAUSES]]
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
