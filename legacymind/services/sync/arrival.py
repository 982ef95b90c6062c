"""What comes from other homes: in which namespace it is stored, how far it is trusted, what became of it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypedDict

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.model.base import ALWAYS, OPEN
from legacymind.origins import IMPORT, USER, trust_of_origin
from legacymind.services.shared.chain_keys import KEYED_ALG, ChainKeys
from legacymind.services.sync.lines import CheckedLine, SyncLine
from legacymind.text import fulltext


class HeldRow(TypedDict):
    """What is held of an id, and when it was removed.

    ``other`` is another node with the same key, ``placed`` the entity of a fact; ``lost``: that was removed.
    """

    id: str
    held: dict[str, Any] | None
    other: str | None
    placed: str | None
    removed: dict[str, Any] | None
    lost: dict[str, Any] | None


FIND_HELD = load("sync/find_held", HeldRow, writes=False)

_TEXTS: Final = ("content", "author", "name", "entity_type", "description")


@dataclass(slots=True)
class Applied:
    """What lines brought: nodes that are new or changed, what was refused, and lines that wait."""

    stored: int = 0
    removed: int = 0
    refused: list[str] = field(default_factory=list[str])
    waiting: dict[str, str] = field(default_factory=dict[str, str])
    """Lines that wait, with what each waits for; empty if that was removed."""

    def told(self) -> dict[str, Any]:
        """The members of ``model.sync.Received``."""
        return {
            "stored": self.stored,
            "removed": self.removed,
            "waiting": sum(1 for reason in self.waiting.values() if reason),
            "waiting_for": sorted({*self.waiting.values()} - {""})[:10],
            "refused": self.refused,
        }


@dataclass(slots=True)
class Arrival:
    """Where lines arrive; ``trusted``: they have been written by the user's own homes only."""

    graph: Graph
    keys: ChainKeys
    namespace: str
    trusted: bool
    result: Applied = field(default_factory=Applied)

    @property
    def most_trust(self) -> int:
        """Up to which trust what is stored here may change."""
        return USER if self.trusted else IMPORT

    async def held(self, kind: str, rows: Sequence[tuple[str, list[Any]]]) -> dict[str, HeldRow]:
        """What is held of ids, each with the key of its node."""
        sought = [{"id": id, "keys": keys} for id, keys in rows]
        found = await self.graph.run(FIND_HELD, {"namespace": self.namespace, "kind": kind, "rows": sought})
        return {row["id"]: row for row in found}

    def foreign(self, held: Mapping[str, Any] | None, name: str) -> bool:
        """Whether another namespace has the node; then it is refused."""
        if held is None or held.get("namespace") == self.namespace:
            return False
        self.result.refused.append(f"{name}: another namespace has this id")
        return True

    def wait(self, line: SyncLine, reason: str) -> None:
        """Keep a line until what it needs is here."""
        self.result.waiting[json.dumps(line, sort_keys=True, separators=(",", ":"))] = reason

    def keyed(self, own: Mapping[str, Any]) -> bool:
        """Whether a key of this home proves a step whose hashes fit."""
        return own.get("hash_alg") == KEYED_ALG and self.keys.secret(own.get("key_id")) is not None

    def trust(self, own: Mapping[str, Any], *, proven: bool = False) -> int:
        """That of its origin, if it is ``proven`` by a key of this home or the place is the user's own."""
        trust = trust_of_origin(own.get("origin"))
        if trust is None:
            return IMPORT
        return trust if self.trusted or proven else min(IMPORT, trust)

    def local(self, own: Mapping[str, Any], trust: int, aliases: Sequence[str] = ()) -> dict[str, Any]:
        """The properties that each home makes for itself."""
        taken = own.get("quarantined_by") is not None
        key = fulltext.thought_key(
            self.namespace, own.get("session_id"), is_private=bool(own.get("is_private"))
        )
        local: dict[str, Any] = {
            "namespace": self.namespace,
            "ns_key": "quarantined" if taken else None if own.get("merged_at") else key,
            "other_forms": fulltext.other_forms(*map(own.get, _TEXTS), *aliases),
            "trust": trust,
        }
        if "fact_key" not in own:
            local["mentions_deferred"] = True
        if "created_at" in own:
            local["found_until"] = ALWAYS if taken else own.get("expires_at") or OPEN
        return local


def parts(rows: Iterable[CheckedLine], size: int = 500) -> Iterator[Sequence[CheckedLine]]:
    """The rows of one transaction each, of a node one: a second one changes what the first stored."""
    part: dict[object, CheckedLine] = {}
    for row in rows:
        key = row.own.get("id", id(row))
        if len(part) == size or key in part:
            yield [*part.values()]
            part = {}
        part[key] = row
    if part:
        yield [*part.values()]
