"""Searches: graph-ranked, by vector, by full text, or by time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, Final, Literal, TypeVar, cast

from legacymind.db.filters import ABOUT, Conditions, in_vector_index, predicate
from legacymind.db.query import Parameters, load
from legacymind.model.base import ALWAYS, OPEN, Hit, Kind, Method, Order
from legacymind.model.graph import View
from legacymind.operations.pages import Position
from legacymind.origins import least_trust
from legacymind.ranking import order
from legacymind.ranking.features import Features, KnowledgeFeatures, Ranked, ThoughtFeatures
from legacymind.ranking.knowledge import facts_first, rank_knowledge, topic
from legacymind.ranking.memories import UNCHANGED, Successors, answering, choose_standing
from legacymind.ranking.thoughts import by_cosine, rank_thoughts
from legacymind.ranking.words import Asked
from legacymind.services.recall import policy as recall_policy
from legacymind.services.recall.finds import Finds, Listed, Nearby, Scope
from legacymind.services.search.hits import hit_of, read_length
from legacymind.services.shared import items
from legacymind.services.shared.service import OtherServices, Service, ServiceContext
from legacymind.services.shared.together import in_thread_if_large, together
from legacymind.text import fulltext, query_analysis

T = TypeVar("T")


InTime = tuple[str, list[Any]]
"""The id of a thought or of knowledge, and its position."""

LIST_THOUGHTS = load("search/list_thoughts", tuple[list[InTime], bool], writes=False)
LIST_KNOWLEDGE = load("search/list_knowledge", InTime, writes=False)


NO_MIN_SIMILARITY: Final = -2.0
"""A minimum cosine that excludes nothing."""

_POOL: Final = 60
"""Candidates by vector, and as many by full text, for ranking. More than 60 found nothing more."""

_ALONE: Final = 200
"""Candidates by vector alone, which are not ranked."""

_LINKED: Final = 30
"""The best of each whose links are followed.

