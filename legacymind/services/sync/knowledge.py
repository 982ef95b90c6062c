"""Stores entities and facts that other homes stated, merged or forgot."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Literal

from legacymind.db.query import load
from legacymind.model.base import OPEN
from legacymind.origins import trust_of
from legacymind.services.knowledge.merging import MERGE_ENTITIES
from legacymind.services.sync.arrival import Arrival
from legacymind.services.sync.lines import CheckedLine
from legacymind.services.sync.reconcile import moves, reconciled, travelling, travels
from legacymind.services.sync.steps import STORE_NODES

REVIVE_ENTITY = load("sync/revive_entity", str, writes=True)
REMOVE = load("sync/remove", int, writes=True)


@dataclass(slots=True)
class KnowledgeStore:
    """Stores what arrives of entities and facts."""

    arrival: Arrival
    _stubs: defaultdict[str, list[CheckedLine]] = field(default_factory=lambda: defaultdict(list))
    """Entities that were merged elsewhere and are not merged here yet."""

    async def remove(self, rows: Sequence[CheckedLine]) -> None:
        """Delete what was forgotten elsewhere, unless it was stated later, or is more trusted.

        What is not here is remembered, so that it stays away.
        """
        here = self.arrival
        gone = [{"id": row.id, "removed_at": row.own["removed_at"], "replica": row.by} for row in rows]
        given = {"namespace": here.namespace, "most_trust": here.most_trust, "rows": gone}
        here.result.removed += sum(await here.graph.run(REMOVE, given))

    async def store(self, kind: Literal["entity", "observation"], lines: Sequence[CheckedLine]) -> None:
        """Create entities or facts, or reconcile them with those that are here."""
        here = self.arrival
        names = ("name_key", "type_key") if kind == "entity" else ("entity_id", "fact_key")
        held = await here.held(kind, [(line.id, [line.own[name] for name in names]) for line in lines])
        rows: list[dict[str, Any]] = []
        merges: list[tuple[str, str, datetime]] = []
        taken: dict[tuple[str, str], str] = {}
        """The nodes of these lines, by their keys."""
        text = ("description", "name") if kind == "entity" else ("content",)
        for line in lines:
            found = held[line.id]
            if here.foreign(found["held"], line.id):
                continue
            if any(one and line.stated <= one["removed_at"] for one in (found["removed"], found["lost"])):
                continue
            place = found["placed"] if kind == "observation" else line.own[names[0]]
            if place is None:
                here.wait(line.line, f"the entity {line.own['entity_id']}")
                continue
            was, key = found["held"], (place, line.own[names[1]])
            other = found["other"] or taken.get(key, line.id)
            row = self._row(line, was, place, None if other == line.id else other, names)
            if row is None:
                continue
            now = row["properties"]
            taken.setdefault(key, line.id)
            if other != line.id and kind == "entity" and not now.get("merged_at"):
                first, last = sorted((line.id, other))
                merges.append((first, last, line.changed))
            new = was is None or any(now.get(one) != was.get(one) for one in text)
            row["embed"] = new and not now.get("merged_at")
            rows.append(row)
        await here.graph.run(STORE_NODES, {"namespace": here.namespace, "kind": kind, "rows": rows})
        here.result.stored += len(rows)
        for keep, other, at in merges:
            stub = {"merged_at": at, "merged_reason": "the same on two machines"}
            await self._merge(keep, other, stub, arrived=False)

    async def merge(self, keep: str, other: str) -> None:
        """Merge an entity into another one, as another home did; its line says when."""
        here, stubs = self.arrival, self._stubs.pop(other, [])
        held = await here.held("entity", [(id, ["", ""]) for id in (keep, other)])
        (kept, _), (root, own) = ((held[id]["placed"], held[id]["held"]) for id in (keep, other))
        if kept is None or root is None or own is None:
            self._stubs[other] = stubs
            return
        merged_at, mutual = own.get("merged_at"), kept == other  # two homes merged the two into each other
        if merged_at is not None:
            if kept != root:  # two homes merged it into different ones
                first, last = sorted((kept, root))
                await self._merge(first, last, {"merged_at": merged_at}, arrived=False)
        elif not stubs or (mutual and other <= keep):
            return
        else:
            if mutual:
                await here.graph.run(REVIVE_ENTITY, {"namespace": here.namespace, "id": keep})
            await self._merge(keep, other, stubs[0].own, arrived=not mutual)
        for stub in stubs:
            await self.store("entity", [stub])

    def wait(self) -> None:
        """Let entities wait that were merged into what is not here yet."""
        for stub in chain.from_iterable(self._stubs.values()):
            self.arrival.wait(stub.line, "the entity that it was merged into")

    def _row(
        self,
        line: CheckedLine,
        held: dict[str, Any] | None,
        place: str,
        other: str | None,
        names: tuple[str, str],
    ) -> dict[str, Any] | None:
        """What becomes of a line and what is here; None if nothing changes."""
        own, trust = line.own, self.arrival.trust(line.own)
        if held is not None and not self.arrival.trusted and trust_of(held.get("trust")) > trust:
            return None
        if own.get("merged_at") and held and not held.get("merged_at"):
            self._stubs[line.id].append(line)  # its relationship says into what
            return None
        there, by = travelling(own), line.by
        if held is None:
            merged = there
            if other is not None:  # a key has one node
                merged[names[1]] = f"{own[names[1]]} {line.id}"
        else:
            before = travelling(held)
            at_place = there | {"entity_id": place}
            if moved := before.get("entity_id", place) != place and moves(before, at_place):
                before["entity_id"] = place
            there |= {name: before[name] for name in ("entity_id", "fact_key") if name in before}
            if there.get("merged_from") == there.get("entity_id"):  # here, its first entity has it again
                there.pop("merged_from", None)
            merged = reconciled(before, there)
            if merged == before and not moved:
                return None
            by = line.by if merged == there else None
            if merged.get("changed_at") != there.get("changed_at"):
                trust = trust_of(held.get("trust"))
            if not moved and merged.get(names[1]) == before.get(names[1]):  # as they are at this home
                merged |= {name: held[name] for name in names if name in held}
            elif other is not None:
                merged[names[1]] += f" {line.id}"
        absent = {name: None for name in held or () if travels(name) and name not in merged}
        local = self.arrival.local(merged, trust, (held or {}).get("aliases") or ())
        return {
            "id": line.id,
            "entity_id": merged.get("entity_id"),
            "properties": {**absent, **local, **merged, "replica": by},
        }

    async def _merge(self, keep: str, other: str, stub: Mapping[str, Any], *, arrived: bool = True) -> None:
        named = [{"position": n, "id": id, "name_key": ""} for n, id in enumerate((keep, other))]
        await self.arrival.graph.run(
            MERGE_ENTITIES,
            {
                "named": named,
                "namespace": self.arrival.namespace,
                "now": stub.get("merged_at") or datetime.now(UTC),
                "end": OPEN,
                "author": stub.get("merged_by"),
                "reason": stub.get("merged_reason"),
                "arrived": arrived,
                "dry_run": False,
            },
        )
