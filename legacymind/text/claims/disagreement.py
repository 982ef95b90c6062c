"""Finds facts about one entity that contradict each other.

The patterns of ``claim`` miss many contradictions, because each report asks for a decision.
"""

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import Final, Literal, NamedTuple

from legacymind.text.claims.claim import Claim, claim, denies, never_was, plain, statement
from legacymind.text.claims.opposites import spellings
from legacymind.text.claims.values import agree

Reason = Literal["value", "negation"]
"""``value``: one attribute has two values. ``negation``: one fact denies the other."""


_VALUES: Final = 20
"""An attribute with more values than this evidently has several at a time."""


class Disagreement(NamedTuple):
    """Two facts, by their keys, that contradict each other, and on what."""

    first: str
    second: str
    reason: Reason
    attribute: str


def disagreements(name: str, facts: Mapping[str, str]) -> list[Disagreement]:
    """The pairs of facts about the entity ``name`` that contradict each other; ``facts`` by their keys.

    An attribute with more than 20 values is left out, since it evidently has several at a time.
    """
    claims: defaultdict[frozenset[str], list[tuple[str, Claim]]] = defaultdict(list)
    stated: defaultdict[frozenset[str], list[tuple[str, bool]]] = defaultdict(list)
    never: list[tuple[str, frozenset[str]]] = []
    for key, fact in facts.items():
        text = plain(fact)
        if text is None:
            continue
        read = claim(name, text)
        if read is not None:
            claims[read.key].append((key, read))
        words = statement(name, text)
        stated[words].append((key, denies(text)))
        if words and never_was(text):
            never.append((key, words))
    found = {
        frozenset((first, second)): Disagreement(first, second, "negation", "")
        for same in stated.values()
        for (first, denied), (second, also) in combinations(same, 2)
        if denied is not also
    }
    for key, words in never:
        for other, denied in (one for more, said in stated.items() if words < more for one in said):
            if not denied:
                found[frozenset((key, other))] = Disagreement(key, other, "negation", "")
    for same in claims.values():
        if len({one.value for _, one in same}) > _VALUES:
            continue
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
