"""Memories: what a text brings to mind, chosen from ranked candidates, and put in their final order."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from legacymind.ranking.copies import are_copies, asks_again, count_copies
from legacymind.ranking.features import Features, KnowledgeFeatures, Node, Ranked, ThoughtFeatures
from legacymind.ranking.relatedness import Relatedness
from legacymind.ranking.trusted import with_the_users
from legacymind.ranking.words import Asked

_STEPS: Final = 50
"""Relevances that round to the same fiftieth are about equal; then other things decide."""

_BROUGHT: Final = 0.02
"""How much more relevant than a memory is what revises, solves or contradicts it."""

_NEARLY: Final = 0.7
"""The relatedness of the best fallback, and below the share of it that others need."""
_NEARLY_SHARE: Final = 0.9
_FALLBACKS: Final = 3

_OWN: Final = 0.5
"""The relatedness of a thought itself, without which links, sessions and recency recall nothing."""

_SECONDS: Final = 1_000_000
_MANY_ACCESSES: Final = math.log(101)


@dataclass(slots=True)
class RankedMemory:
    """A memory, how it was found, and later its weight with the parts of it, and its score.

    ``relevance`` decides first, and is shown as the score. ``copies`` counts it and those with nearly the
    same text. ``namespace`` is its own, if another than that of what recalls it.
    """

    node: Features
    via: str
    relevance: float
    copies: int = 1
    revised_by: str | None = None
    solved_by: str | None = None
    contradicted_by: str | None = None
    namespace: str | None = None
    tie_break: bool = False
    weight: float = 0.0
    score: float = 0.0
    parts: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def is_thought(self) -> bool:
        """Whether it is a thought; entities and observations are knowledge."""
        return isinstance(self.node, ThoughtFeatures)

    def order(self) -> tuple[float, bool, float, str]:
        """The key of the final order: relevance and trust, then the submode's preference, then the weight."""
        return (
            -round(self.relevance * _STEPS) - round(self.node.trusted * _STEPS),
            not self.tie_break,
            -self.weight,
            self.node.id,
        )


def answering(found: Iterable[ThoughtFeatures], text: str) -> list[ThoughtFeatures]:
    """The thoughts that may come: those of a chain, without the same question, asked before."""
    return [node for node in found if node.chained and not asks_again(node, text)]


def choose_thoughts(
    ranked: Sequence[Ranked[ThoughtFeatures]],
    rule: Relatedness,
    text: str,
    asked: Asked,
    *,
    most: int,
    opened: bool,
    since: int = 0,
    by_words: int = 0,
    recent: bool = False,
) -> list[RankedMemory]:
    """The thoughts that are best related to a text; at most ``most``, none unless recall is ``opened``.

    Of about equally relevant thoughts those since a time, in microseconds, come first, then the salient ones;
    each stands for its copies. If the rule is strict, the best ``by_words`` by full text come too.
    ``recent``: they are found by their time alone. The same question, asked before, does not come.
    """
    kept = {node.id for node in answering([one.node for one in ranked], text)}
    ranked = [one for one in ranked if one.node.id in kept]
    related = _related(ranked, [rule.of(one.node, asked) for one in ranked], rule, by_words, _OWN, opened)
    related.sort(
        key=lambda one: (
            -round(one.score * _STEPS) - round(one.node.trusted * _STEPS),
            one.node.created < since,
            -one.node.salience,
            -one.score,
            one.node.id,
        ),
    )
    related = with_the_users(related, lambda one: one.node, lambda one: one.score)
    return _memories(related, rule, most, "recent" if recent else None)


def choose_knowledge(
    ranked: Sequence[Ranked[KnowledgeFeatures]],
    rule: Relatedness,
    asked: Asked,
    *,
    most: int,
    floor: float,
    opened: bool,
) -> tuple[list[RankedMemory], list[RankedMemory]]:
    """The best related knowledge, and if the rule is strict a fallback: the three almost as near as the best.

    One of the two is empty. At most ``most`` come, none unless recall is ``opened``; equal facts are one.
    """
    shares = [rule.of(one.node, asked) for one in ranked]
    related = _related(ranked, shares, rule, opened=opened)
    if related:
        trusted = sorted(related, key=lambda one: -one.place)
        return _memories(with_the_users(trusted, lambda one: one.node, lambda one: one.score), rule, most), []
    best = max(shares, default=0.0) if rule.strict else 0.0
    near = [
        (one, share)
        for one, share in zip(ranked, shares, strict=True)
        if best >= _NEARLY and share >= _NEARLY_SHARE * best and one.node.cosine >= floor
    ]
    near.sort(key=lambda pair: (-pair[1], pair[0].node.id))
    return [], _memories([one for one, _ in near], rule, _FALLBACKS, "fallback")


