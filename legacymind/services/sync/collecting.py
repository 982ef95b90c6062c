"""What this home writes to a place: what changed here, and what came from homes that have no folder there."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypedDict, get_args

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.services.sync.reconcile import travelling
from legacymind.services.transfer.fields import LineKind, members

SyncKind = Literal["removed", "entity", "observation", "thought"]
"""The kinds of what travels, in the order in which it is stored."""

KINDS: Final[tuple[SyncKind, ...]] = get_args(SyncKind)

_PAGE: Final = 500


class ChangedRow(TypedDict):
    """A changed node and its place in time; ``properties`` is None if it stays home."""

    id: str
    position: str
    properties: dict[str, Any] | None
    embedded: bool


READ_CHANGED = load("sync/read_changed", ChangedRow, writes=False)


class LinkRow(TypedDict):
    """A relationship between two nodes."""

    type: str
    kind: str
    id: str
    target_kind: str
    target: str
    properties: dict[str, Any]


READ_LINKS = load("sync/read_links", LinkRow, writes=False)


@dataclass(frozen=True, slots=True)
class SyncSpan:
    """What to collect: the changes of a time, without those that ``present`` homes write themselves."""

    namespace: str
    replica: str
    since: str
    until: str
    present: Sequence[str]
    private: bool


async def changes(graph: Graph, span: SyncSpan) -> AsyncIterator[dict[str, Any]]:
    """The lines of nodes, then those of relationships."""
    for kind in KINDS:
        async for rows in _pages(graph, span, kind):
            for row in rows:
                if (own := row["properties"]) is not None:
                    yield _node(kind, own, span.replica)
    for kind in KINDS[1:]:
        async for rows in _pages(graph, span, kind):
            ids = [row["id"] for row in rows if row["properties"] is not None]
            sought = {"namespace": span.namespace, "kind": kind, "ids": ids, "since": span.since}
            async for link in graph.stream(READ_LINKS, sought):
                yield {
                    "kind": "link",
                    "type": link["type"],
                    "from": [link["kind"], link["id"]],
                    "to": [link["target_kind"], link["target"]],
                    "properties": members("link", link["properties"]),
                }


def _node(kind: SyncKind, own: dict[str, Any], replica: str) -> dict[str, Any]:
    by = own.get("replica") or replica
    if kind == "removed":
        return {"kind": kind, "id": own["id"], "removed_at": own["removed_at"], "replica": by}
    named: LineKind = kind
    held = travelling(own)
    return {
        "kind": kind,
        **members(named, {("node_kind" if name == "kind" else name): held[name] for name in held}),
        "replica": by,
    }


async def _pages(graph: Graph, span: SyncSpan, kind: SyncKind) -> AsyncIterator[list[ChangedRow]]:
    since, after = span.since, ""
    while True:
        rows = await graph.run(
            READ_CHANGED,
            {
                "namespace": span.namespace,
                "kind": kind,
                "since": since,
                "after": after,
                "until": span.until,
                "present": span.present,
                "private": span.private,
                "take": _PAGE,
            },
        )
        yield rows
        if len(rows) < _PAGE:
            return
        since, after = rows[-1]["position"], rows[-1]["id"]
