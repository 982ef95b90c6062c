"""Searches as statements: graph-ranked, by vector, by full text, or by time."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from legacymind.db import queries
from legacymind.db.filters import Conditions, bounds, in_vector_index, predicate, with_conditions
from legacymind.db.graph import Graph
from legacymind.db.parameters.search import (
    ListRequest,
    ListThoughts,
    MatchText,
    Nearest,
    NearThoughts,
    PageOf,
    Reach,
    StandingRule,
)
from legacymind.db.rows.search import ListedThought, NearRow, NearThought
from legacymind.model.base import Kind, Method, Order
from legacymind.services.search.hits import AnyHit, mark_cut, read_length
from legacymind.services.shared.authors import with_author_names
from legacymind.services.shared.cursors import RankPosition, TimePosition
from legacymind.services.shared.vectors import Vectors
from legacymind.services.think import recall_policy
from legacymind.services.think.recall_policy import Relatedness
from legacymind.settings import Settings
from legacymind.text import fulltext, query_analysis

NO_MIN_SIMILARITY: Final = -2.0
"""A minimum cosine that excludes nothing."""

EXCERPT_LENGTHS: Final = (600, 480, 380, 300, 230, 180, 140, 100)
"""Characters of a hit's text; shorter lengths are tried if not all hits fit."""

_POOL: Final = 60
"""Candidates by vector, and as many by full text, for ranking. More than 60 found nothing more."""

_TEXT_LIMIT: Final = 16 * _POOL
"""Full-text hits among which those for ranking are: filters and privacy apply after full text."""

_INDEX_LIMITS: Final = (30, 64, 125, 250, 500)
"""Limits of the first index query. They exceed the requested hits: statements check for a tie at the end."""

_SLACK: Final = 20
"""Places by which the last hit of a page may have moved when the next page is read."""

_DEEP_LIMIT: Final = 1_001
"""Limit of the index query after a tie: the deepest page, and one more hit that shows whether more follow."""

_EXACT_LIMIT: Final = 5_000
"""The most thoughts with the requested items of lists for which cosines are computed exactly."""

_WIDE_LIMIT: Final = 8_000
"""Nearest thoughts that are scanned for a more frequent item. An index returns at most 10,000."""

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
        return fulltext.full_text_query(self.namespace, self.query, self.own_session) or fulltext.NO_WORDS

    def list_request(self) -> ListRequest:
        """The filters by lists, and the full-text query for them."""
        lists = predicate(self.conditions)["lists"]
        return {"lists": lists, "list_query": fulltext.list_query(self.namespace, lists, self.own_session)}


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