def _related(
    ranked: Sequence[Ranked[Node]],
    shares: Sequence[float],
    rule: Relatedness,
    by_words: int = 0,
    own: float = 0.0,
    opened: bool = False,
) -> list[Ranked[Node]]:
    """Those of ranked thoughts or knowledge that a rule passes; ``shares`` are their own relatedness."""
    if rule.strict:
        worded = sorted(
            (one for one in ranked if one.node.text_score is not None),
            key=lambda one: -(one.node.text_score or 0.0),
        )[:by_words]
        return [one for one in ranked if one.node.cosine >= rule.threshold or one in worded]
    if not opened:
        return []
    near = max(shares, default=0.0) >= 1.0
    return [
        one
        for n, one in enumerate(ranked)
        if shares[n] >= own and (one.score >= rule.threshold or (near and n == 0))
    ]


def _memories(
    chosen: Sequence[Ranked[Features]], rule: Relatedness, most: int, via: str | None = None
) -> list[RankedMemory]:
    """The first memories of different texts. Knowledge that only nearly is related counts by its cosine."""
    nodes = [one.node for one in chosen]
    kept: list[Ranked[Features]] = []
    for one in chosen:
        if len(kept) == most:
            break
        if not any(are_copies(one.node, other.node) for other in kept):
            kept.append(one)
    by_cosine = rule.strict or via == "fallback"
    return [
        RankedMemory(
            one.node,
            via or _via(one.node, rule),
            one.node.cosine if by_cosine else one.score,
            count_copies(one.node, nodes),
        )
        for one in kept
    ]


def _via(node: Features, rule: Relatedness) -> str:
    if node.cosine >= rule.threshold:
        return "vector"
    return "graph" if node.text_score is None else "fulltext"


def choose_standing(
    found: Sequence[ThoughtFeatures],
    rule: Relatedness,
    asked: Asked,
    *,
    most: int,
    besides: Iterable[RankedMemory] = (),
) -> list[RankedMemory]:
    """The standing preferences whose topic is nearest; they come in addition, and open nothing."""
    texts = {memory.node.text for memory in besides}
    judged = [(thought, rule.of(thought, asked)) for thought in found]
    near = [pair for pair in judged if pair[1] >= 1.0 and pair[0].text not in texts]
    near.sort(key=lambda pair: (-pair[1], -pair[0].created, pair[0].id))
    once = {thought.text: thought for thought, _ in reversed(near)}
    first = [thought for thought, _ in near if once[thought.text] is thought]
    return [RankedMemory(thought, "standing", thought.cosine) for thought in first[:most]]


@dataclass(frozen=True, slots=True)
class Successors:
    """What came after a memory: its latest revision, at most two solutions, and what contradicts it most.

    ``revised_by`` and ``contradicted_by`` are ids, also of what is not to be recalled itself.
    """

    revision: ThoughtFeatures | None = None
    revised_by: str | None = None
    solutions: Sequence[ThoughtFeatures] = ()
    contradicted_by: str | None = None
    against: Features | None = None
    contradictions: int = 0
    traits: frozenset[str] = frozenset()


UNCHANGED: Final = Successors()


