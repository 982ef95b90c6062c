"""LangGraph: ``MindStore``, a ``BaseStore`` whose items are thoughts.

A namespace is a session, an item the thoughts of one ``chain_id``, and each prefix of the namespace a tag. To
put an item again stores a thought that revises the one before; to delete it redacts all of them.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from typing import Final

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from legacymind import Filters, Hit, Mind
from legacymind.adapters.langgraph_items import (
    INDEXED,
    UNINDEXED,
    WHOLE,
    Labels,
    StoredItems,
    Version,
    names_of,
    session_of,
)
from legacymind.adapters.langgraph_matching import fits, passes
from legacymind.adapters.loops import HomeLoop

_PAGE: Final = 100
_SESSIONS: Final = 50
"""The most namespaces that are searched one by one, in which an item is found as soon as it is put."""

_Found = tuple[Version, float | None]


class MindStore(BaseStore):
    """A LangGraph store over a Mind, with search by meaning.

    ``fields`` are the JSON paths whose texts are embedded, unless ``put`` names others; by default the whole
    value. ``author`` is that of the thoughts. ``ttl`` is LangGraph's configuration: expired items are never
    returned, and the maintenance job ``expire`` redacts them.
    """

    supports_ttl = True

    def __init__(
        self,
        mind: Mind,
        *,
        fields: Sequence[str] = ("$",),
        author: str = "langgraph",
        ttl: TTLConfig | None = None,
    ) -> None:
        self.ttl_config = ttl
        self._mind = mind
        self._items = StoredItems(mind, fields, author)
        self._home = HomeLoop()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations: reads see the state before all writes, and the last write of an item counts."""
        return self._home.wait(self._batch(list(ops)))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations, as ``batch`` does."""
        return await self._home.run(self._batch(list(ops)))

    async def _batch(self, ops: list[Op]) -> list[Result]:
        results = list(await asyncio.gather(*map(self._read, ops)))
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        await self._items.write(list(puts.values()))
        return results

    async def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            found = await self._items.latest(op.namespace, op.key)
            if found and op.refresh_ttl:
                await self._items.extend([found])
            return found and found.item
        if isinstance(op, SearchOp):
            return await self._search(op)
        if isinstance(op, ListNamespacesOp):
            return await self._namespaces(op)
        return None

    async def _search(self, op: SearchOp) -> list[SearchItem]:
        scopes = await self._scopes(tuple(op.namespace_prefix))
        found = sum(await asyncio.gather(*(self._found(op, scope) for scope in scopes)), list[_Found]())
        found.sort(key=lambda one: -(one[1] or 0.0) if op.query else -one[0].item.updated_at.timestamp())
        page = found[op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            await self._items.extend(version for version, _ in page)
        return [
            SearchItem(
                namespace=version.item.namespace,
                key=version.item.key,
                value=version.item.value,
                created_at=version.item.created_at,
                updated_at=version.item.updated_at,
                score=score,
            )
            for version, score in page
        ]

    async def _scopes(self, prefix: Labels) -> list[Filters]:
        """The filters of the searches for a prefix: a session each, or a tag for many, which is behind."""
        sessions = [session_of(prefix)] if prefix else []
        async for namespace in self._items.below(prefix):
            sessions.append(session_of(namespace))
            if len(sessions) > _SESSIONS:
                return [{"tags": [session_of(prefix)]}]
        return [{"session_id": session} for session in sessions]

    async def _found(self, op: SearchOp, scope: Filters) -> list[_Found]:
        """The first items of a search, best or latest first, as many as the page and those before it."""
        found = list[_Found]()
        seen = set[tuple[Labels, str]]()
        async with aclosing(self._pages(op, scope)) as pages:
            async for hits in pages:
                names = [names_of(hit.session_id or "", hit.chain_id or "") for hit in hits]
                versions = await asyncio.gather(*(self._items.latest(*name) for name in names))
                for hit, name, version in zip(hits, names, versions, strict=True):
                    # A hit may be an older version when two puts met; then the latest is a hit too.
                    if version and version.id == hit.id and name not in seen and _is_wanted(version.item, op):
                        seen.add(name)
                        found.append((version, hit.cosine))
                if len(found) >= op.offset + op.limit:
                    break
        return found

    async def _pages(self, op: SearchOp, scope: Filters) -> AsyncGenerator[list[Hit]]:
        """Thoughts that may be items, best or latest first."""
        size = _PAGE if op.filter else min(_PAGE, op.offset + op.limit + 1)
        for kind in (INDEXED,) if op.query else (INDEXED, UNINDEXED):
            after = None
            while True:
                page = await self._mind.search(
                    op.query or None,
                    limit=size,
                    method="vector",  # which leaves no item out for being nearly the text of another one
                    order="relevance" if op.query else "created_at_desc",
                    after=after,
                    max_tokens=WHOLE,
                    **{**scope, "thought_type": kind},
                )
                yield [hit for hit in page.hits if hit.session_id and hit.revised_by is None]
                after = page.next
                if after is None:
                    break

    async def _namespaces(self, op: ListNamespacesOp) -> list[Labels]:
        conditions = op.match_conditions or ()
        kept = set[Labels]()
        async for namespace in self._items.below(()):
            short = namespace if op.max_depth is None else namespace[: op.max_depth]
            fitting = all(fits(condition, namespace) for condition in conditions)
            if fitting and short not in kept and await self._items.any_in(namespace):
                kept.add(short)
        return sorted(kept)[op.offset : op.offset + op.limit]


def _is_wanted(item: Item, op: SearchOp) -> bool:
    inside = item.namespace[: len(op.namespace_prefix)] == tuple(op.namespace_prefix)
    return inside and all(passes(item.value.get(name), asked) for name, asked in (op.filter or {}).items())