Following all 60 finds a third more candidates, and R@10 of LoCoMo, REALTALK and BEAM differs by at most 0.2.
"""

_RELATED: Final = 0.5
"""The score of a related hit, as the way from the floor to t1."""

_NEARLY_RELATED: Final = 3
"""Hits of each kind that are shown if nothing is related."""

_EXACT_LIMIT: Final = 5_000
"""The most thoughts with the requested items of lists for which cosines are computed exactly."""

_ALL: Final = 2**31 - 1
"""The limit of a full-text query for all texts, so that a filter that five of them pass finds the five."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A checked search. The private thoughts of ``own_session`` are visible; it is empty for none.

    ``elsewhere``: its namespace is not that of the answer, so its hits name it.
    """

    query: str
    kinds: Sequence[Kind]
    method: Method
    namespace: str
    own_session: str
    conditions: Conditions
    as_of: datetime | None
    min_similarity: float
    order: Order
    explain: bool
    ended: bool = False
    open: bool = False
    elsewhere: bool = False

    @property
    def knowledge(self) -> list[Kind]:
        """The kinds of knowledge that are searched."""
        return [kind for kind in self.kinds if kind != "thought"]

    @property
    def about(self) -> list[str]:
        """The ids of the entities that the search is about; empty for no such filter."""
        return cast("list[str]", self.conditions.get(ABOUT, []))

    @property
    def span(self) -> tuple[datetime, datetime]:
        """The first and the last time at which knowledge was stored. ``as_of`` is no such time."""
        begin, end = (cast("datetime | None", self.conditions.get(name)) for name in ("date_from", "date_to"))
        return begin or ALWAYS, OPEN if end is None or end == self.as_of else end

    @property
    def listed(self) -> Literal["true", "ended", "changed"]:
        """Which knowledge a list has: what is true, what ended, or from a day on what changed."""
        if self.ended:
            return "ended"
        return "changed" if "date_from" in self.conditions and self.as_of is None else "true"

    @property
    def changes(self) -> bool:
        """Whether a list has all that changed, and so the steps that record redactions, too."""
        return self.listed == "changed" and self.conditions.keys() <= {"date_from", "date_to"}

    @property
    def filtered(self) -> bool:
        """Whether a filter narrows the thoughts."""
        return bool(self.conditions)

    @property
    def text_query(self) -> str | None:
        """The query for full text; None if the query has no words, or if meaning alone decides."""
        if self.method == "vector":
            return None
        alone = self.method == "text"
        return fulltext.full_text_query(self.namespace, self.query, self.own_session, any_word=alone)

    @property
    def pool(self) -> int:
        """Candidates by meaning, and as many by words."""
        return _ALONE if self.method == "vector" else _POOL

    def list_request(self) -> dict[str, Any]:
        """The filters by lists, the full-text query for them, and the filter by mentions."""
        asked = predicate(self.conditions)
        query = fulltext.list_query(self.namespace, asked["lists"], self.own_session)
        return {"lists": asked["lists"], "list_query": query, "about": asked["about"]}


@dataclass(frozen=True, slots=True)
class FoundHits:
    """The first hits of a search, or all.

    ``related`` is false if probably nothing answers (ranking/relatedness.py). ``limited``: there may be
    others, which are no candidates.
    """

    hits: list[Hit]
    standing: list[Hit]
    related: bool
    limited: bool


@dataclass(frozen=True, slots=True)
class _Candidates:
    """What a search has found and ranked."""

    scope: Scope
    as_of: datetime
    thoughts: Sequence[Ranked[ThoughtFeatures]]
    knowledge: Sequence[Ranked[KnowledgeFeatures]]
    standing: Sequence[ThoughtFeatures]
    limited: bool
    asked: Asked


class Finder(Service):
    """Runs searches and returns rows of hits, best first."""

    def __init__(self, context: ServiceContext, services: OtherServices) -> None:
        super().__init__(context, services)
        self._finds = Finds(context.graph, context.vectors, least_trust(context.settings.leave_out))

    async def find(
        self,
        request: SearchRequest,
        take: int,
        *,
        vector: list[float] | None = None,
        with_standing: bool = False,
    ) -> FoundHits:
        """The first ``take`` hits, best first; ``vector`` is the query's if already known.

        ``with_standing``: also the standing preferences and instructions that are related to the query, as
        think recalls them, unless by another method than ``graph`` or with a filter. They are no hits: the
        ranking of the others does not change.
        """
        found = await self._candidates(request, vector, with_standing=with_standing)
        least = NO_MIN_SIMILARITY if request.method == "text" else request.min_similarity
        folded = request.query if request.method == "graph" else None
        ranked = order.places(found.thoughts, found.knowledge, least, take, folded)
        rule = recall_policy.relatedness(
            recall_policy.STRICTNESS[2], self._vectors.thresholds, self._settings
        )
        asked, related = found.asked, True
        if request.method == "graph" and not request.filtered:
            opened = rule.opens(
                answering([one.node for one in found.thoughts], request.query),
                [one.node for one in found.knowledge],
                asked,
            )
            related, ranked = self._related(ranked, opened=opened)
        shown, changes = await self._changed(request, found, ranked[:take])
        shown = shown[:take]
        preferences = choose_standing(
            [one for one in found.standing if one.cosine >= request.min_similarity],
            rule,
            asked,
            most=take,
        )
        length = read_length(max(len(shown), 1))
        nodes = [*(place.node for place in shown), *(memory.node for memory in preferences)]
        await self._finds.complete(request.namespace, nodes, length)
        return FoundHits(
            [
                hit_of(
                    place,
                    rank,
                    changes.get(place.node.id, UNCHANGED),
                    method=request.method,
                    explain=request.explain,
                )
                for rank, place in enumerate(shown, 1)
            ],
            [
                hit_of(Ranked(memory.node, memory.node.cosine), rank, UNCHANGED)
                for rank, memory in enumerate(preferences, 1)
            ],
            related,
            found.limited,
        )

    async def candidates(self, request: SearchRequest) -> tuple[list[Hit], bool]:
        """All candidates of a search, with the beginnings of their texts; and whether there may be others."""
        found = await self._candidates(request, None)
        hits = [hit_of(one, 0, UNCHANGED) for one in (*found.thoughts, *found.knowledge)]
        return hits, found.limited

    async def in_time(
        self, request: SearchRequest, take: int, offset: int = 0, after: Position | None = None
    ) -> list[tuple[Hit, Position]]:
        """Thoughts and knowledge in order of time after a position, with their positions.

        ``offset`` counts what came before.
        """
        latest_first = request.order != "created_at_asc"
        page: Parameters = {
            "namespace": request.namespace,
            "take": take,
            "latest_first": latest_first,
            **items.at(after or items.in_time(latest_first=latest_first)),
        }
        thoughts, knowledge = await together(
            self._thoughts_in_time(request, page) if "thought" in request.kinds else _none(list[InTime]()),
            self._knowledge_in_time(request, page) if request.knowledge else _none(list[InTime]()),
        )
        both: list[InTime] = sorted([*thoughts, *knowledge], key=itemgetter(1), reverse=latest_first)
        listed = both[:take]
        length, view = read_length(take), View(request.namespace, request.own_session)
        ids = [id for id, _ in listed]
        as_of = None if request.ended else request.as_of
        nodes = await items.rows(self._graph, view, ids, length=length + 1, as_of=as_of)
        least = least_trust(self._settings.leave_out)
        rows = [(nodes[id], position) for id, position in listed if id in nodes]
        known = [(row, position) for row, position in rows if items.trust(row) >= least]
        return [
            (items.record(Hit, row, length, score=None, rank=rank), position)
            for rank, (row, position) in enumerate(known, offset + 1)
        ]

    async def _knowledge_in_time(self, request: SearchRequest, page: Parameters) -> list[InTime]:
        since, until = request.span
        return await self._graph.run(
            LIST_KNOWLEDGE,
            {
                **page,
                "kinds": request.knowledge,
                "about": request.about,
                "listed": request.listed,
                "as_of": request.as_of or datetime.now(UTC),
                "since": since,
                "until": until,
            },
        )

    async def _thoughts_in_time(self, request: SearchRequest, page: Parameters) -> list[InTime]:
        await self._vectors.claim()  # before its placeholder is made
        conditions = in_vector_index(request.conditions)
        ((listed, _),) = await self._vectors.run(
            LIST_THOUGHTS.filtered(conditions),
            {
                **page,
                **conditions,
                "own_session": request.own_session,
                "vector": self._vectors.placeholder(),
                "exact_limit": _EXACT_LIMIT,
                "request": {
                    **request.list_request(),
                    "filtered": request.filtered,
                    "open": request.open,
                    "redactions": predicate(request.conditions)["redactions"] or request.changes,
                },
            },
        )
        return listed

    async def _candidates(
        self, request: SearchRequest, vector: list[float] | None, *, with_standing: bool = False
    ) -> _Candidates:
        """Find and rank by meaning, words and links, or by one of the first two alone."""
        thoughts = "thought" in request.kinds
        asked, names = request.query, query_analysis.possible_names(request.query)
        # Authors matter only while the query may still be rewritten in their first person.
        if request.method == "graph" and thoughts and vector is None:
            asked, names = await self._authors.named(request.namespace, request.query)
            asked = query_analysis.in_first_person(asked, names)
        as_of = request.as_of or datetime.now(UTC)
        question, text_query = await in_thread_if_large(
            len(request.query),
            lambda: (query_analysis.analyse(request.query, names, as_of), request.text_query),
        )
        if vector is None and request.method != "text":
            # A statement is a passage: with e5, R@10 of LoCoMo-Plus is 15 instead of 9.
            (vector,) = await self._vectors.embed([asked], query=question.asks)
        scope = Scope(namespace=request.namespace, own_session=request.own_session, vector=vector)
        wanted = with_standing and request.method == "graph" and thoughts and not request.filtered
        near, known, standing = await together(
            self._thoughts(request, scope, text_query) if thoughts else _none(Nearby[ThoughtFeatures]()),
            self._knowledge(request, scope, as_of, text_query)
            if request.knowledge
            else _none(Nearby[KnowledgeFeatures]()),
            self._finds.listed("standing", scope, as_of) if wanted else _none(list[Listed]()),
        )
        preferences = [one.node for one in standing]
        words = Asked.among(fulltext.word_stems(request.query), [*near.candidates, *known.candidates])
        if request.method == "vector":
            ranked = by_cosine(near.candidates)
            facts = by_cosine(known.candidates)
        else:
            ranked = rank_thoughts(near.candidates, question)
            scale = recall_policy.cosines(self._vectors.thresholds, self._settings)
            facts = facts_first(
                rank_knowledge(known.candidates, words, scale, beside=topic(ranked, scale, _RELATED)),
                request.query,
            )
            newer = await self._finds.newer_first(request.namespace, [one.node for one in facts])
            facts = [replace(facts[n], score=one.score) for n, one in zip(newer, facts, strict=True)]
        return _Candidates(scope, as_of, ranked, facts, preferences, near.more or known.more, words)

    async def _knowledge(
        self, request: SearchRequest, scope: Scope, as_of: datetime, text_query: str | None
    ) -> Nearby[KnowledgeFeatures]:
        """Knowledge that passes the filters which serve it: what it is about, and when it was stored."""
        found = await self._finds.knowledge(
            scope, as_of, text_query, pool=request.pool, kinds=request.knowledge, about=request.about
        )
        since, until = (moment.timestamp() * 1e6 for moment in request.span)
        about = set(request.about)
        kept = [
            one
            for one in found.candidates
            if (not about or (one.entity_id or one.id) in about)
            and (one.created is None or since <= one.created <= until)
        ]
        return Nearby(kept, found.more)

    async def _thoughts(
        self, request: SearchRequest, scope: Scope, text_query: str | None
    ) -> Nearby[ThoughtFeatures]:
        return await self._finds.thoughts(
            scope,
            request.conditions,
            text_query,
            pool=request.pool,
            linked=_LINKED if request.method == "graph" else 0,
            text_limit=_ALL if request.method == "text" and request.filtered else None,
        )

    def _related(
        self, ranked: list[Ranked[Features]], *, opened: bool
    ) -> tuple[bool, list[Ranked[Features]]]:
        """Whether anything may answer; without any related score, only the nearest hits of each kind."""
        rule = recall_policy.relatedness(_RELATED, self._vectors.thresholds, self._settings)
        if opened or any(place.score >= rule.threshold for place in ranked):
            return opened, ranked
        near = [place for place in ranked if place.score >= rule.zero]
        said = [place for place in near if place.node.kind == "thought"][:_NEARLY_RELATED]
        facts = [place for place in near if place.node.kind != "thought"][:_NEARLY_RELATED]
        return False, sorted([*said, *facts], key=lambda place: -place.score)

    async def _changed(
        self, request: SearchRequest, found: _Candidates, ranked: Sequence[Ranked[Features]]
    ) -> tuple[list[Ranked[Features]], dict[str, Successors]]:
        """The hits after what revises or contradicts them, and these changes, read if there are any."""
        known: dict[str, Ranked[Features]] = {one.node.id: one for one in (*found.thoughts, *found.knowledge)}
        thoughts = "thought" in request.kinds

        def find(node: Features) -> Ranked[Features] | None:
            made = Ranked(node, node.cosine) if thoughts and node.kind == "thought" else None
            return known.get(node.id, made)

        changes: dict[str, Successors] = {}
        while True:
            shown = order.changed_last(ranked, changes, find)
            asked = [each.node.id for each in shown if each.node.touched and each.node.id not in changes]
            if not asked:
                return shown, changes
            changes |= dict.fromkeys(asked, UNCHANGED)
            changes |= await self._finds.successors(found.scope, found.as_of, asked, request.conditions)


async def _none(nothing: T) -> T:
    """Nothing was asked for."""
    return nothing
