"""Stores what other homes wrote. Everything may be stored twice, in parts and in any order of segments."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, TypedDict, cast

from legacymind.db.graph import Graph, Transaction
from legacymind.db.query import load
from legacymind.model.base import ALWAYS, LINKS, OPEN, REDACTION
from legacymind.origins import IMPORT, trust_of, trust_of_origin
from legacymind.services.chain import hashing
from legacymind.services.chain.reads import ChainEnd
from legacymind.services.knowledge.importers.records import Fault
from legacymind.services.knowledge.merging import MERGE_ENTITIES
from legacymind.services.shared.chain_keys import KEYED_ALG, ChainKeys
from legacymind.services.sync.reconcile import KEPT, reconciled, travelling, travels
from legacymind.services.think.erasing import DELETE_KNOWLEDGE
from legacymind.services.transfer.fields import LineKind, properties
from legacymind.text import fulltext

SyncLine = dict[str, Any]


class HeldRow(TypedDict):
    """What is held of an id; ``other`` is the id of another node with the same key."""

    id: str
    held: dict[str, Any] | None
    other: str | None
    removed: dict[str, Any] | None


FIND_HELD = load("sync/find_held", HeldRow, writes=False)
KEEP_REMOVED = load("sync/keep_removed", int, writes=True)
STORE_KNOWLEDGE = load("sync/store_knowledge", int, writes=True)
LOCK_SESSIONS = load("sync/lock_sessions", tuple[str, str, list[str]], writes=True)
FIND_STEPS = load("sync/find_steps", str, writes=False)
STORE_STEPS = load("sync/store_steps", int, writes=True)
UPDATE_THOUGHTS = load("sync/update_thoughts", int, writes=True)
REDACT = load("sync/redact", str, writes=True)
STORE_LINKS = load("sync/store_links", int, writes=True)

_BATCH: Final = 500
_TEXTS: Final = ("content", "author", "name", "entity_type", "description")
_UNNAMED: Final = frozenset(("RECALLS",))
"""Links that are dropped if an end is not here: a private thought stayed home."""


@dataclass(slots=True)
class Applied:
    """What segments brought: nodes that are new or changed, ids that were refused, and lines that wait."""

    stored: int = 0
    removed: int = 0
    refused: list[str] = field(default_factory=list[str])
    waiting: dict[str, str] = field(default_factory=dict[str, str])
    """Lines that wait, with what each waits for."""


@dataclass(slots=True)
class Applying:
    """Stores lines; ``trusted``: their place has been written by the user's own homes only."""

    graph: Graph
    keys: ChainKeys
    namespace: str
    trusted: bool
    result: Applied = field(default_factory=Applied)
    _stubs: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """Entities that were merged elsewhere and are not merged here yet."""

    async def run(self, lines: Iterable[SyncLine]) -> None:
        """Store all lines, by kind."""
        kinds: defaultdict[str, list[SyncLine]] = defaultdict(list)
        for line in lines:
            kinds[str(line.get("kind"))].append(line)
        for part in _parts(kinds["removed"]):
            await self._remove(part)
        for kind in ("entity", "observation"):
            for part in _parts(kinds[kind]):
                await self._knowledge(cast("LineKind", kind), part)
        steps = sorted(
            kinds["thought"], key=lambda one: (str(one.get("session_id", "")), one.get("step_index", -1))
        )
        for part in _parts(steps):
            await self._thoughts(part)
        for part in _parts(kinds["link"]):
            await self._links(part)

    async def _held(self, kind: str, rows: Sequence[tuple[str, list[Any]]]) -> dict[str, HeldRow]:
        sought = [{"id": id, "keys": keys} for id, keys in rows]
        found = await self.graph.run(FIND_HELD, {"namespace": self.namespace, "kind": kind, "rows": sought})
        return {row["id"]: row for row in found}

    def _read(self, kind: LineKind, lines: Iterable[SyncLine]) -> list[tuple[SyncLine, dict[str, Any], Any]]:
        """Lines with their properties and their homes; those that are none of the kind are refused."""
        read: list[tuple[SyncLine, dict[str, Any], Any]] = []
        for line in lines:
            own = {name: value for name, value in line.items() if name not in ("kind", "replica")}
            try:
                found = properties(kind, own)
            except Fault as reason:
                self.result.refused.append(f"{line.get('id')}: {reason}")
                continue
            if "node_kind" in found:
                found["kind"] = found.pop("node_kind")
            read.append((line, found, line.get("replica")))
        return read

    def _local(self, own: Mapping[str, Any], trust: int) -> dict[str, Any]:
        """The properties that each home makes for itself."""
        taken = own.get("quarantined_by") is not None
        key = fulltext.thought_key(
            self.namespace, own.get("session_id"), is_private=bool(own.get("is_private"))
        )
        local: dict[str, Any] = {
            "namespace": self.namespace,
            "ns_key": "quarantined" if taken else None if own.get("merged_at") else key,
            "other_forms": None
            if own.get("merged_at")
            else fulltext.other_forms(*map(own.get, _TEXTS), *(own.get("aliases") or ())),
            "trust": trust,
        }
        if "fact_key" not in own:
            local["mentions_deferred"] = True
        if "created_at" in own:
            local["found_until"] = ALWAYS if taken else own.get("expires_at") or OPEN
        return local

    # --- knowledge -----------------------------------------------------------------------------------

    async def _remove(self, lines: Sequence[SyncLine]) -> None:
        """Delete what was forgotten elsewhere, unless it was stated again later."""
        at = {str(line["id"]): datetime.fromisoformat(str(line["removed_at"])) for line in lines}
        gone: list[str] = []
        for kind in ("entity", "observation"):
            held = await self._held(kind, [(id, ["", ""]) for id in at])
            gone += [id for id, row in held.items() if row["held"] and _changed(row["held"]) <= at[id]]
        for id, moment in at.items():
            given = {"namespace": self.namespace, "ids": [id], "removed_at": moment}
            self.result.removed += sum(await self.graph.run(DELETE_KNOWLEDGE, given)) if id in gone else 0
        kept = [
            {"id": line["id"], "removed_at": at[line["id"]], "replica": line.get("replica")}
            for line in lines
            if line["id"] not in gone
        ]
        await self.graph.run(KEEP_REMOVED, {"namespace": self.namespace, "rows": kept})

    async def _knowledge(self, kind: LineKind, lines: Sequence[SyncLine]) -> None:
        names = ("name_key", "type_key") if kind == "entity" else ("entity_id", "fact_key")
        read = self._read(kind, lines)
        held = await self._held(kind, [(own["id"], [own.get(name) for name in names]) for _, own, _ in read])
        rows: list[dict[str, Any]] = []
        merges: list[tuple[str, str, datetime]] = []
        for _, own, by in read:
            row = held[own["id"]]
            if own.get("merged_at") and row["held"] and not row["held"].get("merged_at"):
                self._stubs[own["id"]] = own  # its relationship says into what
                continue
            if row["removed"] and _changed(own) <= row["removed"]["removed_at"]:
                continue
            here, trust = row["held"], trust_of_origin(own.get("origin"))
            trust = IMPORT if trust is None else trust if self.trusted else min(trust, IMPORT)
            if here is not None and not self.trusted and trust_of(here.get("trust")) > trust:
                continue
            there = travelling(own)
            if here is None:
                merged, mixed = there, False
            else:
                before = travelling(here)
                merged = reconciled(before, there)
                if merged == before:
                    continue
                mixed = merged != there
            if here is not None and merged.get("changed_at") != there.get("changed_at"):
                trust = trust_of(here.get("trust"))
            if here is not None:  # keys and places are those of this home
                merged |= {name: here[name] for name in names if name in here}
            elif row["other"] is not None:  # a key has one node
                merged = {**merged, names[1]: f"{own[names[1]]} {own['id']}"}
                if kind == "entity" and not own.get("merged_at"):
                    keep, other = sorted((own["id"], row["other"]))
                    merges.append((keep, other, _changed(own)))
            text = ("description", "name") if kind == "entity" else ("content",)
            new = here is None or any(merged.get(name) != here.get(name) for name in text)
            absent = {name: None for name in here or () if travels(name) and name not in merged}
            rows.append(
                {
                    "id": own["id"],
                    "entity_id": merged.get("entity_id"),
                    "embed": new and not merged.get("merged_at"),
                    "properties": {
                        **absent,
                        **self._local(merged, trust),
                        **merged,
                        "replica": None if mixed else by,
                    },
                }
            )
        await self.graph.run(STORE_KNOWLEDGE, {"namespace": self.namespace, "kind": kind, "rows": rows})
        self.result.stored += len(rows)
        for keep, other, at in merges:
            await self._merge(keep, other, {"merged_at": at, "merged_reason": "the same on two machines"})

    async def _merge(self, keep: str, other: str, stub: Mapping[str, Any]) -> None:
        named = [{"position": n, "id": id, "name_key": ""} for n, id in enumerate((keep, other))]
        await self.graph.run(
            MERGE_ENTITIES,
            {
                "named": named,
                "namespace": self.namespace,
                "now": stub.get("merged_at") or datetime.now(UTC),
                "end": OPEN,
                "author": stub.get("merged_by"),
                "reason": stub.get("merged_reason"),
                "dry_run": False,
            },
        )

    # --- thoughts ------------------------------------------------------------------------------------

    async def _thoughts(self, lines: Sequence[SyncLine]) -> None:
        read = [(line, own, by) for line, own, by in self._read("thought", lines) if self._sound(own)]
        held = await self._held("thought", [(own["id"], []) for _, own, _ in read])
        new: list[tuple[SyncLine, dict[str, Any], Any]] = []
        changed: list[dict[str, Any]] = []
        redactions: list[dict[str, Any]] = []
        for line, own, by in read:
            here, removed = held[own["id"]]["held"], held[own["id"]]["removed"]
            redacts = own.get("thought_type") == REDACTION and own.get("redacts")
            if redacts and (self.trusted or self._keyed(own)):
                said = str(own.get("content") or "").partition(": ")[2]
                redactions.append(
                    {"id": own["redacts"], "redacted_at": own["created_at"], "redacted_reason": said}
                )
            if here is None:
                if removed and own.get("content") is not None:
                    own = _redacted(own, removed)
                new.append((line, own, by))
            elif here.get("namespace") != self.namespace or here.get("content_hash") != own.get(
                "content_hash"
            ):
                self.result.refused.append(f"{own['id']}: another thought has this id")
            elif (
                own.get("session_id") is None
                and own.get("redacted_at")
                and here.get("content")
                and self.trusted
            ):
                mark = {name: own.get(name) for name in ("redacted_at", "redacted_reason")}
                redactions.append({"id": own["id"], **mark})
            elif self.trusted and (update := self._update(here, own, by)):
                changed.append(update)
        if new:
            await self.graph.transaction(lambda tx: self._append(tx, new))
        await self.graph.run(UPDATE_THOUGHTS, {"namespace": self.namespace, "rows": changed})
        await self.graph.run(REDACT, {"namespace": self.namespace, "rows": redactions})
        self.result.stored += len(changed)

    def _update(self, here: Mapping[str, Any], own: Mapping[str, Any], by: Any) -> dict[str, Any] | None:
        """What may change of a stored thought."""
        before, there = (
            {name: value for name, value in travelling(row).items() if name not in KEPT}
            for row in (here, own)
        )
        merged = reconciled(before, there)
        if merged == before or here.get("content") is None:
            return None
        absent = {name: None for name in before if name not in merged}
        replica = by if merged == there else None
        return {"id": own["id"], "properties": {**absent, **merged, "replica": replica}}

    def _sound(self, own: Mapping[str, Any]) -> bool:
        """Whether a thought has the hashes of its record and its text; what has not is refused by its id."""
        try:
            content, salt = own.get("content"), own.get("salt")
            sound = hashing.content_hash({**own, "namespace": self.namespace}) == own["content_hash"] and (
                content is None or hashing.content_digest(str(salt), content) == own.get("content_digest")
            )
            if sound and own.get("session_id") is not None:
                sound = type(own["step_index"]) is int
                keyed = own.get("hash_alg") == KEYED_ALG
                secret = self.keys.of_step(own) if keyed and self.keys.secret(own.get("key_id")) else None
                if secret is not None or not keyed:  # a key that is not here is a fault that `verify` shows
                    chained = hashing.chain_hash(own["prev_hash"], own["content_hash"], secret)
                    sound = sound and chained == own["chain_hash"]
        except (AttributeError, KeyError, TypeError, ValueError):
            sound = False
        if not sound:
            self.result.refused.append(f"{own.get('id')}: its hash does not fit")
        return sound

    async def _append(self, tx: Transaction, new: Sequence[tuple[SyncLine, dict[str, Any], Any]]) -> None:
        """Store new thoughts: each step after a head moves that head, others begin a branch or wait."""
        sessions = {
            own["session_id"]: own["created_at"] for _, own, _ in reversed(new) if own.get("session_id")
        }
        genesis = {id: hashing.genesis(self.namespace, id) for id in sessions}
        given = [{"id": id, "genesis": genesis[id], "created_at": at} for id, at in sessions.items()]
        locked = await tx.run(LOCK_SESSIONS, {"namespace": self.namespace, "sessions": given})
        heads = {id: head for id, head, _ in locked}
        tails = {id: {ChainEnd.of_line(line).hash: line for line in branches} for id, _, branches in locked}
        sought = [
            {"session_id": own["session_id"], "step": own["step_index"] - 1, "hash": own["prev_hash"]}
            for _, own, _ in new
            if own.get("session_id") and own["step_index"] > 0
        ]
        known = {*genesis.values(), *await tx.run(FIND_STEPS, {"namespace": self.namespace, "steps": sought})}
        rows: list[dict[str, Any]] = []
        moved: dict[str, dict[str, Any]] = {}
        branched: set[str] = set()
        for line, own, by in new:
            session = own.get("session_id")
            if session is not None:
                if own["prev_hash"] not in known:
                    self._wait(line, f"step {own['step_index'] - 1} of the session {session}")
                    continue
                known.add(own["chain_hash"])
                end = {
                    "session_id": session,
                    "hash": own["chain_hash"],
                    "step": own["step_index"],
                    "id": own["id"],
                    "key_id": own.get("key_id"),
                }
                if heads[session] == own["prev_hash"]:
                    heads[session] = own["chain_hash"]
                    private = bool(own.get("is_private")) or moved.get(session, {}).get("private", False)
                    moved[session] = {**end, "private": private}
                else:
                    tails[session].pop(own["prev_hash"], None)
                    end_here = ChainEnd(own["chain_hash"], own["step_index"], own["id"], own.get("key_id"))
                    tails[session][own["chain_hash"]] = end_here.line
                    branched.add(session)
            links = [
                {"type": type, "id": own[name]}
                for name, type in dict(LINKS).items()
                if own.get(name) is not None
            ]
            rows.append(
                {"properties": {**own, **self._local(own, self._trust(own)), "replica": by}, "links": links}
            )
        branches = [{"session_id": id, "branches": [*tails[id].values()]} for id in branched]
        given_rows = {"rows": rows, "heads": [*moved.values()], "branches": branches}
        await tx.run(STORE_STEPS, {"namespace": self.namespace, **given_rows})
        self.result.stored += len(rows)

    def _trust(self, own: Mapping[str, Any]) -> int:
        """That of its origin, if a key of this home proves it or the place is the user's own."""
        trust = trust_of_origin(own.get("origin"))
        if trust is None:
            return IMPORT
        return trust if self.trusted or self._keyed(own) else min(IMPORT, trust)

    def _keyed(self, own: Mapping[str, Any]) -> bool:
        """Whether a key of this home proves a step whose hashes fit."""
        return own.get("hash_alg") == KEYED_ALG and self.keys.secret(own.get("key_id")) is not None

    # --- links ---------------------------------------------------------------------------------------

    async def _links(self, lines: Sequence[SyncLine]) -> None:
        rows: list[dict[str, Any]] = []
        for number, line in enumerate(lines):
            try:
                (from_kind, start), (to_kind, end) = line["from"], line["to"]
                own = properties("link", line["properties"])
            except (Fault, KeyError, TypeError, ValueError) as reason:
                self.result.refused.append(f"a {line.get('type')}: {reason}")
                continue
            if line["type"] == "MERGED_INTO":
                await self._merge(end, start, self._stubs.get(start, {}))
            trust = trust_of_origin(own.get("origin"))
            if not self.trusted:
                own["trust"] = IMPORT if trust is None else min(trust, IMPORT)
            elif trust is not None:
                own["trust"] = trust
            rows.append(
                {
                    "number": number,
                    "from_kind": from_kind,
                    "from": start,
                    "type": line["type"],
                    "to_kind": to_kind,
                    "to": end,
                    "own": own.get("id", ""),
                    "properties": own,
                }
            )
        found = {*await self.graph.run(STORE_LINKS, {"namespace": self.namespace, "rows": rows})}
        for row in rows:
            if row["number"] not in found and row["type"] not in _UNNAMED:
                self._wait(lines[cast("int", row["number"])], f"an end of a {row['type']}")

    def _wait(self, line: SyncLine, reason: str) -> None:
        self.result.waiting[json.dumps(line, sort_keys=True, separators=(",", ":"))] = reason


def waiting_rows(waiting: Mapping[str, str]) -> list[dict[str, Any]]:
    """The rows of sync/keep_waiting.cypher."""
    return [
        {
            "id": hashlib.sha256(line.encode()).hexdigest(),
            "line": line,
            "replica": json.loads(line).get("replica"),
            "reason": reason,
        }
        for line, reason in waiting.items()
    ]


def _parts(lines: Sequence[SyncLine]) -> Iterable[Sequence[SyncLine]]:
    return (lines[at : at + _BATCH] for at in range(0, len(lines), _BATCH))


def _changed(own: Mapping[str, Any]) -> datetime:
    return own.get("changed_at") or own["recorded_at"]


def _redacted(own: dict[str, Any], removed: Mapping[str, Any]) -> dict[str, Any]:
    """A thought whose redaction came before it."""
    bare = {name: value for name, value in own.items() if name not in ("content", "salt", "hypothesis")}
    mark = {"redacted_at": removed["removed_at"], "redacted_reason": removed.get("reason")}
    return {**bare, **mark, "title": "(redacted)"}
