"""The lines that this home writes: what changed here since a time, and all of it for an export."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypedDict

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.services.sync.fields import members
from legacymind.services.sync.reconcile import travelling

SyncKind = Literal["removed", "entity", "observation", "thought"]
"""The kinds of nodes that travel."""

KINDS: Final[tuple[SyncKind, ...]] = ("removed", "entity", "observation", "thought")
"""They are written, and stored, in this order."""

BEGINNING: Final = "0001-01-01T00:00:00Z"

_PAGE: Final = 500


class ChangedRow(TypedDict):
    """A changed node and its place in time; ``goes``: it does not stay home.

    Properties only if asked for, and if no home that is present writes them.
    """

    id: str
    position: str
    goes: bool
    properties: dict[str, Any] | None


READ_CHANGED = load("sync/read_changed", ChangedRow, writes=False)
READ_SESSIONS = load("sync/read_sessions", dict[str, Any], writes=False)
READ_HORIZON = load("sync/read_horizon", str, writes=False)
READ_LINKS = load("sync/read_links", tuple[str, list[str], list[str], dict[str, Any]], writes=False)


@dataclass(frozen=True, slots=True)
class SyncSpan:
    """What to collect: the changes since a time, without those that ``present`` homes write themselves.

    ``replica`` is this home's id, if it has one.
    """

    namespace: str
    replica: str | None
    since: str = BEGINNING
    present: Sequence[str] = ()
    private: bool = True


async def everything(graph: Graph, namespace: str) -> AsyncIterator[dict[str, Any]]:
    """All lines of a namespace, with the heads of its sessions.

    What may have changed meanwhile follows as it is now, so the steps up to each head are there; it is there
    twice if it did not change.
    """
    replica = (await graph.ready()).database.get("replica")
    span = SyncSpan(namespace, str(replica) if replica else None)
    (begun,) = await graph.run(READ_HORIZON, {})
    async for line in changes(graph, span):
        yield line
    async for line in _heads(graph, namespace):
        yield line
    async for line in changes(graph, replace(span, since=begun)):
        yield line


async def changes(
    graph: Graph, span: SyncSpan, kinds: Sequence[SyncKind] = KINDS
) -> AsyncIterator[dict[str, Any]]:
    """The lines of nodes, then those of relationships."""
    for kind in kinds:
        async for rows in _pages(graph, span, kind, whole=True):
            for row in rows:
                if (own := row["properties"]) is not None:
                    yield _node(kind, own, span.replica)
    for kind in kinds:
        if kind != "removed":
            async for rows in _pages(graph, span, kind, whole=False):
                sought = {
                    "namespace": span.namespace,
                    "ids": [row["id"] for row in rows if row["goes"]],
                    "since": span.since,
                    "present": span.present,
                    "private": span.private,
                }
                async for name, start, end, own in graph.stream(READ_LINKS, sought):
                    link = {"kind": "link", "type": name, "from": start, "to": end}
                    yield {**link, "properties": members("link", own), **_by(own, span.replica)}


def _node(kind: SyncKind, own: dict[str, Any], replica: str | None) -> dict[str, Any]:
    held = travelling(own)
    if kind == "removed":
        held = {name: own[name] for name in ("id", "removed_at")}
    return {
        "kind": kind,
        **members(kind, {("node_kind" if name == "kind" else name): held[name] for name in held}),
        **_by(own, replica),
    }


def _by(own: dict[str, Any], replica: str | None) -> dict[str, str]:
    by = own.get("replica") or replica
    return {"replica": by} if by else {}


async def _pages(
    graph: Graph, span: SyncSpan, kind: SyncKind, *, whole: bool
) -> AsyncIterator[Sequence[ChangedRow]]:
    """The nodes of a kind in the order of their changes; all thoughts as they were stored."""
    first = kind == "thought" and span.since == BEGINNING
    asked = {"namespace": span.namespace, "present": span.present, "private": span.private}
    asked |= {"all": not first, "whole": whole, "take": _PAGE}
    for order in ("stored", kind) if first else (kind,):
        since, after = span.since, ""
        while True:
            given = {**asked, "kind": order, "since": since, "after": after}
            yield (rows := await graph.run(READ_CHANGED, given))
            if len(rows) < _PAGE:
                break
            since, after = rows[-1]["position"], rows[-1]["id"]


async def _heads(graph: Graph, namespace: str) -> AsyncIterator[dict[str, Any]]:
    after = ""
    while rows := await graph.run(READ_SESSIONS, {"namespace": namespace, "after": after, "take": _PAGE}):
        for own in rows:
            yield {"kind": "session", **members("session", own)}
        after = rows[-1]["id"]
