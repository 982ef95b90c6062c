"""Searches: graph-ranked, by vector, by full text, or by time."""

import heapq
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypedDict, cast

from legacymind.db.filters import Conditions, bounds, in_vector_index, predicate
from legacymind.db.query import OverSlot, Parameters, load
from legacymind.model.base import Kind, Method, Order
from legacymind.ranking.features import KnowledgeFeatures, ThoughtFeatures
from legacymind.ranking.knowledge import TOPIC, Topic, facts_first, rank_knowledge
from legacymind.ranking.memories import choose_standing
from legacymind.ranking.order import RankedPlace, all_places
from legacymind.ranking.thoughts import rank_thoughts
from legacymind.services.recall import policy as recall_policy
from legacymind.services.recall.finds import Candidate, Finds, Nearby, Scope
from legacymind.services.search.hits import (
    AnyHit,
    KnowledgeHit,
    ListedKnowledge,
    ListedThought,
    NearKnowledge,
    NearThought,
    ThoughtHit,
    mark_cut,
    read_length,
)
from legacymind.services.shared.cursors import RankPosition, TimePosition
from legacymind.services.shared.service import Service, ServiceContext, Services
from legacymind.services.shared.together import together
from legacymind.text import fulltext, query_analysis


class ThoughtHitsRow(TypedDict):
    """A page of ranked thoughts."""

    hits: list[NearThought]


READ_THOUGHT_HITS = load("search/read_thought_hits", ThoughtHitsRow, writes=False)


class KnowledgeHitsRow(TypedDict):
    """Ranked knowledge."""

    hits: list[NearKnowledge]


READ_KNOWLEDGE_HITS = load("search/read_knowledge_hits", KnowledgeHitsRow, writes=False)


class ListedRow(OverSlot):
    """Thoughts in time."""

    hits: list[ListedThought]


LIST_THOUGHTS = load("search/list_thoughts", ListedRow, writes=False)


class ListedKnowledgeRow(TypedDict):
    """Knowledge in time."""

    hits: list[ListedKnowledge]


LIST_KNOWLEDGE = load("search/list_knowledge", ListedKnowledgeRow, writes=False)


class KnowledgeRow(TypedDict):
    """Entities and observations, found by their text or as standing preferences."""

    hits: list[KnowledgeHit]


class ThoughtsRow(TypedDict):
    """Thoughts found by their text."""

    hits: list[ThoughtHit]


MATCH_THOUGHTS = load("search/match_thoughts", ThoughtsRow, writes=False)
MATCH_KNOWLEDGE = load("search/match_knowledge", KnowledgeRow, writes=False)


class ListRequest(TypedDict):
    """``lists`` are the items, by property, that a thought must have; ``list_query`` is the full-text query
    for them. ``about`` has the ids of entities, of which it must mention one, or nothing.
    """

    lists: dict[str, list[str]]
    list_query: str
    about: list[list[str]]


class PageOf(TypedDict):
    """``page`` hits of an order. They begin after the hit ``after``, if it is within ``slack`` of ``skip``.

    Else they begin after ``skip`` hits.
    """

    skip: int
    after: str
    page: int
    slack: int


class RankedItem(TypedDict):
    """A hit that was ranked; ``cosine`` is null when it is not known."""

    id: str
    score: float
    cosine: float | None


NO_MIN_SIMILARITY: Final = -2.0
"""A minimum cosine that excludes nothing."""

EXCERPT_LENGTHS: Final = (600, 480, 380, 300, 230, 180, 140, 100)
"""Characters of a hit's text; shorter lengths are tried if not all hits fit."""

_POOL: Final = 60
"""Candidates by vector, and as many by full text, for ranking. More than 60 found nothing more."""

_LINKED: Final = 30
"""The best of each whose links are followed.

Following all 60 finds a third more candidates, and R@10 of LoCoMo, REALTALK and BEAM differs by at most 0.2.
"""

