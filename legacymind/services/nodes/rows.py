"""Stored nodes as results."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, get_args

from legacymind.db.statements.nodes import AnyNode, BeliefOfId
from legacymind.db.statements.nodes import Recalled as RecalledRow
from legacymind.model.base import Mode, Submode
from legacymind.model.graph import Belief, BeliefVerdict, Entity, Node, Observation, Thought, View
from legacymind.model.think import ScoreParts
from legacymind.services.shared.entities import as_time, end, json_object


def node(row: AnyNode, view: View) -> Node:
    """The node of a row."""
    if row["kind"] == "thought":
        return thought(row, view)
    return entity(row, view) if row["kind"] == "entity" else observation(row, view)


def thought(row: AnyNode, view: View) -> Thought:
    """The thought of a row. A mode that does not exist, which one made by hand may have, is null."""
    members = _members(row, tags=row["tags"] or [])
    members["mode"], members["submode"] = _known(Mode, row["mode"]), _known(Submode, row["submode"])
    return Thought(view=view, **members)


def entity(row: AnyNode, view: View) -> Entity:
    """The entity of a row."""
    members = _members(row, name=row["name"] or "", entity_type=row["entity_type"] or "")
    members["aliases"], members["data"] = row["aliases"] or [], json_object(row["data"])
    return Entity(view=view, **members)


def observation(row: AnyNode, view: View) -> Observation:
    """The observation of a row."""
    return Observation(view=view, **_members(row))


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
    own: Mapping[str, Any] = row
    parts: dict[str, Any] = {each.name: own[f"part_{each.name}"] for each in fields(ScoreParts)}
    return None if None in parts.values() else ScoreParts(**parts)


def _known(choices: Any, value: str | None) -> Any:
    return value if value in get_args(choices) else None


def _members(row: AnyNode, **others: Any) -> dict[str, Any]:
    """The fields of a node without its kind; times of validity in the form of results."""
    members = {name: value for name, value in row.items() if name != "kind"} | others
    if "valid_from" in members:
        members |= {name: as_time(row[name]) for name in ("valid_from", "recorded_at")}
        members["valid_to"] = end(row["valid_to"])
    return members
