"""What an agent needs when a session starts: pinned, unresolved, relevant and recent, in a token budget."""

from datetime import UTC, datetime
from typing import Annotated, Final

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.model.about import about
from legacymind.model.base import Context, Hit
from legacymind.operations.coercion import whole
from legacymind.operations.registry import operation
from legacymind.services.search.finder import SHOWN, Finder, Found, SearchRequest, hit
from legacymind.services.shared import budget, checks
from legacymind.services.shared.budget import MaxTokens
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.vectors import Vectors
from legacymind.settings import Settings

_EACH: Final = 5
_UNRESOLVED: Final = 3
"""Old troubles are told, but do not crowd out what is at hand."""

_TROUBLES: Final = 1_000
"""Thoughts of being stuck, solved or not, that are looked through for unresolved ones."""


class ContextService:
    """Beginning where one left off. Nothing here counts as an access."""

    def __init__(
        self, graph: Graph, vectors: Vectors, settings: Settings, *, session_id: str | None = None
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._finder = Finder(graph, vectors)
        self._settings = settings
        self._session_id = session_id

    @operation(tool="legacymind_context", command="context", writes=False)
    async def context(
        self,
        query: Annotated[
            str | None,
            about("Its topic", "Topic of the session; without one, nothing is searched for"),
        ] = None,
        session_id: Annotated[
            str | None,
            about(
                "Its private",
                "Session whose private thoughts are included. Default: that of the process",
            ),
        ] = None,
        limit: Annotated[
            int, whole(1, 20), about("Per part", "Items of each part; at most 3 unresolved ones")
        ] = _EACH,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Context:
        """Start a session: what is pinned, unresolved, relevant and recent.

        A thought comes once, in the first of these parts that has it. Unresolved is what was thought when
        stuck and neither solved nor revised. Without a query nothing is searched for. Raises InvalidInput.
        """
        space = checks.key("namespace", namespace or self._settings.namespace)
        own = checks.key("session_id", session_id) or self._session_id or ""
        about = None if query is None else checks.text("query", query)
        now = datetime.now(UTC)
        found: list[Found] = []
        vector = self._vectors.any()
        if about is not None:
            (vector,) = await self._vectors.embed([about], query=True)
            await self._vectors.ready()
            request = SearchRequest(
                query=about,
                kinds=("thought", "entity", "observation"),
                method="graph",
                namespace=space,
                own=own,
                conditions={},
                tags=[],
                as_of=None,
                least=self._vectors.thresholds.floor,  # what is far from the question is no context
                order="relevance",
                explain=False,
            )
            found = (await self._finder.find(request, 2 * limit, vector=vector))[: 2 * limit]
        slot = (await self._vectors.claim()).slot
        (row,) = await self._graph.run(
            queries.read_context.for_slot(slot),
            {
                "namespace": space,
                "own_session": own,
                "vector": vector,
                "has_query": about is not None,
                "now": now,
                "section_limit": 2 * limit,
                "stuck_limit": _TROUBLES,
                "text_length": SHOWN + 1,
            },
        )
        parts: dict[str, list[Found]] = {"pinned": [], "unresolved": [], "recent": []}
        for each in row["parts"]:
            parts[each["part"]].append(each["hit"])
        most = {"pinned": limit, "unresolved": min(limit, _UNRESOLVED), "relevant": limit, "recent": limit}
        chosen: list[tuple[str, Hit]] = []
        seen: set[str] = set()
        for part, wanted in most.items():
            fresh = [row for row in (found if part == "relevant" else parts[part]) if row["id"] not in seen]
            for rank, each in enumerate(fresh[:wanted], 1):
                seen.add(each["id"])
                chosen.append((part, hit(each, rank)))
        kept, left_out = budget.fit(
            [item for _, item in chosen], budget.allowance(max_tokens, limit, _EACH) - budget.frame(own)
        )
        shown = list(zip([part for part, _ in chosen], kept, strict=False))
        return Context(
            **{part: [item for where, item in shown if where == part] for part in most},
            count=len(kept),
            left_out=left_out,
            session_id=own or None,
        )
