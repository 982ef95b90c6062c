"""What a checked search finds, best first: ranked, by vector, by words, or simply in time."""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.model.base import Hit, Kind, Method, Order, RankParts
from legacymind.services.search import filters
from legacymind.services.shared.cursors import TimePosition
from legacymind.services.shared.scores import round_score
from legacymind.services.shared.vectors import Vectors
from legacymind.text import fulltext, query_analysis
from legacymind.text.excerpts import excerpt

NO_FLOOR: Final = -2.0
"""A least cosine that keeps nothing out."""

SHOWN: Final = 600
"""Characters of a hit's text; the whole is one read away."""

_POOL: Final = 60
"""Candidates by meaning, and as many by words, that ranking looks at; more than 60 found nothing more."""

_REACHES: Final = (30, 64, 125, 250, 500)
"""What an index is asked for first, more than is wanted: the statements look whether it ends in a tie."""

_DEEP: Final = 1_001
"""What it is asked for then: as deep as pages go, and one more that tells of more."""

_NARROW: Final = 5_000
"""Thoughts with the wanted tags that are compared exactly at once."""

_WIDE: Final = 8_000
"""Nearest thoughts that are looked through for a tag that more have; an index gives 10,000 at most."""

_ALL: Final = 2**31 - 1
"""As many hits as full text has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A checked search; ``own`` is the session whose private thoughts may show, or empty."""

    query: str
    kinds: Sequence[Kind]
    method: Method
    namespace: str
    own: str
    conditions: dict[str, Any]
    tags: list[str]
    as_of: datetime | None
    least: float
    order: Order
    explain: bool

    def parameters(self, take: int) -> dict[str, Any]:
        """What the statements of a search for the best ``take`` have in common."""
        return {
            **self.conditions,
            "namespace": self.namespace,
            "own_session": self.own,
            "kinds": list(self.kinds),
            "text_query": fulltext.full_text_query(self.namespace, self.query) or fulltext.NO_WORDS,
            "take": take,
            "text_limit": self._text_reach(take),
            "all_hits": _ALL,
            "deep_limit": _DEEP,
            "tag_limit": _NARROW,
            "text_length": SHOWN + 1,
            "as_of": self.as_of or datetime.now(UTC),
            "request": filters.predicate(self.conditions)
            | {"tags": self.tags, "tag_query": fulltext.tag_query(self.namespace, self.tags), "nearest": None}
            | {"filtered": bool(self.conditions)},
        }

    def _text_reach(self, take: int) -> int:
        """Full text is filtered afterwards: where it alone is asked, by reading all that it has."""
        filtered = bool(self.conditions or self.tags)
        if self.method == "text":
            return _ALL if filtered else _reach(take)
        return _POOL * 16 if filtered else _POOL