_RELATED: Final = 0.5
"""The score of a related hit, as the way from the floor to t1.

Of 40 texts about other subjects, 33 to 40 find nothing related in each of seven memories, and of REALTALK's
questions 1.4 %.
"""

_NEARLY_RELATED: Final = 3
"""Hits of each kind that are shown if nothing is related."""

_INDEX_LIMITS: Final = (30, 64, 125, 250, 500)
"""Limits of the first index query. They exceed the requested hits: statements check for a tie at the end."""

_SLACK: Final = 20
"""Places by which the last hit of a page may have moved when the next page is read."""

_DEEP_LIMIT: Final = 1_001
"""Limit of the index query after a tie: the deepest page, and one more hit that shows whether more follow."""

_EXACT_LIMIT: Final = 5_000
"""The most thoughts with the requested items of lists for which cosines are computed exactly."""

_NO_LIMIT: Final = 2**31 - 1
"""The limit of a full-text query for all hits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A checked search. The private thoughts of ``own_session`` are visible; it is empty for none."""

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

    @property
    def filtered(self) -> bool:
        """Whether a filter narrows the thoughts."""
        return bool(self.conditions)

    @property
    def text_query(self) -> str:
        """The query for full text; one that matches nothing when the query has no words."""
        alone = self.method == "text"
        found = fulltext.full_text_query(self.namespace, self.query, self.own_session, any_word=alone)
        return found or fulltext.NO_WORDS

    def list_request(self) -> ListRequest:
        """The filters by lists, the full-text query for them, and the filter by mentions."""
        asked = predicate(self.conditions)
        query = fulltext.list_query(self.namespace, asked["lists"], self.own_session)
        return {"lists": asked["lists"], "list_query": query, "about": asked["about"]}


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The next ``size`` hits after a position in the order of all hits."""

    begin: RankPosition
    size: int

    @property
    def slack(self) -> int:
        """The places that are searched for the last hit of the page before; none if it is not known."""
        return _SLACK if self.begin.thought_id or self.begin.knowledge_id else 0

    @property
    def take(self) -> int:
        """The hits that are ordered, of thoughts and of knowledge."""
        return max(self.begin.thoughts, self.begin.knowledge) + self.slack + self.size

    def start(self, knowledge: Sequence[str]) -> int:
        """Where this page begins in the order of knowledge: after the last hit, if it has not moved far."""
        skip = self.begin.knowledge
        for place in range(max(0, skip - 1 - self.slack), min(len(knowledge), skip + self.slack)):
            if knowledge[place] == self.begin.knowledge_id:
                return place + 1
        return skip


@dataclass(frozen=True, slots=True)
class FoundHits:
    """The hits of a page; ``related`` is false if nothing is related, and the hits are only nearly so."""

    hits: list[AnyHit]
    standing: list[NearThought] = field(default_factory=list[NearThought])
    related: bool = True


class Finder(Service):
    """Runs searches and returns rows of hits, best first."""

    def __init__(self, context: ServiceContext, services: Services) -> None:
        super().__init__(context, services)
        self._finds = Finds(context.graph, context.vectors)
        self._mass_weight = context.settings.mass_weight

    async def find(
        self,
        request: SearchRequest,
        page: PageRequest,
        *,
        vector: list[float] | None = None,
        with_standing: bool = False,
    ) -> FoundHits:
        """The hits of a page, best first; ``vector`` is the query's if already known.

        Thoughts and knowledge are read apart, so up to ``page.size`` more follow. ``with_standing``: also the
        standing preferences and instructions that are related to the query, unless by another method than
        ``graph`` or with a filter.
        """
        if request.method == "text":
            found = FoundHits(await self._match(request, page))
        else:
            found = await self._rank(request, page, vector, with_standing=with_standing)
        mark_cut([*found.hits, *found.standing], read_length(page.size))
        thoughts = [hit for hit in found.hits if hit["kind"] == "thought"]
        knowledge = [hit for hit in found.hits if hit["kind"] != "thought"]
        # Merged, not sorted: each statement orders its own ties, and pages depend on that order.
        hits = list(heapq.merge(thoughts, knowledge, key=lambda hit: -(hit["score"] or 0.0)))
        if request.method == "text":  # Lucene's scores tell how many texts of other namespaces have a word
            hits = [cast("AnyHit", {**hit, "score": None}) for hit in hits]
        return replace(found, hits=hits)

    async def in_time(
        self, request: SearchRequest, take: int, skip: int, after: TimePosition | None
    ) -> Sequence[ListedThought | ListedKnowledge]:
        """Thoughts, or else knowledge, in order of time, after a position or from the beginning."""
        latest_first = request.order != "created_at_asc"
        begin = after or TimePosition.before_all(latest_first=latest_first)
        page: Parameters = {
            "namespace": request.namespace,
            "own_session": request.own_session,
            "skip": skip,
            "take": take,
            "latest_first": latest_first,
            "seconds": begin.seconds,
            "nanoseconds": begin.nanos,
            "step": begin.step,
            "id": begin.id,
            "text_length": read_length(take),
        }
        if "thought" not in request.kinds:
            about = request.list_request()["about"]
            (known,) = await self._graph.run(
                LIST_KNOWLEDGE,
                {
                    **page,
                    "kinds": list(request.kinds),
                    "about": about[0] if about else [],
                    "as_of": request.as_of or datetime.now(UTC),
                },
            )
            mark_cut(known["hits"], read_length(take))
            return known["hits"]
        await self._vectors.claim()  # before its placeholder is made
        conditions = in_vector_index(request.conditions)
        parameters: Parameters = {
            **page,
            "vector": self._vectors.placeholder(),
            "exact_limit": _EXACT_LIMIT,
            "request": {
                **request.list_request(),
                "filtered": request.filtered,
                "redactions": predicate(request.conditions)["redactions"],
            },
        }
        (row,) = await self._vectors.run(LIST_THOUGHTS.filtered(conditions), {**parameters, **conditions})
        mark_cut(row["hits"], read_length(take))
        return row["hits"]

    async def _rank(
        self, request: SearchRequest, page: PageRequest, vector: list[float] | None, *, with_standing: bool
    ) -> FoundHits:
        """By meaning, or ranked by meaning, words and links. Thoughts and knowledge are found together."""
        asked, names = request.query, query_analysis.possible_names(request.query)
        # Authors matter only while the query may still be rewritten in their first person.
        if request.method == "graph" and "thought" in request.kinds and vector is None:
            asked, names = await self._authors.named(request.namespace, request.query)
            asked = query_analysis.in_first_person(asked, names)
        if vector is None:
            (vector,) = await self._vectors.embed([asked], query=True)
        as_of = request.as_of or datetime.now(UTC)
        search = _Search(
            request,
            page,
            Scope(namespace=request.namespace, own_session=request.own_session, vector=vector),
            as_of,
            query_analysis.analyse(request.query, names, as_of),
        )
        near, known, standing = await together(
            _untied(partial(self._near_thoughts, search), search.candidates),
            _untied(partial(self._near_knowledge, search), search.candidates),
            self._standing(search, wanted=with_standing),
        )
        thresholds = self._vectors.thresholds
        rule = recall_policy.relatedness(_RELATED, thresholds, self._settings)
        ranked = rank_thoughts(near.candidates, search.question, self._mass_weight)
        topic = [one.node for one in ranked[:TOPIC] if one.score >= rule.threshold]
        ranked_knowledge = facts_first(
            rank_knowledge(
                known.candidates,
                Topic(request.query, topic),
                recall_policy.cosines(thresholds, self._settings),
                self._mass_weight,
            ),
            request.query,
        )
        order = await self._finds.newer_first(request.namespace, [one.node for one in ranked_knowledge])
        ranked_knowledge = [
            replace(ranked_knowledge[n], score=one.score)
            for n, one in zip(order, ranked_knowledge, strict=True)
        ]
        places = all_places(ranked, near.nearest, request.min_similarity, page.take, request.query)
        known_places = all_places(ranked_knowledge, known.nearest, request.min_similarity, page.take)
        related = True
        if request.method == "graph" and not request.filtered:
            best = max((place.score for place in (*places[:1], *known_places[:1])), default=0.0)
            by_itself = recall_policy.relatedness(recall_policy.STRICTNESS[1], thresholds, self._settings)
            words = fulltext.word_stems(request.query)
            found = (*near.candidates, *known.candidates)
            related = best >= rule.threshold or any(by_itself.of(one, words) >= 1.0 for one in found)
            if not related:
                places, known_places = (
                    [place for place in some if place.score >= rule.zero][:_NEARLY_RELATED]
                    for some in (places, known_places)
                )
        thoughts, knowledge = await together(
            self._read_thoughts(search, places, page), self._read_knowledge(search, known_places)
        )
        return FoundHits([*thoughts, *knowledge], standing, related)

    async def _near_thoughts(self, search: "_Search", index_limit: int) -> Nearby[ThoughtFeatures]:
        request = search.request
        if "thought" not in request.kinds:
            return Nearby([], [], [])
        return await self._finds.thoughts(
            search.place,
            request.conditions,
            search.text_query,
            pool=search.pool,
            linked=_LINKED,
            index_limit=index_limit,
        )

    async def _near_knowledge(self, search: "_Search", index_limit: int) -> Nearby[KnowledgeFeatures]:
        kinds: list[Kind] = [kind for kind in search.request.kinds if kind != "thought"]
        if not kinds:
            return Nearby([], [], [])
        return await self._finds.knowledge(
            search.place,
            search.as_of,
            search.text_query,
            pool=search.pool,
            index_limit=index_limit,
            kinds=kinds,
        )

    async def _read_thoughts(
        self, search: "_Search", places: Sequence[RankedPlace], page: PageRequest
    ) -> list[AnyHit]:
        """A page of thoughts that were ranked, with their revisions."""
        if not places:
            return []
        request = search.request
        slot = (await self._vectors.claim()).slot
        (row,) = await self._graph.run(
            READ_THOUGHT_HITS.for_slot(slot),
            {
                "namespace": request.namespace,
                "own_session": request.own_session,
                "vector": search.place.vector,
                "as_of": search.as_of,
                "ranked": _ranked(places),
                "request": bounds(request.conditions),
                "text_length": read_length(search.page.size),
                **_page_of_thoughts(page),
            },
        )
        return _with_parts(row["hits"], places, explain=request.explain)

    async def _read_knowledge(self, search: "_Search", places: Sequence[RankedPlace]) -> list[AnyHit]:
        """A page of entities and observations that were ranked."""
        request, page = search.request, search.page
        begin = page.start([place.id for place in places])
        places = places[begin : begin + page.size]
        if not places:
            return []
        (row,) = await self._graph.run(
            READ_KNOWLEDGE_HITS,
            {
                "namespace": request.namespace,
                "own_session": request.own_session,
                "as_of": search.as_of,
                "ranked": _ranked(places),
                "text_length": read_length(page.size),
            },
        )
        order = {place.id: n for n, place in enumerate(places)}
        hits = sorted(row["hits"], key=lambda hit: order[hit["id"]])
        return _with_parts(hits, places, explain=request.explain)

    async def _standing(self, search: "_Search", *, wanted: bool) -> list[NearThought]:
        """Standing preferences and instructions with a related topic, as think recalls them.

        They are no hits: the ranking of the others does not change.
        """
        request = search.request
        if not wanted or request.method != "graph" or "thought" not in request.kinds or request.filtered:
            return []
        found = choose_standing(
            await self._finds.standing(search.place, search.as_of),
            recall_policy.relatedness(recall_policy.STRICTNESS[2], self._vectors.thresholds, self._settings),
            fulltext.word_stems(request.query),
            most=search.page.take,
        )
        places = [RankedPlace(memory.node.id, memory.node.cosine, memory.node.cosine) for memory in found]
        everything = PageRequest(RankPosition.start(), 3 * len(places))
        hits = await self._read_thoughts(search, places, everything)
        ids = {place.id for place in places}
        return [cast("NearThought", hit) for hit in hits if hit["id"] in ids]

    async def _match(self, request: SearchRequest, page: PageRequest) -> list[AnyHit]:
        """By text alone, with nothing embedded: one statement for thoughts and one for knowledge."""
        common: Parameters = {
            "namespace": request.namespace,
            "own_session": request.own_session,
            "text_query": request.text_query,
            **_page_of_thoughts(page),
            "take": page.take,
            # Filters apply after full text, so all of its hits are read when there are any.
            "text_limit": _NO_LIMIT if request.filtered else _index_limit(page.take),
            "deep_limit": _DEEP_LIMIT,
            "all_hits": _NO_LIMIT,
            "text_length": read_length(page.size),
        }
        found: list[AnyHit] = []
        if "thought" in request.kinds:
            (thoughts,) = await self._graph.run(
                MATCH_THOUGHTS,
                {**common, "request": predicate(request.conditions)},
            )
            found += thoughts["hits"]
        if set(request.kinds) != {"thought"}:
            as_of = request.as_of or datetime.now(UTC)
            (knowledge,) = await self._graph.run(
                MATCH_KNOWLEDGE,
                {
                    **common,
                    "skip": page.begin.knowledge,
                    "after": page.begin.knowledge_id,
                    "kinds": list(request.kinds),
                    "as_of": as_of,
                },
            )
            found += knowledge["hits"]
        return found


def _page_of_thoughts(page: PageRequest) -> PageOf:
    return {
        "skip": page.begin.thoughts,
        "after": page.begin.thought_id,
        "page": page.size,
        "slack": page.slack,
    }


@dataclass(frozen=True, slots=True)
class _Search:
    """A search by meaning: what is asked, which page, where, and the analysis of the query."""

    request: SearchRequest
    page: PageRequest
    place: Scope
    as_of: datetime
    question: query_analysis.Question

    @property
    def pool(self) -> int:
        """Candidates by meaning, and as many by words, that are ranked; 0 if meaning alone decides."""
        return _POOL if self.request.method == "graph" else 0

    @property
    def candidates(self) -> int:
        """The hits by meaning whose order matters."""
        return max(self.pool, self.page.take)

    @property
    def text_query(self) -> str | None:
        """The words to find; None if there are none, or if meaning alone decides."""
        request = self.request
        if not self.pool:
            return None
        return fulltext.full_text_query(request.namespace, request.query, request.own_session)


async def _untied(
    nearby: Callable[[int], Awaitable[Nearby[Candidate]]], candidates: int
) -> Nearby[Candidate]:
    """Search an index, and again deeper if the last candidate is as near as one that may be left out.

    Otherwise another page could get other equals: then each page is cut from the same long list.
    """
    found = await nearby(_index_limit(candidates))
    return await nearby(_DEEP_LIMIT) if found.is_tied(candidates - 1) else found


def _ranked(places: Sequence[RankedPlace]) -> list[RankedItem]:
    return [{"id": place.id, "score": place.score, "cosine": place.cosine} for place in places]


def _with_parts(
    hits: Sequence[NearThought] | Sequence[NearKnowledge], places: Sequence[RankedPlace], *, explain: bool
) -> list[AnyHit]:
    """The hits, with the number of their copies, and the parts of their rank if these are asked for."""
    parts = {place.id: place.ranked.parts for place in places if place.ranked} if explain else {}
    copies = {place.id: place.copies for place in places if place.copies > 1}
    return [
        cast("AnyHit", {**hit, "parts": parts.get(hit["id"]), "copies": copies.get(hit["id"])})
        for hit in hits
    ]


def _index_limit(take: int) -> int:
    return next((limit for limit in _INDEX_LIMITS if limit > take), _DEEP_LIMIT)