class Finder:
    """Runs searches and returns rows of hits, best first."""

    def __init__(self, graph: Graph, vectors: Vectors, settings: Settings) -> None:
        self._graph = graph
        self._vectors = vectors
        self._mass_weight = settings.mass_weight

    async def find(
        self, request: SearchRequest, page: PageRequest, *, vector: list[float] | None = None
    ) -> list[AnyHit]:
        """The hits of a page, best first; ``vector`` is the query's if already known.

        Thoughts and knowledge are read apart, so up to ``page.size`` more follow.
        """
        hits, _ = await self.find_with_standing(request, page, None, vector=vector)
        return hits

    async def find_with_standing(
        self,
        request: SearchRequest,
        page: PageRequest,
        related: Relatedness | None,
        *,
        vector: list[float] | None = None,
    ) -> tuple[list[AnyHit], list[NearThought]]:
        """As ``find``, and the standing preferences and instructions that are related to the query.

        Without ``related``, by another method than ``graph``, or with a filter, there are none of these.
        """
        standing: list[NearThought] = []
        if request.method == "text":
            found = await self._match(request, page)
        else:
            found, standing = await self._rank(request, page, vector, related)
        mark_cut([*found, *standing], read_length(page.size))
        thoughts = [hit for hit in found if hit["kind"] == "thought"]
        knowledge = [hit for hit in found if hit["kind"] != "thought"]
        # Merged, not sorted: each statement orders its own ties, and pages depend on that order.
        return list(heapq.merge(thoughts, knowledge, key=lambda hit: -(hit["score"] or 0.0))), standing

    async def in_time(
        self, request: SearchRequest, take: int, skip: int, after: TimePosition | None
    ) -> list[ListedThought]:
        """Thoughts in order of time, after a position or from the beginning."""
        latest_first = request.order != "created_at_asc"
        await self._vectors.claim()  # before its placeholder is made
        begin = after or TimePosition.before_all(latest_first=latest_first)
        conditions = in_vector_index(request.conditions)
        parameters: ListThoughts = {
            "namespace": request.namespace,
            "own_session": request.own_session,
            "vector": self._vectors.placeholder(),
            "exact_limit": _EXACT_LIMIT,
            "skip": skip,
            "take": take,
            "latest_first": latest_first,
            "seconds": begin.seconds,
            "nanoseconds": begin.nanos,
            "step": begin.step,
            "id": begin.id,
            "text_length": read_length(take),
            "request": {
                **request.list_request(),
                "filtered": request.filtered,
                "redactions": predicate(request.conditions)["redactions"],
            },
        }
        (row,) = await self._vectors.run(
            queries.list_thoughts.filtered(conditions), with_conditions(parameters, conditions)
        )
        mark_cut(row["hits"], read_length(take))
        return row["hits"]

    async def _rank(
        self,
        request: SearchRequest,
        page: PageRequest,
        vector: list[float] | None,
        related: Relatedness | None,
    ) -> tuple[list[AnyHit], list[NearThought]]:
        """By meaning, or ranked by meaning, text and links: at most two statements.

        The first finds the authors that the query names or, in a filtered search, the nearest thoughts.
        """
        ranked = request.method == "graph"
        filtered = "thought" in request.kinds and request.filtered
        # Authors matter only while the query may still be rewritten in their first person.
        find_authors = ranked and "thought" in request.kinds and not filtered and vector is None
        asked, authors = request.query, list[str]()
        if find_authors:
            asked, authors = await with_author_names(
                self._graph, request.namespace, request.query, request.own_session
            )
        if vector is None:
            (vector,) = await self._vectors.embed(
                [query_analysis.in_first_person(asked, authors)], query=True
            )
        pool = _POOL if ranked else 0
        candidates = max(pool, page.take)
        reach: Reach = {
            "index_limit": _index_limit(candidates),
            "last_index": candidates - 1,
            "deep_limit": _DEEP_LIMIT,
        }
        near: list[NearThought] = []
        nearest: list[Nearest] | None = None
        kinds: list[Kind] = [*request.kinds]
        if filtered:
            closest = await self._near(request, vector, reach, page, ranks=ranked)
            nearest = [*closest["nearest"]]
            if not ranked:
                near = [hit for hit in closest["hits"] if (hit["score"] or 0.0) >= request.min_similarity]
                kinds = [kind for kind in request.kinds if kind != "thought"]
                if not kinds:
                    return [*near], []
        names = authors if find_authors else query_analysis.possible_names(request.query)
        as_of = request.as_of or datetime.now(UTC)
        (row,) = await self._vectors.run(
            queries.search_memory,
            {
                **reach,
                "namespace": request.namespace,
                "own_session": request.own_session,
                "vector": vector,
                "kinds": kinds,
                "text_query": request.text_query,
                "text_limit": _TEXT_LIMIT,
                "pool": pool,
                "take": page.take,
                **_page_of_thoughts(page),
                "knowledge_skip": page.begin.knowledge,
                "knowledge_after": page.begin.knowledge_id,
                "min_similarity": request.min_similarity,
                "as_of": as_of,
                "explain": request.explain,
                "text_length": read_length(page.size),
                "standing_pool": recall_policy.STANDING_POOL,
                "request": {
                    "standing": _standing_rule(request, related),
                    **predicate(request.conditions),
                    **query_analysis.analyse(request.query, names, as_of).parameters(self._mass_weight),
                    "nearest": nearest,
                },
            },
        )
        return [*row["hits"]] if ranked else [*near, *row["hits"]], row["standing"]

    async def _near(
        self,
        request: SearchRequest,
        vector: list[float],
        reach: Reach,
        page: PageRequest,
        *,
        ranks: bool,
    ) -> NearRow:
        """The nearest thoughts that pass the filters: a page, or with ``ranks`` all of them without texts."""
        conditions, asked = in_vector_index(request.conditions), bounds(request.conditions)
        parameters: NearThoughts = {
            **reach,
            "namespace": request.namespace,
            "own_session": request.own_session,
            "vector": vector,
            "exact_limit": _EXACT_LIMIT,
            "wide_limit": _WIDE_LIMIT,
            **_page_of_thoughts(PageRequest(RankPosition.start(), reach["index_limit"]) if ranks else page),
            "text_length": read_length(page.size),
            "request": {
                **asked,
                "list_query": fulltext.list_query(request.namespace, asked["lists"], request.own_session),
                "filtered": bool(conditions),
                "ranks": ranks,
            },
        }
        (row,) = await self._vectors.run(
            queries.near_thoughts.filtered(conditions), with_conditions(parameters, conditions)
        )
        return row

    async def _match(self, request: SearchRequest, page: PageRequest) -> list[AnyHit]:
        """By text alone, with nothing embedded: one statement for thoughts and one for knowledge."""
        common: MatchText = {
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
                queries.match_thoughts,
                {**common, "request": predicate(request.conditions)},
            )
            found += thoughts["hits"]
        if set(request.kinds) != {"thought"}:
            as_of = request.as_of or datetime.now(UTC)
            (knowledge,) = await self._graph.run(
                queries.match_knowledge,
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


def _standing_rule(request: SearchRequest, related: Relatedness | None) -> StandingRule:
    wanted = request.method == "graph" and "thought" in request.kinds and not request.filtered
    if related is None or not wanted:
        return {"k": 0, "threshold": 1.0, "zero": 0.0, "least": 1.0, "words": [], "word_count": 1}
    words = [] if related.strict else fulltext.word_stems(request.query)
    return {
        "k": recall_policy.STANDING,
        "threshold": related.threshold,
        "zero": related.zero,
        "least": max(recall_policy.STANDING_RELATED, related.least),
        "words": words,
        "word_count": max(1, len(words)),
    }


def _index_limit(take: int) -> int:
    return next((limit for limit in _INDEX_LIMITS if limit > take), _DEEP_LIMIT)
