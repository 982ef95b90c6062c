"""Finds facts about one entity that contradict each other.

The patterns of ``claim`` miss many contradictions, because each report asks for a decision.
"""

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import Literal, NamedTuple

from legacymind.text.claims.claim import Claim, claim, denies, plain, statement
from legacymind.text.claims.opposites import spellings
from legacymind.text.claims.values import agree

Reason = Literal["value", "negation"]
"""``value``: one attribute has two values. ``negation``: one fact denies the other."""


class Disagreement(NamedTuple):
    """Two facts, by their keys, that contradict each other, and on what."""

    first: str
    second: str
    reason: Reason
    attribute: str


def disagreements(name: str, facts: Mapping[str, str]) -> list[Disagreement]:
    """The pairs of facts about the entity ``name`` that contradict each other; ``facts`` by their keys.

    The time grows with the number of facts, and within one attribute with that of its pairs.
    """
    claims: defaultdict[frozenset[str], list[tuple[str, Claim]]] = defaultdict(list)
    stated: defaultdict[frozenset[str], list[tuple[str, bool]]] = defaultdict(list)
    for key, fact in facts.items():
        text = plain(fact)
        if text is None:
            continue
        read = claim(name, text)
        if read is not None:
            claims[read.key].append((key, read))
        stated[statement(name, text)].append((key, denies(text)))
    found = {
        frozenset((first, second)): Disagreement(first, second, "negation", "")
        for same in stated.values()
        for (first, denied), (second, also) in combinations(same, 2)
        if denied is not also
    }
    for same in claims.values():
        for (first, one), (second, other) in combinations(same, 2):
            agreed = agree(one.value, other.value) or (one.is_event and other.is_event)
            if one.denied is other.denied is False and not agreed:
                found[frozenset((first, second))] = Disagreement(first, second, "value", one.attribute)
            elif one.denied is not other.denied and agreed:
                found[frozenset((first, second))] = Disagreement(first, second, "negation", one.attribute)
    return list(found.values())


def cues(name: str, text: str) -> list[str]:
    """Parts of words in lower case, one of which every fact has that contradicts this one.

    Empty if ``disagreements`` cannot find any.
    """
    full = plain(text)
    if full is None:
        return []
    read = claim(name, full)
    if read is not None:
        return read.cues
    found = [spellings(word) for word in statement(name, full) if not word.isdigit()]
    return min(found, key=lambda same: (len(same), -len(same[0]), same), default=list[str]())
