"""MENTIONS: from a thought to the entities that its text names, exactly and never by similarity.

A thought gets them when it is stored. An entity that is stored later, and a thought that was imported, is
marked, and maintenance adds what is missing.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

from legacymind.db.query import NoRow, load
from legacymind.services.shared.service import Service
from legacymind.text import fulltext, keys
from legacymind.text.keys import PossibleNames


class UnmentionedRow(TypedDict):
    """A thought, or an entity with its key, that waits for mentions; ``target`` is who gets them."""

    id: str
    namespace: str
    name_key: str | None
    target: str
    content: str | None


class NamingRow(TypedDict):
    """A thought that may name an entity."""

    entity: str
    namespace: str
    id: str
    content: str


READ_UNMENTIONED = load("think/read_unmentioned", UnmentionedRow, writes=False)
FIND_NAMING = load("think/find_naming", NamingRow, writes=False, long_running=True)
STORE_MENTIONS = load("think/store_mentions", NoRow, writes=True)
SETTLE_MENTIONS = load("think/settle_mentions", NoRow, writes=True)


class NamingThought(TypedDict):
    """A stored thought and the names that its text may have."""

    id: str
    namespace: str
    names: list[PossibleNames]


class MentionedEntity(TypedDict):
    """An entity to find in the texts of thoughts; ``target`` gets the mentions."""

    id: str
    target: str
    namespace: str
    text_query: str


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
        entities = {row["id"]: row["name_key"] for row in marked if row["name_key"] is not None}
        sought: list[MentionedEntity] = [
            {
                "id": row["id"],
                "target": row["target"],
                "namespace": row["namespace"],
                "text_query": fulltext.phrase_query(row["name_key"]),
            }
            for row in marked
            if row["name_key"] is not None and keys.is_named(row["name_key"], row["name_key"])
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
        await self._graph.run(SETTLE_MENTIONS, {"ids": [row["id"] for row in marked]})
        return True

    async def _store(self, thoughts: Sequence[NamingThought]) -> None:
        if thoughts:
            await self._graph.run(STORE_MENTIONS, {"most_mentions": MOST_MENTIONS, "thoughts": thoughts})


def _naming(found: Sequence[NamingRow], entities: Mapping[str, str]) -> list[NamingThought]:
    """The thoughts that name the entity by whose words they were found."""
    return [
        {"id": row["id"], "namespace": row["namespace"], "names": [{"beginning": key, "keys": [key]}]}
        for row in found
        if keys.is_named(key := entities[row["entity"]], row["content"])
    ]


def _possibly(marked: Sequence[UnmentionedRow]) -> list[NamingThought]:
    """The marked thoughts with the names that they may have."""
    return [
        {"id": row["id"], "namespace": row["namespace"], "names": keys.possible_names(row["content"] or "")}
        for row in marked
        if row["name_key"] is None
    ]
