"""MENTIONS: from a thought to the entities that its text names, exactly and never by similarity.

A thought gets them when it is stored. An entity that is stored later, and a thought that was imported, is
marked, and maintenance adds what is missing.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from legacymind.db.query import NoRow, load
from legacymind.services.shared.service import Service
from legacymind.text import fulltext, keys

Unmentioned = tuple[str, str, str | None, str, str | None]
"""A thought, or an entity with its key, that waits for mentions: its id and namespace, that key, who gets the
mentions, and its text."""

NamingRow = tuple[str, str, str, str]
"""An entity, and the namespace, the id and the text of a thought that may name it."""

READ_UNMENTIONED = load("think/read_unmentioned", Unmentioned, writes=False)
FIND_NAMING = load("think/find_naming", NamingRow, writes=False, long_running=True)
STORE_MENTIONS = load("think/store_mentions", NoRow, writes=True)
SETTLE_MENTIONS = load("think/settle_mentions", NoRow, writes=True)


MOST_MENTIONS: Final = 50
"""The most entities that a thought mentions when it is stored, the first ones in its text."""

_BATCH: Final = 100
"""Marked entities, and as many marked thoughts, that are read together."""

_STORED: Final = 200
"""Thoughts that one transaction gives mentions. Few, so that it holds its locks only briefly."""


class Mentions(Service):
    """Stores the mentions that are missing."""

    async def catch_up(self, *, everything: bool = False) -> None:
        """Store the mentions of some marked entities and thoughts, or of all.

        Costs one small statement if none is marked. Interrupted, it keeps what it has stored, and the next
        call does the rest. Raises DatabaseError.
        """
        while await self._batch() and everything:
            pass

    async def _batch(self) -> bool:
        """Store the mentions of the next marked nodes, and return whether there were any."""
        marked = await self._graph.run(READ_UNMENTIONED, {"limit": _BATCH})
        if not marked:
            return False
        entities = {id: key for id, _, key, *_ in marked if key is not None}
        sought = [
            {"id": id, "target": target, "namespace": space, "text_query": fulltext.phrase_query(key)}
            for id, space, key, target, _ in marked
            if key is not None and keys.is_named(key, key)
        ]
        found: list[NamingRow] = []
        if sought:
            async for row in self._graph.stream(FIND_NAMING, {"entities": sought}):
                found.append(row)
                if len(found) == _STORED:
                    await self._store(await asyncio.to_thread(_naming, found, entities))
                    found = []
        await self._store(await asyncio.to_thread(_naming, found, entities))
        await self._store(await asyncio.to_thread(_possibly, marked))
        await self._graph.run(SETTLE_MENTIONS, {"ids": [id for id, *_ in marked]})
        return True

    async def _store(self, thoughts: Sequence[dict[str, Any]]) -> None:
        if thoughts:
            await self._graph.run(STORE_MENTIONS, {"most_mentions": MOST_MENTIONS, "thoughts": thoughts})


def _naming(found: Sequence[NamingRow], entities: Mapping[str, str]) -> list[dict[str, Any]]:
    """The thoughts that name the entity by whose words they were found."""
    return [
        {"id": id, "namespace": namespace, "names": [{"beginning": key, "keys": [key]}]}
        for entity, namespace, id, content in found
        if keys.is_named(key := entities[entity], content)
    ]


def _possibly(marked: Sequence[Unmentioned]) -> list[dict[str, Any]]:
    """The marked thoughts with the names that they may have."""
    return [
        {"id": id, "namespace": namespace, "names": keys.possible_names(content or "")}
        for id, namespace, key, _, content in marked
        if key is None
    ]
