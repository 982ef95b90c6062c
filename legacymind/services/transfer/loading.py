"""Stores the lines of an export in batches, each in one transaction. Chains are appended step by step."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from legacymind.db.graph import Graph, Transaction
from legacymind.db.query import Query, load
from legacymind.errors import Conflict
from legacymind.model.base import ALWAYS, OPEN
from legacymind.model.progress import Progress
from legacymind.origins import IMPORT, trust_of_origin
from legacymind.services.chain import hashing
from legacymind.services.shared.chain_keys import ChainKeys
from legacymind.services.think.heads import doubled_session
from legacymind.services.transfer.lines import ExportedItem
from legacymind.services.transfer.redactions import Redaction, followed, proven
from legacymind.services.transfer.restoration import Restoration
from legacymind.text import fulltext

Held = tuple[str, str | None, str | None]
"""A node of the export: its id, and the namespace and the id that it has in the database, if it is there."""

IMPORT_ENTITIES = load("transfer/import_entities", Held, writes=True)
IMPORT_OBSERVATIONS = load("transfer/import_observations", Held, writes=True)


IMPORT_PLACES = load("transfer/import_places", int, writes=True)


FIND_STORED = load("transfer/find_stored", dict[str, Any], writes=False)


LOCK_SESSIONS = load("transfer/lock_sessions", tuple[str, str | None], writes=True)
IMPORT_THOUGHTS = load("transfer/import_thoughts", int, writes=True)


IMPORT_REDACTIONS = load("transfer/import_redactions", str, writes=True)
IMPORT_SESSIONS = load("transfer/import_sessions", int, writes=True)


IMPORT_LINKS = load("transfer/import_links", tuple[int, int], writes=True)


SETTLE_PENDING = load("transfer/settle_pending", int, writes=True)


_CHANGES: Final = frozenset(("REVISES", "SOLVES", "CONTRADICTS", "REINFORCES"))
"""Types of links that change what they lead to."""

_BATCH: Final = 500
"""Lines of one transaction."""

_SAME: Final = ("content_hash", "chain_hash", "session_id", "step_index", "hash_alg", "key_id")
"""What a thought of the file must have as the database has it, if that has its id."""

_TEXTS: Final = ("content", "author", "name", "entity_type", "description")
"""The texts of nodes that full text finds, beside the list of aliases."""


class Loading:
    """The state of one import."""

    def __init__(
        self,
        graph: Graph,
        keys: ChainKeys,
        namespace: str,
        slot: str | None,
        progress: Progress,
    ) -> None:
        self._graph = graph
        self._namespace = namespace
        self._slot = slot
        self._progress = progress
        self._held: dict[str, str] = {}
        """The database's ids for entities and facts of the file that have the same key."""
        self._there: set[str] = set()
        """The ids of nodes of the file that were there before it."""
        self._keys = keys
        self._before: dict[str, Any] = {}
        """The last step of the file so far; ``keyed``: a step of its session up to it has a key."""
        self._unproven: set[str] = set()
        """Thoughts that have a text in the database but not in the file, and no step that redacts them."""
        self.result = Restoration()
        self.done = 0
        self.total = 0

    async def run(self, items: Iterator[ExportedItem]) -> None:
        """Store all items in batches of one kind."""
        store: dict[str, Callable[[list[ExportedItem]], Awaitable[None]]] = {
            "entity": self._entities,
            "observation": self._observations,
            "action": self._places,
            "pending": self._places,
            "thought": self._thoughts,
            "session": self._sessions,
            "link": self._links,
        }
        batch: list[ExportedItem] = []
        ends: list[ExportedItem] = []
        """The sessions of the batch's steps. Their lines follow the steps."""

        async def flush() -> None:
            if batch:
                await store[batch[0].kind](batch)
                self.done += len(batch)
                batch.clear()
            if ends:
                await self._sessions(ends)
                self.done += len(ends)
                ends.clear()
            self._progress("importing", min(self.done, self.total), self.total)

        for item in items:
            if item.kind == "session" and batch and batch[0].kind == "thought":
                ends.append(item)
                continue
            parallel = batch and item.kind == "link" and _key(item) == _key(batch[-1])
            full = len(batch) + len(ends) >= _BATCH and not parallel
            if batch and (item.kind != batch[0].kind or full):
                await flush()
            batch.append(item)
        await flush()
        self.result.unredacted = len(self._unproven)
        await self._graph.run(SETTLE_PENDING, {"namespace": self._namespace})

    def _properties(self, item: ExportedItem) -> tuple[dict[str, Any], list[float] | None]:
        """The properties of a node, with those that indexes need, and its vector."""
        own = {
            **item.properties,
            "namespace": self._namespace,
            "ns_key": fulltext.thought_key(
                self._namespace,
                item.properties.get("session_id"),
                is_private=bool(item.properties.get("is_private")),
            ),
            "other_forms": fulltext.other_forms(
                *map(item.properties.get, _TEXTS), *(item.properties.get("aliases") or ())
            ),
            "trust": self._trust(item),
            "mentions_deferred": None if item.kind == "observation" else True,
        }
        if item.kind == "thought":
            own["found_until"] = item.properties.get("expires_at") or OPEN
        if item.properties.get("quarantined_by"):
            own |= {"found_until": ALWAYS, "ns_key": "quarantined"}
        if item.vector is not None and self._slot is not None:
            own[f"embedding_{self._slot}_at"] = datetime.now(UTC)
            return own, item.vector
        if item.embedded:
            own["embedding_deferred"] = True
            self.result.embedded_later = True
        return own, None

    def _trust(self, item: ExportedItem) -> int:
        """That of its origin, if a key proves that of a thought; else at most that of a file."""
        trust = trust_of_origin(item.properties.get("origin"))
        if trust is None:
            return IMPORT
        proven = item.kind == "thought" and self._proves(item.properties)
        return trust if proven else min(IMPORT, trust)

    def _proves(self, own: Mapping[str, Any]) -> bool:
        """Whether the hash of a step has a key that this database knows, and its texts are those hashed."""
        try:
            secret = self._keys.of_step(own)
            record = hashing.content_hash({**own, "namespace": self._namespace})
            return (
                secret is not None
                and hashing.chain_hash(own["prev_hash"], record, secret) == own["chain_hash"]
                and hashing.content_digest(own["salt"], own["content"]) == own["content_digest"]
                and hashing.hypothesis_digest(own["salt"], own.get("hypothesis"))
                == own.get("hypothesis_digest")
            )
        except (AttributeError, KeyError, TypeError, ValueError):
            return False

    async def _entities(self, items: list[ExportedItem]) -> None:
        rows: list[Any] = []
        for item in items:
            own, vector = self._properties(item)
            keys = {name: own[name] for name in ("id", "name_key", "type_key")}
            rows.append({**keys, "properties": own, "vector": vector})
        query = IMPORT_ENTITIES.for_slot("b" if self._slot == "b" else "a")
        self.result.entities += await self._knowledge(query, items, rows)

    async def _observations(self, items: list[ExportedItem]) -> None:
        rows: list[Any] = []
        for item in items:
            own, vector = self._properties(item)
            own["entity_id"] = self._held.get(own["entity_id"], own["entity_id"])
            keys = {name: own[name] for name in ("id", "entity_id", "fact_key")}
            rows.append({**keys, "properties": own, "vector": vector})
        query = IMPORT_OBSERVATIONS.for_slot("b" if self._slot == "b" else "a")
        self.result.observations += await self._knowledge(query, items, rows)

    async def _knowledge(self, query: Query[Held], items: Sequence[ExportedItem], rows: list[Any]) -> int:
        """Create entities or observations, and return how many are new."""
        _check_repeated(items)

        async def work(tx: Transaction) -> list[Held]:
            found = await tx.run(query, {"namespace": self._namespace, "rows": rows})
            self._check_namespaces(items, {id: namespace for id, namespace, _ in found})
            return found

        found = await self._graph.transaction(work)
        known = {id: held for id, _, held in found if held is not None}
        self._held |= {id: held for id, held in known.items() if held != id}
        self._there |= {*known.values()}
        self.result.known += len(known)
        return len(items) - len(known)

    async def _places(self, items: list[ExportedItem]) -> None:
        await self._graph.run(
            IMPORT_PLACES,
            {
                "namespace": self._namespace,
                "rows": [
                    {
                        "kind": item.kind,
                        "id": item.id,
                        "properties": {**item.properties, "namespace": self._namespace},
                    }
                    for item in items
                ],
            },
        )
        self.result.others += len(items)

    async def _thoughts(self, items: list[ExportedItem]) -> None:
        _check_repeated(items)
        before = self._before

        async def work(tx: Transaction) -> tuple[set[str], int, dict[str, Any], set[str], int]:
            rows = await tx.run(FIND_STORED, {"ids": [item.id for item in items]})
            stored = {row["id"]: row for row in rows}
            self._check_namespaces(items, {row["id"]: row["namespace"] for row in rows})
            names = sorted({item.properties["session_id"] for item in items if _is_step(item)})
            sessions = [{"id": name, "genesis": hashing.genesis(self._namespace, name)} for name in names]
            locked = await tx.run(LOCK_SESSIONS, {"namespace": self._namespace, "sessions": sessions})
            heads = dict(locked)
            if len(locked) > len(heads):
                raise doubled_session(names)
            new: list[dict[str, Any]] = []
            moved: dict[str, dict[str, Any]] = {}
            redactions: list[Redaction] = []
            last, unproven = before, {*self._unproven}
            for item in items:
                own = item.properties
                session = own["session_id"] if _is_step(item) else None
                there = stored.get(item.id)
                if there is not None:
                    if any(there[name] != own.get(name) for name in _SAME):
                        raise _conflict(item, f"the database has another thought with the id {item.id[:80]}")
                    if own.get("content") is None and not there["redacted"]:
                        unproven.add(item.id)
                else:
                    if session is not None:
                        expected = last["id"] if last.get("session_id") == session else None
                        if session not in moved and heads[session] != expected:
                            raise _conflict(
                                item, f"the session {session[:80]} of the database has other steps"
                            )
                        private = bool(own.get("is_private")) or bool(
                            session in moved and moved[session]["has_private"]
                        )
                        moved[session] = {
                            "id": session,
                            "head_hash": own.get("chain_hash"),
                            "head_step": own.get("step_index"),
                            "head_id": item.id,
                            "head_key_id": own.get("key_id"),
                            "has_private": private,
                        }
                    properties, vector = self._properties(item)
                    new.append(
                        {
                            "properties": properties,
                            "session": own["session_id"] if item.in_session else None,
                            "vector": vector,
                        }
                    )
                if session is not None:
                    if redaction := proven(own, last, self._namespace, self._keys):
                        redactions.append(redaction)
                    last = followed(own, last)
            if new:
                await tx.run(
                    IMPORT_THOUGHTS.for_slot("b" if self._slot == "b" else "a"),
                    {"namespace": self._namespace, "rows": new, "heads": list(moved.values())},
                )
            redacted = set[str]()
            if redactions:
                # Also a text of the file: its thought was redacted while the file was written.
                found = await tx.run(IMPORT_REDACTIONS, {"namespace": self._namespace, "rows": redactions})
                redacted = set(found)
            return {*stored}, len(new), last, unproven - redacted, len(redacted)

        there, created, self._before, self._unproven, redacted = await self._graph.transaction(work)
        self._there |= there
        self.result.redacted += redacted
        self.result.thoughts += created
        self.result.known += len(items) - created

    async def _sessions(self, items: list[ExportedItem]) -> None:
        (stored,) = await self._graph.run(
            IMPORT_SESSIONS,
            {
                "namespace": self._namespace,
                "rows": [
                    {
                        "id": item.id,
                        "properties": None
                        if item.missing
                        else {**item.properties, "namespace": self._namespace},
                    }
                    for item in items
                ],
            },
        )
        self.result.sessions += stored
        self.result.known += sum(not item.missing for item in items) - stored

    async def _links(self, items: list[ExportedItem]) -> None:
        rows: dict[tuple[str, ...], dict[str, Any]] = {}
        for item in items:
            start, end = self._own(item.start), self._own(item.end)
            key = (*start, item.type, *end, _own_id(item))
            row = rows.setdefault(
                key,
                {
                    "number": len(rows),
                    "from_kind": start[0],
                    "from": start[1],
                    "type": item.type,
                    "to_kind": end[0],
                    "to": end[1],
                    "own": key[-1],
                    "items": [],
                },
            )
            row["items"].append({**item.properties, **self._trust_of_link(item, start[1])})
        found = await self._graph.run(
            IMPORT_LINKS, {"namespace": self._namespace, "rows": list(rows.values())}
        )
        sizes = {row["number"]: len(row["items"]) for row in rows.values()}
        created = sum(count for _, count in found)
        there = sum(sizes[number] for number, _ in found)
        self.result.links += created
        self.result.known += there - created
        self.result.left_out += len(items) - there

    def _trust_of_link(self, item: ExportedItem, start: str) -> dict[str, int]:
        """The trust of a relation, and of a link that the file adds to a node that was there before."""
        if "origin" in item.properties:
            return {"trust": self._trust(item)}
        return {"trust": IMPORT} if item.type in _CHANGES and start in self._there else {}

    def _own(self, end: tuple[str, str]) -> tuple[str, str]:
        kind, own_id = end
        return kind, self._held.get(own_id, own_id) if kind in ("entity", "observation") else own_id

    def _check_namespaces(self, items: Sequence[ExportedItem], found: dict[str, str | None]) -> None:
        for item in items:
            if found.get(item.id) not in (None, self._namespace):
                raise _conflict(item, f"another namespace holds the id {item.id[:80]}")


def _is_step(item: ExportedItem) -> bool:
    own = item.properties
    return isinstance(own.get("session_id"), str) and type(own.get("step_index")) is int


def _own_id(item: ExportedItem) -> str:
    return str(item.properties.get("id", ""))


def _key(item: ExportedItem) -> tuple[object, ...]:
    return (item.start, item.type, item.end, _own_id(item))


def _check_repeated(items: Sequence[ExportedItem]) -> None:
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise _conflict(item, f"an earlier line has the id {item.id[:80]}")
        seen.add(item.id)


def _conflict(item: ExportedItem, why: str) -> Conflict:
    return Conflict(
        f"{item.place} cannot be imported: {why}.",
        effect="Nothing of its batch was stored.",
        hint="Import into an empty database, or leave this session out of the file.",
    )
