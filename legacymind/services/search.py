"""Search by meaning."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from legacymind import queries
from legacymind.errors import InvalidInput
from legacymind.graph import Graph
from legacymind.model import Hit, Kind, SearchResult
from legacymind.operation import Unit, clamped, operation
from legacymind.services import checks
from legacymind.services.vectors import Vectors
from legacymind.settings import Settings

Order = Literal["created_at_asc", "created_at_desc", "relevance"]

_DEEPEST = 1000
"""Hits that paging reaches: the vector index ranks them all for every page."""

_TEXT = 600
"""Characters of a hit's text; the whole is one read away."""


class SearchService:
    """Finding thoughts and knowledge again. Nothing here counts as an access."""

    def __init__(self, graph: Graph, vectors: Vectors, settings: Settings) -> None:
        self._graph = graph
        self._vectors = vectors
        self._settings = settings

    @operation(tool="legacymind_search", command="search", writes=False)
    async def search(
        self,
        query: Annotated[str, Field(description="What to look for, in plain words")],
        kinds: Annotated[
            list[Kind] | None, Field(description="thought, entity, observation; default: all")
        ] = None,
        limit: Annotated[int, clamped(1, 100)] = 10,
        offset: Annotated[int, clamped(0, 1000)] = 0,
        session_id: str | None = None,
        chain_id: str | None = None,
        previous_thought_id: str | None = None,
        revises_thought: str | None = None,
        branch_from: str | None = None,
        parent_id: str | None = None,
        action_id: str | None = None,
        origin: str | None = None,
        author: str | None = None,
        mode: str | None = None,
        thought_type: str | None = None,
        confidence_gte: Unit | None = None,
        confidence_lte: Unit | None = None,
        date_from: Annotated[str | None, Field(description="YYYY-MM-DD, UTC, inclusive")] = None,
        date_to: Annotated[str | None, Field(description="YYYY-MM-DD, UTC, inclusive")] = None,
        min_similarity: Annotated[float, clamped(-1, 1), Field(description="Least cosine")] = 0.0,
        as_of: Annotated[datetime | None, Field(description="Knowledge as true then; default: now")] = None,
        order: Annotated[
            Order | None, Field(description="Default: relevance; in a session or chain, created_at_asc")
        ] = None,
        namespace: str | None = None,
    ) -> SearchResult:
        """Search memory by meaning: thoughts, entities and observations.

        A filter on a thought's properties leaves knowledge out, unless kinds ask for it. Scores are raw
        cosines. Private thoughts are found only when their session is named.
        """
        checks.text("query", query)
        if offset + limit > _DEEPEST:
            raise InvalidInput(
                f"A search reads at most {_DEEPEST:,} hits deep.",
                do="Narrow it with filters, or ask for less.",
            )
        space = checks.key("namespace", namespace or self._settings.namespace)
        filters: dict[str, Any] = {
            "session_id": checks.key("session_id", session_id),
            "chain_id": checks.key("chain_id", chain_id),
            "previous_thought_id": checks.thought_id("previous_thought_id", previous_thought_id),
            "revises_thought": checks.thought_id("revises_thought", revises_thought),
            "branch_from": checks.thought_id("branch_from", branch_from),
            "parent_id": checks.thought_id("parent_id", parent_id),
            "action_id": checks.key("action_id", action_id),
            "origin": checks.key("origin", origin),
            "author": checks.key("author", author),
            "mode": checks.key("mode", mode),
            "thought_type": checks.key("thought_type", thought_type),
            "confidence_gte": confidence_gte,
            "confidence_lte": confidence_lte,
            "date_from": checks.day("date_from", date_from, end=False),
            "date_to": checks.day("date_to", date_to, end=True),
        }
        given = {name: value for name, value in filters.items() if value is not None}
        wanted: list[Kind] = kinds or (["thought"] if given else ["thought", "entity", "observation"])
        chosen: Order = order or ("created_at_asc" if session_id or chain_id else "relevance")
        (vector,) = await self._vectors.embed([query])
        slot = (await self._vectors.claim()).slot
        common: dict[str, Any] = {
            "namespace": space,
            "vector": vector,
            "take": offset + limit + 1,
            "skip": 0,
            "min_similarity": float(min_similarity),
        }
        found: list[dict[str, Any]] = []
        if "thought" in wanted:
            names = [*given, *([] if session_id else ["public"])]
            (row,) = await self._graph.run(
                queries.search_thoughts.for_slot(slot).filtered(names), **common, **given
            )
            found += row["hits"]
        knowledge = [kind for kind in wanted if kind != "thought"]
        if knowledge:
            (row,) = await self._graph.run(
                queries.search_knowledge.for_slot(slot),
                **common,
                kinds=knowledge,
                as_of=checks.moment(as_of) or datetime.now(UTC),
            )
            found += row["hits"]
        return _page(found, offset, limit, chosen)


def _page(found: list[dict[str, Any]], offset: int, limit: int, order: Order) -> SearchResult:
    """The most relevant of all kinds, then in the wished order."""
    ranked = sorted(found, key=lambda hit: (-hit["score"], hit["id"]))
    page = [_hit(hit, rank) for rank, hit in enumerate(ranked[offset : offset + limit], start=offset + 1)]
    if order != "relevance":
        # Sorting is stable, reversed as well: of one moment's hits the more relevant comes first.
        page.sort(key=lambda hit: _age(hit.created_at), reverse=order == "created_at_desc")
    return SearchResult(
        hits=page, count=len(page), offset=offset, more=len(ranked) > offset + limit, order=order
    )


def _age(moment: datetime | None) -> datetime:
    return moment or datetime.min.replace(tzinfo=UTC)


def _hit(found: Mapping[str, Any], rank: int) -> Hit:
    shown: dict[str, Any] = {**found, "text": _cut(found["text"]), "score": round(found["score"], 4)}
    return Hit(**shown, rank=rank)


def _cut(text: str | None) -> str:
    whole = text or ""
    return whole if len(whole) <= _TEXT else whole[: _TEXT - 1] + "…"
