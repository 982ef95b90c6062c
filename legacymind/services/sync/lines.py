"""The lines of a log, checked one by one: anybody may have written them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from legacymind.model.base import ALWAYS, MAX_KEY
from legacymind.services.chain import hashing
from legacymind.services.knowledge.importers.records import Fault
from legacymind.services.shared.chain_keys import KEYED_ALG, ChainKeys
from legacymind.services.sync.fields import LineKind, properties

SyncLine = dict[str, Any]

_REQUIRED: Final[dict[LineKind, tuple[str, ...]]] = {
    "removed": ("removed_at",),
    "entity": ("name_key", "type_key", "recorded_at"),
    "observation": ("entity_id", "fact_key", "recorded_at"),
    "thought": ("created_at",),
    "link": (),
    "session": ("head_hash", "head_step"),
}
"""What a line of each kind needs, beside its id."""

_LINKED: Final = frozenset(("thought", "entity", "observation"))


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """A checked line: what it says, and ``by``, the home that said it.

    ``start`` and ``end`` are the nodes of a relationship, each a kind and an id.
    """

    line: SyncLine
    kind: LineKind
    own: dict[str, Any]
    by: str | None
    start: tuple[str, str] = ("", "")
    end: tuple[str, str] = ("", "")

    @property
    def id(self) -> str:
        """The id of the node."""
        return self.own["id"]

    @property
    def changed(self) -> datetime:
        """When it was changed last."""
        times = ("changed_at", "recorded_at", "created_at")
        return next((at for name in times if (at := self.own.get(name))), ALWAYS)

    @property
    def stated(self) -> datetime:
        """When it was stated last, which no older removal takes."""
        return self.own.get("stated_at") or self.own["recorded_at"]


def read(line: SyncLine) -> CheckedLine:
    """A line, checked. Raises Fault."""
    kind, by = line.get("kind"), line.get("replica")
    if not isinstance(kind, str) or kind not in _REQUIRED:
        raise Fault(f"there is no kind {str(kind)[:80]!r}")
    if not isinstance(by, str | None):
        raise Fault("replica is not a text")
    if kind == "link":
        return _link(line, by)
    own = properties(kind, {name: value for name, value in line.items() if name not in ("kind", "replica")})
    for name in ("id", *_REQUIRED[kind]):
        if name not in own:
            raise Fault(f"{name} is missing")
    if "node_kind" in own:
        own["kind"] = own.pop("node_kind")
    return CheckedLine(line, kind, own, by)


def text_of(line: Mapping[str, Any]) -> str:
    """A line as it is written, without its end: ASCII, so that no tool changes a hashed text."""
    return json.dumps(line, separators=(",", ":"), allow_nan=False, default=hashing.utc)


def name_of(line: SyncLine) -> str:
    """What a refused line is called."""
    name = str(line.get("id") or line.get("type") or "a line without an id")
    return f"{line['from']}-{name}->{line['to']}" if line.keys() >= {"from", "to"} else name[:80]


def sound(own: Mapping[str, Any], namespace: str, keys: ChainKeys) -> bool:
    """Whether a thought has the hashes of its record and its text."""
    try:
        content = own.get("content")
        fits = hashing.content_hash({**own, "namespace": namespace}) == own["content_hash"] and (
            content is None
            or hashing.content_digest(str(own.get("salt")), content) == own.get("content_digest")
        )
        if fits and own.get("session_id") is not None:
            fits = type(own["step_index"]) is int
            keyed = own.get("hash_alg") == KEYED_ALG
            secret = keys.of_step(own) if keyed and keys.secret(own.get("key_id")) else None
            if secret is not None or not keyed:  # a key that is not here is a fault that `verify` shows
                fits = (
                    fits
                    and hashing.chain_hash(own["prev_hash"], own["content_hash"], secret) == own["chain_hash"]
                )
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    return fits


def _link(line: SyncLine, by: str | None) -> CheckedLine:
    name, own = line.get("type"), line.get("properties", {})
    if not isinstance(name, str) or not 0 < len(name) <= MAX_KEY or "\0" in name:
        raise Fault("type is missing")
    if not isinstance(own, dict):
        raise Fault("properties is not an object")
    found = properties("link", cast("dict[str, Any]", own))
    return CheckedLine(line, "link", found, by, _end("from", line.get("from")), _end("to", line.get("to")))


def _end(name: str, value: object) -> tuple[str, str]:
    match value:
        case [str(kind), str(own_id)] if kind in _LINKED:
            return kind, own_id
        case _:
            raise Fault(f"{name} is not a pair of a kind and an id")