def with_successors(
    memories: Sequence[RankedMemory], successors: dict[str, Successors], linked: Iterable[str]
) -> list[RankedMemory]:
    """The memories with their revisions and solutions, which rank above them, each node once."""
    items: dict[str, list[RankedMemory]] = {}
    for memory in memories:
        found = successors.get(memory.node.id, UNCHANGED)
        named = replace(
            memory,
            revised_by=found.revision.id if found.revision else None,
            solved_by=found.solutions[0].id if found.solutions else None,
        )
        items.setdefault(memory.node.id, []).append(named)
        relevance = memory.relevance + _BROUGHT
        for solution in found.solutions:
            items.setdefault(solution.id, []).append(RankedMemory(solution, "solution", relevance))
        if found.revision:
            items.setdefault(found.revision.id, []).append(
                RankedMemory(found.revision, "revision", relevance)
            )
    excluded, current = set(linked), list[RankedMemory]()
    for node_id, same in items.items():
        if node_id in excluded:
            continue
        first = next((item for item in same if item.via not in ("revision", "solution")), same[0])
        current.append(
            replace(
                first,
                relevance=max(item.relevance for item in same),
                revised_by=next((item.revised_by for item in same if item.revised_by), None),
                solved_by=next((item.solved_by for item in same if item.solved_by), None),
            )
        )
    return current


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """The weights of its parts. ``now`` are microseconds, ``tau`` is the decay time of recency in seconds.

    ``contradiction`` is added for each contradiction. ``prefers``: whether a submode's preference breaks ties
    in favour of a memory with these traits.
    """

    now: int
    similarity: float
    recency: float
    salience: float
    access: float
    tau: float
    contradiction: float
    prefers: Callable[[str, frozenset[str]], bool]


def weighed(memory: RankedMemory, scoring: Scoring, successors: dict[str, Successors]) -> RankedMemory:
    """The memory with its weight: relevance, recency, salience, accesses and contradictions, weighted.

    That of knowledge is its relevance.
    """
    node, found = memory.node, successors.get(memory.node.id, UNCHANGED)
    parts = dict.fromkeys(("recency", "salience", "access", "contradiction"), 0.0)
    if isinstance(node, ThoughtFeatures):
        parts = {
            "similarity": scoring.similarity * min(memory.relevance, 1.0),
            "recency": scoring.recency * math.exp(-((scoring.now - node.created) // _SECONDS) / scoring.tau),
            "salience": scoring.salience * node.salience,
            "access": scoring.access * min(1.0, math.log(1 + node.accesses) / _MANY_ACCESSES),
            "contradiction": scoring.contradiction * found.contradictions,
        }
    else:
        parts = {"similarity": min(memory.relevance, 1.0), **parts}
    tie_break = scoring.prefers(node.text, found.traits)
    return replace(memory, weight=sum(parts.values()), parts=parts, tie_break=tie_break)


def in_order(
    facts: Sequence[RankedMemory],
    thoughts: Sequence[RankedMemory],
    most: int,
    successors: dict[str, Successors],
    linked: Iterable[str],
) -> list[RankedMemory]:
    """The final order of weighed memories: at most so many usual thoughts, then what was brought.

    A contradicted memory comes after what contradicts it most strongly. The score of each is its relevance,
    and at most 1 and that of the memory before.
    """
    usual = sorted((m for m in thoughts if m.via != "standing"), key=RankedMemory.order)
    kept = [
        *facts,
        *usual[:most],
        *(m for m in usual[most:] if m.via in ("revision", "solution")),
        *(m for m in thoughts if m.via == "standing"),
    ]
    excluded = set(linked)
    placed: dict[str, RankedMemory] = {}
    raised: dict[str, float] = {}
    for memory in kept:
        found = successors.get(memory.node.id, UNCHANGED)
        placed[memory.node.id] = replace(memory, contradicted_by=found.contradicted_by)
    for memory in kept:
        against = successors.get(memory.node.id, UNCHANGED).against
        if against is None or against.id in excluded:
            continue
        relevance = memory.relevance + _BROUGHT
        raised[against.id] = max(relevance, raised.get(against.id, relevance))
        parts = {"similarity": against.cosine, "recency": 0.0, "salience": 0.0, "access": 0.0}
        brought = RankedMemory(against, "contradiction", relevance, weight=against.cosine)
        brought.parts = {**parts, "contradiction": 0.0}
        placed.setdefault(against.id, brought)
    for node_id, relevance in raised.items():
        placed[node_id].relevance = max(placed[node_id].relevance, relevance)
    ordered = sorted(placed.values(), key=RankedMemory.order)
    ordered, least = with_the_users(ordered, lambda one: one.node, lambda one: one.relevance), 1.0
    for memory in ordered:
        memory.score = least = min(least, memory.relevance)
    return ordered


def pattern_preference(name: str, pattern: re.Pattern[str]) -> Callable[[str, frozenset[str]], bool]:
    """A preference for memories with a trait of this name, or with words of the pattern."""
    return lambda text, traits: name in traits or pattern.search(text) is not None


def no_preference(text: str, traits: frozenset[str]) -> bool:
    """No preference."""
    return False
