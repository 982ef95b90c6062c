"""Stored nodes as results."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar, cast, get_args

from legacymind.db.statements.nodes import AnyNode, BeliefOfId, EntityNode, ObservationNode, ThoughtNode
from legacymind.db.statements.nodes import Recalled as RecalledRow
from legacymind.model.base import Mode, Submode
from legacymind.model.graph import Belief, BeliefVerdict, Entity, Node, Observation, Thought, View
from legacymind.model.think import ScoreParts
from legacymind.services.shared.entities import as_time, end, json_object

Choice = TypeVar("Choice", bound=str)


def node(row: AnyNode, view: View) -> Node:
    """The node of a row."""
    match row["kind"]:
        case "thought":
            return _thought(row, view)
        case "entity":
            return _entity(row, view)
        case "observation":
            return _observation(row, view)


def thought(row: AnyNode, view: View) -> Thought:
    """The thought of a row of a statement that reads only thoughts."""
    return _thought(cast("ThoughtNode", row), view)


def entity(row: AnyNode, view: View) -> Entity:
    """As ``thought``, for entities."""
    return _entity(cast("EntityNode", row), view)


def observation(row: AnyNode, view: View) -> Observation:
    """As ``thought``, for observations."""
    return _observation(cast("ObservationNode", row), view)


def belief(row: BeliefOfId, view: View, as_of: datetime) -> Belief:
    """What was believed about a thought."""
    return Belief(
        view=view,
        revised_by=row["revised_by"],
        solved_by=row["solved_by"],
        contradicted_by=row["contradicted_by"],
        as_of=as_of,
        verdict=_verdict(row),
    )


def _verdict(row: BeliefOfId) -> BeliefVerdict:
    if not row["thought"]:
        return "unknown"
    if row["redacted"]:
        return "redacted"
    if row["revised_by"]:
        return "revised"
    if row["contradicted_by"]:
        return "contradicted"
    return "solved" if row["solved_by"] else "held"


def score_parts(row: RecalledRow) -> ScoreParts | None:
    """The parts of a memory's score; None unless all of them are stored."""
    parts = {name: row[name] for name in ("similarity", "recency", "salience", "access", "contradiction")}
    if None in parts.values():
        return None
    return ScoreParts(**cast("dict[str, float]", parts))


def _thought(row: ThoughtNode, view: View) -> Thought:
    # A mode that does not exist, which a thought made by hand may have, is null.
    members = cast("dict[str, Any]", _without_kind(row))
    members["mode"] = _known(Mode, row["mode"])
    members["submode"] = _known(Submode, row["submode"])
    members["tags"] = row["tags"] or []
    return Thought(view=view, **members)


def _entity(row: EntityNode, view: View) -> Entity:
    return Entity(
        view=view,
        id=row["id"],
        name=row["name"] or "",
        entity_type=row["entity_type"] or "",
        aliases=row["aliases"] or [],
        description=row["description"],
        data=json_object(row["data"]),
        valid_from=as_time(row["valid_from"]),
        valid_to=end(row["valid_to"]),
        recorded_at=as_time(row["recorded_at"]),
        access_count=row["access_count"],
        mass=row["mass"],
        community_label=row["community_label"],
    )


def _observation(row: ObservationNode, view: View) -> Observation:
    members = cast("dict[str, Any]", _without_kind(row))
    members["valid_from"] = as_time(row["valid_from"])
    members["valid_to"] = end(row["valid_to"])
    members["recorded_at"] = as_time(row["recorded_at"])
    return Observation(view=view, **members)


def _known(choices: Any, value: str | None) -> Any:
    return value if value in get_args(choices) else None


def _without_kind(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in row.items() if name != "kind"}
