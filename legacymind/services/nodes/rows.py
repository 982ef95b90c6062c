"""Stored nodes as results."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, TypedDict

from legacymind.model.graph import Belief, BeliefVerdict, Entity, Node, Observation, Thought, View
from legacymind.model.stored import EntityMembers, ObservationMembers, ThoughtMembers
from legacymind.model.think import ScoreParts
from legacymind.services.shared.entities import json_object, members

AnyNode = dict[str, Any]
"""The fields of a node as its class in ``model.graph`` has them, and its ``kind``."""


class RecalledRow(TypedDict):
    """The id of a recalled memory; the parts of its score are null if it was recalled by hand."""

    id: str
    rank: int
    score: float | None
    cosine: float | None
    part_similarity: float | None
    part_recency: float | None
    part_salience: float | None
    part_access: float | None
    part_contradiction: float | None
    via: str | None
    position: tuple[int, str]


class BeliefOfId(TypedDict):
    """What was believed about a thought. ``thought``: it was thought already."""

    id: str
    thought: bool
    redacted: bool
    revised_by: str | None
    solved_by: str | None
    contradicted_by: str | None


def node(row: AnyNode, view: View) -> Node:
    """The node of a row."""
    if row["kind"] == "thought":
        return thought(row, view)
    return entity(row, view) if row["kind"] == "entity" else observation(row, view)


def thought(row: AnyNode, view: View) -> Thought:
    """The thought of a row."""
    return Thought(
        view=view,
        id=row["id"],
        content=row["content"],
        outside_chain=row["outside_chain"],
        **members(ThoughtMembers, row),
    )


def entity(row: AnyNode, view: View) -> Entity:
    """The entity of a row."""
    return Entity(view=view, data=json_object(row["data"]), **members(EntityMembers, row))


def observation(row: AnyNode, view: View) -> Observation:
    """The observation of a row."""
    links = {name: row[name] for name in ("entity_id", "learned_from", "supersedes", "superseded_by")}
    return Observation(
        view=view, id=row["id"], content=row["content"], **links, **members(ObservationMembers, row)
    )


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