class Finder:
    """Searches as statements: rows of hits, best first."""

    def __init__(self, graph: Graph, vectors: Vectors) -> None:
        self._graph = graph
        self._vectors = vectors

    async def find(
        self, request: SearchRequest, take: int, *, vector: list[float] | None = None
    ) -> list[dict[str, Any]]:
        """The best ``take`` hits of every kind, best first; ``vector`` is the query's when it is known."""
        found = await (
            self._match(request, take) if request.method == "text" else self._rank(request, take, vector)
        )
        thoughts = [hit for hit in found if hit["kind"] == "thought"]
        knowledge = [hit for hit in found if hit["kind"] != "thought"]
        # Merged, not sorted: among equal scores each statement has its own order, and pages hang on it.
        return list(heapq.merge(thoughts, knowledge, key=lambda hit: -hit["score"]))

    async def in_time(
        self, request: SearchRequest, take: int, skip: int, after: TimePosition | None
    ) -> list[dict[str, Any]]:
        """Thoughts by the time they were thought, each with its place, behind one place or all."""
        latest_first = request.order != "created_at_asc"
        claim = await self._vectors.claim()
        begin = after or TimePosition.before_all(latest_first=latest_first)
        return await self._hits(
            queries.list_thoughts.for_slot(claim.slot).filtered(request.conditions),
            request.parameters(take)
            | {"skip": skip, "page_end": skip + take, "latest_first": latest_first}
            | {"seconds": begin.seconds, "nanoseconds": begin.nanos, "id": begin.id}
            | {"vector": self._vectors.any()},
        )

    async def _rank(
        self, request: SearchRequest, take: int, vector: list[float] | None
    ) -> list[dict[str, Any]]:
        """By meaning; ranked, by words and links as well: at most two statements.

        Unfiltered, the first tells whom the query names; filtered, it finds the nearest that pass.
        """
        ranked = request.method == "graph"
        filtered = "thought" in request.kinds and bool(request.conditions or request.tags)
        # Whom the query names is asked only where the query may still be put in his words.
        asked = ranked and "thought" in request.kinds and not filtered and vector is None
        authors = await self._authors(request) if asked else []
        if vector is None:
            (vector,) = await self._vectors.embed(
                [query_analysis.in_first_person(request.query, authors)], query=True
            )
        slot = (await self._vectors.claim()).slot
        pool = _POOL if ranked else 0
        parameters = request.parameters(take)
        parameters |= {"vector": vector, "min_similarity": request.least, "explain": request.explain}
        looked_at = max(pool, take)
        parameters |= {
            "pool": pool,
            "index_limit": _reach(looked_at),
            "last_index": looked_at - 1,
            "wide_limit": _WIDE,
        }
        names = authors if asked else query_analysis.possible_names(request.query)
        parameters["request"] |= query_analysis.analyse(
            request.query, names, parameters["as_of"]
        ).parameters()
        near: list[dict[str, Any]] = []
        if filtered:
            near = await self._hits(
                queries.near_thoughts.for_slot(slot).filtered(request.conditions), parameters
            )
            parameters["request"]["nearest"] = [{"id": hit["id"], "cosine": hit["cosine"]} for hit in near]
            if not ranked:
                near = [hit for hit in near if hit["cosine"] >= request.least]
                parameters["kinds"] = [kind for kind in request.kinds if kind != "thought"]
                if not parameters["kinds"]:
                    return near
        found = await self._hits(queries.search_memory.for_slot(slot), parameters)
        return found if ranked else near + found

    async def _authors(self, request: SearchRequest) -> list[str]:
        names = fulltext.author_queries(request.namespace, request.query)
        if not names:
            return []
        (row,) = await self._graph.run(queries.find_authors, names=names, namespace=request.namespace)
        return query_analysis.named_authors(request.query, row["authors"])

    async def _match(self, request: SearchRequest, take: int) -> list[dict[str, Any]]:
        """Nothing is embedded; one statement for thoughts and one for knowledge."""
        parameters = request.parameters(take)
        found: list[dict[str, Any]] = []
        if "thought" in request.kinds:
            found += await self._hits(queries.match_thoughts, parameters)
        if set(request.kinds) != {"thought"}:
            found += await self._hits(queries.match_knowledge, parameters)
        return found

    async def _hits(
        self, statement: queries.Query[queries.HitsRow], parameters: dict[str, Any]
    ) -> list[dict[str, Any]]:
        (row,) = await self._graph.run(statement, **{name: parameters[name] for name in statement.parameters})
        return row["hits"]


def _reach(take: int) -> int:
    return next((reach for reach in _REACHES if reach > take), _DEEP)


def hit(found: Mapping[str, Any], rank: int) -> Hit:
    """A row of a search as a result."""
    parts = found.get("parts")
    shown: dict[str, Any] = {
        **{name: value for name, value in found.items() if name != "position"},
        "text": excerpt(found["text"], SHOWN),
        "score": round_score(found["score"]),
        "cosine": round_score(found.get("cosine")),
        "parts": RankParts(**{name: round(value, 3) for name, value in parts.items()}) if parts else None,
    }
    return Hit(**shown, rank=rank)
