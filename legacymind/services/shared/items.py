"""The one read of nodes: a list finds ids first, and reads here what it shows of them."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, Final, TypedDict, TypeVar

from legacymind.db.graph import Graph
from legacymind.db.query import Parameters, load
from legacymind.model.base import MAX_CONTENT, Item, Kind
from legacymind.model.graph import View
from legacymind.model.nodes import EntityName
from legacymind.model.think import ScoreParts
from legacymind.operations import budget
from legacymind.operations.pages import FIRST_SECOND, LAST_SECOND, Position
from legacymind.origins import said_by_of, trust_of
from legacymind.ranking.dates import moment
from legacymind.services.shared.entities import members


class WholeRow(TypedDict):
    """What lists show of no node. ``embedded``: it has a vector in the slot in use."""

    embedded: bool
    merged: list[dict[str, Any]]
    learned_from: list[str]
    supersedes: list[str]
    superseded_by: str | None


class NodeRow(TypedDict):
    """A node: properties as they are stored, what a fact is about, and three marks.

    Without ``whole``, the properties are those that lists show, and their ``times`` are apart, as
    microseconds since 1970: the driver takes twenty times as long for a time as for a number.
    """

    kind: Kind
    properties: dict[str, Any]
    times: list[int | None] | None
    entity: EntityName | None
    outside_chain: bool
    revised_by: str | None
    solved_by: str | None
    contradicted_by: str | None
    whole: WholeRow | None


READ_NODES = load("nodes/read_nodes", list[tuple[str, NodeRow]], writes=False)
"""One row for all nodes: the driver takes as long for a row as for what is in this one."""

_TIMES: Final = ("created_at", "valid_from", "valid_to", "redacted_at")


Neighbours = tuple[str, list[dict[str, Any]]]
"""The id of a node, and a page of what it leads to: each with an id, its position in the list, and more."""

LIST_IN_TIME = load("nodes/list_in_time", Neighbours, writes=False)
LIST_OF = load("nodes/list_of", Neighbours, writes=False)


def in_time(*, latest_first: bool) -> Position:
    """The position in time before all items."""
    return (LAST_SECOND if latest_first else FIRST_SECOND, 0, -(2**63), "")


def at(position: Position) -> Parameters:
    """The parameters of a list that begins after a position in time."""
    return dict(zip(("seconds", "nanoseconds", "step", "id"), position, strict=True))


Record = TypeVar("Record")


async def rows(
    graph: Graph,
    view: View,
    ids: Sequence[str],
    *,
    length: int = MAX_CONTENT,
    as_of: datetime | None = None,
    whole: bool = False,
) -> dict[str, NodeRow]:
    """The nodes that may be read, by the ids that name them; texts have at most ``length`` characters.

    With ``as_of``, those that existed or were true at that time, with the marks that they had then. With
    ``whole``, all that is stored about them.
    """
    if not ids:
        return {}
    (found,) = await graph.run(
        READ_NODES,
        {
            "ids": list(ids),
            "namespace": view.namespace,
            "own_session": view.own_session,
            "as_of": as_of,
            "text_length": length,
            "whole": whole,
        },
    )
    for _, row in found:
        times = zip(_TIMES, row["times"] or (), strict=False)
        row["properties"] |= {name: moment(at) for name, at in times if at is not None}
    return dict(found)


def details(row: NodeRow) -> WholeRow:
    """What is known only of a node that was read whole."""
    assert row["whole"] is not None, "the node was read for a list"
    return row["whole"]


async def read(graph: Graph, view: View, ids: Sequence[str], length: int) -> dict[str, Item]:
    """What lists show of nodes, by the ids that name them; texts end with an ellipsis after ``length``."""
    found = await rows(graph, view, ids, length=length + 1)
    return {id: record(Item, row, length) for id, row in found.items()}


def record(kind: type[Record], row: NodeRow, length: int, **more: Any) -> Record:
    """A node as a record of a list, which has the members ``more`` beside those of the node."""
    stored = row["properties"]
    about = row["entity"]
    name, entity_type = (about.name, about.entity_type) if about else (None, None)
    whole = stored.get("content")
    if row["kind"] == "entity":
        name, entity_type = stored.get("name"), stored.get("entity_type")
        named = (stored.get("name"), stored.get("description"))
        whole = ": ".join(part for part in named if isinstance(part, str) and part)
    text = budget.beginning(whole if isinstance(whole, str) else "", length)
    known: dict[str, Any] = {
        **stored,
        "kind": row["kind"],
        "text": text,
        "content": text,
        "said_by": said_by_of(stored),
        "created_at": stored.get("created_at", stored.get("recorded_at")),
        "entity": name,
        "entity_type": entity_type,
        "outside_chain": row["outside_chain"] or None,
        "standing": stored.get("standing") or None,
        "namespace": None,  # that of the answer
        "revised_by": row["revised_by"],
        "solved_by": row["solved_by"],
        "contradicted_by": row["contradicted_by"],
    }
    return kind(**{**members(kind, known), **more})


def trust(row: NodeRow) -> int:
    """The trust of a node."""
    return trust_of(row["properties"].get("trust"))


def score_parts(recall: Mapping[str, Any]) -> ScoreParts | None:
    """The addends of a memory's score, from its ``RECALLS``; None unless all are stored."""
    parts = {each.name: recall.get(f"part_{each.name}") for each in fields(ScoreParts)}
    known = {name: round(part, 4) for name, part in parts.items() if part is not None}
    return ScoreParts(**known) if len(known) == len(parts) else None


def round_score(score: float | None) -> float | None:
    """A score or cosine rounded to four decimals; None stays None."""
    return None if score is None else round(score, 4)
