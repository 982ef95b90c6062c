"""Stored entities as results."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict, cast

from legacymind.db.statements.knowledge import NamedEntity, StoredEntity, StoredMerge
from legacymind.model.base import OPEN
from legacymind.model.nodes import EntityDetails, EntityName, MergedEntity


def entity_details(row: StoredEntity, merged: Sequence[StoredMerge]) -> EntityDetails:
    """The entity of a row, with the entities that were merged into it."""
    return EntityDetails(
        id=row["id"],
        name=row["name"],
        entity_type=row["entity_type"] or "",
        description=None if row["description"] is None else str(row["description"]),
        data=json_object(row["data"]),
        valid_from=as_time(row["valid_from"]),
        valid_to=end(row["valid_to"]),
        recorded_at=as_time(row["recorded_at"]),
        access_count=row["access_count"],
        merged=sorted((_merged(one) for one in merged), key=lambda one: (one.merged_at, one.id)),
    )


def _merged(row: StoredMerge) -> MergedEntity:
    return MergedEntity(
        id=row["id"],
        name=row["name"],
        entity_type=row["entity_type"] or "",
        description=row["description"],
        data=json_object(row["data"]),
        merged_at=row["merged_at"],
        merged_by=row["merged_by"],
        reason=row["merged_reason"],
        observations=row["merged_observations"],
        relations=row["merged_relations"],
    )


def entity_name(row: NamedEntity) -> EntityName:
    """The entity that a row names."""
    return EntityName(id=row["id"], name=row["name"], entity_type=row["entity_type"] or "")


class RelationMembers(TypedDict):
    """The properties of a relation: those that LegacyMind defines, and the others."""

    id: str | None
    source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime | None
    properties: dict[str, Any]


def relation_members(properties: Mapping[str, Any]) -> RelationMembers:
    """The members of a result that a stored relation has."""
    rest = dict(properties)
    return {
        "id": rest.pop("id", None),
        "source": rest.pop("source", None),
        "valid_from": as_time(rest.pop("valid_from", None)),
        "valid_to": end(rest.pop("valid_to", None)),
        "recorded_at": as_time(rest.pop("recorded_at", None)),
        "properties": rest,
    }


def as_time(stored: object) -> datetime | None:
    """A stored time; null for a value of another type, which other tools may have written."""
    return stored if isinstance(stored, datetime) else None


def end(valid_to: object) -> datetime | None:
    """The end of validity; null for the end of time, which marks what has none."""
    known = as_time(valid_to)
    return None if known is not None and known >= OPEN else known


def json_object(text: str | None) -> dict[str, Any] | None:
    """The JSON object of a text; a text that is none, written by something else, under the key ``text``."""
    if text is None:
        return None
    try:
        value: Any = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        value = text
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {"text": value}
