"""Stored nodes as results."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, TypedDict

from legacymind.model.graph import Belief, BeliefVerdict, Entity, Node, Observation, Thought, View
from legacymind.model.stored import EntityMembers, ObservationMembers, ThoughtMembers
from legacymind.model.think import ScoreParts
from legacymind.services.shared.entities import json_object, members
from legacymind.services.shared.items import NodeRow


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


def node(row: NodeRow, view: View) -> Node:
    """The node of a row."""
    stored = row["properties"]
    if row["kind"] == "thought":
        return Thought(
            view=view,
            id=stored["id"],
            content=stored.get("content"),
            outside_chain=row["outside_chain"],
            **members(ThoughtMembers, stored),
        )
    if row["kind"] == "entity":
        return Entity(view=view, data=json_object(stored.get("data")), **members(EntityMembers, stored))
    return Observation(
        view=view,
        id=stored["id"],
        content=stored.get("content"),
        entity_id=row["entity"]["id"] if row["entity"] else None,
        learned_from=row["learned_from"],
        supersedes=next(iter(row["supersedes"]), None),
        superseded_by=row["superseded_by"],
        **members(ObservationMembers, stored),
    )


def belief(row: NodeRow | None, view: View, as_of: datetime) -> Belief:
    """What was believed about a thought at a time, by what was readable then."""
    verdict: BeliefVerdict = "held"
    redacted_at = row and row["properties"].get("redacted_at")
    if row is None:
        verdict = "unknown"
    elif redacted_at and redacted_at <= as_of:
        verdict = "redacted"
    elif row["revised_by"]:
        verdict = "revised"
    elif row["contradicted_by"]:
        verdict = "contradicted"
    elif row["solved_by"]:
        verdict = "solved"
    return Belief(
        view=view,
        revised_by=row and row["revised_by"],
        solved_by=row and row["solved_by"],
        contradicted_by=row and row["contradicted_by"],
        as_of=as_of,
        verdict=verdict,
    )


def score_parts(row: RecalledRow) -> ScoreParts | None:
    """The parts of a memory's score; None unless all of them are stored."""
    own: Mapping[str, Any] = row
    parts: dict[str, Any] = {each.name: own[f"part_{each.name}"] for each in fields(ScoreParts)}
    return None if None in parts.values() else ScoreParts(**parts)
