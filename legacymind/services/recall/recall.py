"""What a text brings to mind: find, then rank. Reads only; every caller gets the same memories."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from legacymind.db.filters import Conditions
from legacymind.db.graph import Graph
from legacymind.model.base import PROMPT
from legacymind.origins import AGENT, LeftOut, least_trust, trust_of
from legacymind.ranking.dates import microseconds
from legacymind.ranking.features import ThoughtFeatures
from legacymind.ranking.knowledge import rank_knowledge, topic
from legacymind.ranking.memories import (
    RankedMemory,
    Scoring,
    Successors,
    answering,
    choose_knowledge,
    choose_standing,
    choose_thoughts,
    in_order,
    no_preference,
    pattern_preference,
    weighed,
    with_successors,
)
from legacymind.ranking.thoughts import rank_thoughts
from legacymind.ranking.words import Asked
from legacymind.services.recall import policy as rules
from legacymind.services.recall.finds import Finds, Found, Lateral, Listed, Scope
from legacymind.services.recall.hypotheses import HypothesisTest, Tested, judge
from legacymind.services.recall.policy import RecallPolicy
from legacymind.services.shared.together import together
from legacymind.services.shared.vectors import Vectors
from legacymind.text import error_signature
from legacymind.text.query_analysis import Question

_SOURCES: Final = 8
"""The strongest memories from which related ones are looked for."""

_KNOWN_SOURCES: Final = 3
_LATERAL_KNOWLEDGE: Final = 5
_HOP: Final = 0.8
"""What each hop leaves of the relevance; a contradiction is as relevant as what it contradicts."""

_SAME_ERROR: Final = 2.0
_LEAST_MESSAGE: Final = 12
"""Characters of an error's message that identify it inside another text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What to recall for: a text of the time ``now`` in a session, its vector, and how far to go.

    ``linked`` are ids that are never recalled. ``companions`` are thoughts that no index has yet.
    ``question`` is the analysis of the text, ``stems`` are those of its words, and ``text_query`` finds them.
    ``test`` is that of a hypothesis with a vector of its own.
    """

    namespace: str
    session_id: str | None
    content: str
    vector: list[float]
    now: datetime
    policy: RecallPolicy
    question: Question
    stems: Sequence[str]
    text_query: str | None
    error: str | None = None
    linked: frozenset[str] = frozenset()
    companions: Sequence[ThoughtFeatures] = ()
    test: HypothesisTest | None = None
    hypothesis: list[float] | None = None

    @property
    def place(self) -> Scope:
        """Where to look."""
        return Scope(namespace=self.namespace, own_session=self.session_id or "", vector=self.vector)


class Recalled(NamedTuple):
    """What a text brought to mind.

    ``memories`` are best first. ``stated`` is the latest thought of its session with the same text, and
    ``tested`` is the evidence for and against its hypothesis. ``related`` are thoughts that would be memories
    if the text were not linked to them.
    """

    memories: Sequence[RankedMemory] = ()
    stated: ThoughtFeatures | None = None
    tested: Tested | None = None
    related: Sequence[ThoughtFeatures] = ()


class Recall:
    """Finds and ranks memories. Nothing is stored, and no access is counted."""

    def __init__(self, graph: Graph, vectors: Vectors, left_out: LeftOut) -> None:
        self.finds = Finds(graph, vectors, least_trust(left_out))

    async def recall(self, ask: Ask) -> Recalled:
        """What a text brings to mind, and the test of its hypothesis.

        Raises DatabaseError, or EmbeddingMismatch if the model was changed.
        """
        recalled, tested = await together(self._memories(ask), self._test(ask))
        return recalled._replace(tested=tested)

    async def _test(self, ask: Ask) -> Tested | None:
        test, place = ask.test, replace(ask.place, vector=ask.hypothesis)
        if test is None:
            return None
        nearby = await self.finds.knowledge(place, ask.now, None, pool=test.top_k)
        # What a file, a tool or a page says proves nothing.
        known = [node for node in nearby.candidates if trust_of(node.trust) >= AGENT]
        near = [node for node in known if node.cosine >= test.min_similarity]
        await self.finds.complete(ask.namespace, near)
        return judge(test, near)

    async def _memories(self, ask: Ask) -> Recalled:
        policy = ask.policy
        if not policy.recalls:
            return Recalled()
        found = await self._find(ask)
        asked = Asked.among(ask.stems, [*found.thoughts, *found.knowledge])
        thoughts = answering([one for one in found.thoughts if one.id not in ask.linked], ask.content)
        opened = policy.thoughts.opens(thoughts, found.knowledge, asked)
        playbooks = _playbooks(found.playbooks, ask)
        settled = policy.playbooks_suffice and any(one.relevance == 1.0 for one in playbooks)
        best = list[RankedMemory]()
        ranked = [one for one in rank_thoughts(found.thoughts, ask.question) if _may_answer(one.node, ask)]
        if policy.thoughts_k and not settled:
            best = choose_thoughts(
                ranked,
                policy.thoughts,
                ask.content,
                asked,
                most=policy.thoughts_k,
                opened=opened,
                since=microseconds(policy.since),
                by_words=policy.by_words,
                recent=policy.via == "recent",
            )
        answers = {one.id for one in thoughts}
        beside = topic([one for one in ranked if one.node.id in answers], policy.cosines, rules.STRICTNESS[2])
        knowledge, fallback = choose_knowledge(
            rank_knowledge(found.knowledge, asked, policy.cosines, beside=beside),
            policy.knowledge,
            asked,
            most=policy.knowledge_k,
            floor=policy.floor,
            opened=opened,
        )
        standing = choose_standing(
            [one.node for one in found.standing if one.node.id not in ask.linked],
            policy.thoughts,
            asked,
            most=policy.standing,
            besides=[*playbooks, *best],
        )
        lateral = await self._lateral(ask, knowledge, playbooks, best)
        aside = [one for one in lateral if one.is_thought]
        facts = [*knowledge, *[one for one in lateral if not one.is_thought][:_LATERAL_KNOWLEDGE]]
        if not (facts or aside or playbooks or best):
            facts = fallback
        order = await self.finds.newer_first(ask.namespace, [one.node for one in facts])
        facts = [replace(facts[n], relevance=one.relevance) for n, one in zip(order, facts, strict=True)]
        memories = await self._complete(ask, facts, [*playbooks, *best, *aside, *standing])
        linked = [one for one in found.thoughts if one.id in ask.linked]
        related = [one for one in linked if policy.thoughts.of(one, asked) >= 1.0]
        return Recalled(memories, _stated(found.thoughts, ask), related=related)

    async def _find(self, ask: Ask) -> Found:
        """The first reads, side by side."""
        policy, place, found = ask.policy, ask.place, Found()
        reads: list[Awaitable[None]] = []

        async def thoughts() -> None:
            found.thoughts = await self._thoughts(ask)

        async def knowledge() -> None:
            nearby = await self.finds.knowledge(
                place,
                ask.now,
                ask.text_query,
                pool=policy.pool,
                naming=ask.content,
            )
            found.knowledge = nearby.candidates

        async def standing() -> None:
            found.standing = await self.finds.listed("standing", place, ask.now)

        async def playbooks() -> None:
            found.playbooks = await self.finds.listed("playbook", place, ask.now)

        if policy.thoughts_k:
            reads.append(thoughts())
        if policy.knowledge_k:
            reads.append(knowledge())
        if policy.standing:
            reads.append(standing())
        # Without an error, only similar problems can match.
        if policy.playbooks and (ask.error is not None or policy.similar_problem <= 1):
            reads.append(playbooks())
        await together(*reads)
        return found

    async def _thoughts(self, ask: Ask) -> list[ThoughtFeatures]:
        """Candidates by meaning, words and links. An old thought may answer best, whatever the window."""
        policy, place = ask.policy, ask.place
        conditions: Conditions = {"hot": True, "since": policy.reach, "before": ask.now}
        nearby = await self.finds.thoughts(
            place,
            conditions,
            ask.text_query,
            pool=policy.pool,
            linked=rules.LINKED,
        )
        found = {one.id: one for one in nearby.candidates}
        for one in ask.companions:
            if microseconds(policy.reach) <= one.created < microseconds(ask.now):
                found.setdefault(one.id, one)
        return list(found.values())

    async def _lateral(
        self,
        ask: Ask,
        knowledge: Sequence[RankedMemory],
        playbooks: Sequence[RankedMemory],
        best: Sequence[RankedMemory],
    ) -> list[RankedMemory]:
        """Sideways from the strongest memories, whatever the cosine."""
        known = [*knowledge, *playbooks, *best]
        if not ask.policy.lateral or not known:
            return []
        sources = sorted([*knowledge[:_KNOWN_SOURCES], *playbooks, *best], key=lambda one: -one.relevance)[
            :_SOURCES
        ]
        hops = 2 if ask.policy.scale == 5 else 1
        relevances = {one.node.id: one.relevance for one in sources}
        found = await self.finds.lateral(ask.place, ask.now, list(relevances), ask.policy.lateral, hops)
        excluded = {one.node.id for one in known} | ask.linked
        memories: dict[str, RankedMemory] = {}
        for one in found:
            if one.node.id not in excluded:
                _add_lateral(memories, one, relevances[one.source])
        ordered = sorted(memories.values(), key=lambda one: (-one.relevance, -one.node.cosine, one.node.id))
        for one in ordered:
            one.relevance = max(one.relevance, one.node.cosine)
        return ordered

    async def _complete(
        self, ask: Ask, facts: Sequence[RankedMemory], thoughts: Sequence[RankedMemory]
    ) -> list[RankedMemory]:
        """The memories with what revises, solves or contradicts them, weighed and in their final order."""
        policy, place = ask.policy, ask.place
        preference = policy.tie_break
        asked = [
            one.node.id
            for one in (*facts, *thoughts)
            if one.node.touched or (preference is not None and one.is_thought)
        ]
        successors: dict[str, Successors] = {}
        if asked:
            successors = await self.finds.successors(place, ask.now, asked)
        current = with_successors(thoughts, successors, ask.linked)
        # What was brought may be contradicted too.
        further = [one.node.id for one in current if one.node.touched and one.node.id not in successors]
        if further:
            successors |= await self.finds.successors(place, ask.now, further)
        weights = policy.weights
        scoring = Scoring(
            now=microseconds(ask.now),
            similarity=weights.similarity,
            recency=weights.recency,
            salience=weights.salience,
            access=weights.access,
            tau=weights.tau,
            contradiction=policy.contradiction,
            prefers=pattern_preference(preference.name, preference.words) if preference else no_preference,
        )
        memories = in_order(
            [weighed(one, scoring, successors) for one in facts],
            [weighed(one, scoring, successors) for one in current],
            policy.thoughts_k + policy.playbooks,
            successors,
            ask.linked,
        )
        await self.finds.complete(ask.namespace, [one.node for one in memories])
        return memories


def _may_answer(one: ThoughtFeatures, ask: Ask) -> bool:
    """Whether it is neither linked nor, unless it stands, what the user asked in the same session."""
    asked = one.thought_type == PROMPT and one.session_id == ask.session_id and not one.standing
    return one.id not in ask.linked and not asked


def _stated(found: Sequence[ThoughtFeatures], ask: Ask) -> ThoughtFeatures | None:
    same = [
        one
        for one in found
        if one.session_id == ask.session_id is not None
        and one.length == len(ask.content)
        and ask.content.startswith(one.text)
    ]
    return max(same, key=lambda one: one.created, default=None)


def _add_lateral(memories: dict[str, RankedMemory], one: Lateral, relevance: float) -> None:
    """Add what a memory is related to, or raise it if it was found before."""
    contradicts = one.type == "CONTRADICTS" and one.hops == 1
    relevance *= 1.0 if contradicts else _HOP**one.hops
    via = "contradiction" if contradicts else "lateral"
    known = memories.setdefault(one.node.id, RankedMemory(one.node, via, relevance))
    known.relevance = max(known.relevance, relevance)
    known.via = min(known.via, via)


def _playbooks(found: Sequence[Listed], ask: Ask) -> list[RankedMemory]:
    """Thoughts that solved the same error, or else one of the same type or a similar problem."""
    wanted, _, message = (ask.error or "").partition(": ")
    similar = ask.policy.similar_problem
    kind = wanted if similar <= 1 and error_signature.is_type(wanted) else None
    text = error_signature.comparable(ask.content) if ask.error else ""
    matches: dict[str, tuple[ThoughtFeatures, float]] = {}
    for one in found:
        if one.node.id in ask.linked:
            continue
        match = _match(one, ask.error, kind, message, text, ask.policy.floor, similar)
        if match is not None and match > matches.get(one.node.id, (one.node, -1.0))[1]:
            matches[one.node.id] = one.node, match
    ordered = sorted(matches.values(), key=lambda pair: (-pair[1], -pair[0].trusted))
    same = [pair for pair in ordered if pair[1] == _SAME_ERROR]
    return [
        RankedMemory(node, "playbook", 1.0 if match == _SAME_ERROR else match)
        for node, match in (same or ordered)[: ask.policy.playbooks]
    ]


def _match(
    one: Listed,
    signature: str | None,
    kind: str | None,
    message: str,
    text: str,
    floor: float,
    similar: float,
) -> float | None:
    """2 for the same error, else the cosine of the problems if it is near enough.

    Two errors are the same if one contains the message of the other. Errors of one type need only the floor,
    and those of two types more than other problems, because any two errors are somewhat similar.
    """
    theirs = one.signature or ""
    their_kind, _, their_message = theirs.partition(": ")
    if signature is not None and (
        theirs == signature
        or (len(their_message) >= _LEAST_MESSAGE and (their_message in signature or their_message in text))
        or (len(message) >= _LEAST_MESSAGE and message in theirs)
    ):
        return _SAME_ERROR
    least = similar
    if kind is not None and one.signature is not None:
        least = floor if their_kind == kind else (1 + similar) / 2
    return one.nearness if one.nearness is not None and one.nearness >= least else None
