"""Stored records as members of results."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from legacymind.db.query import load
from legacymind.model import properties
from legacymind.model.base import OPEN
from legacymind.model.nodes import EntityDetails, MergedEntity
from legacymind.model.stored import EntityMembers
from legacymind.origins import said_by_of

FIND_NAMED = load("search/find_named", tuple[str, list[str]], writes=False)


def members(record: type, row: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a record of ``model.stored`` that a row has with the right type.

    Other tools may have stored another one. The end of time, which marks what has no end, is null.
    """
    known = properties.members(record, row)
    return known | {"valid_to": end(known["valid_to"])} if "valid_to" in known else known


def entity_details(row: Mapping[str, Any], merged: Sequence[Mapping[str, Any]]) -> EntityDetails:
    """The entity of a row, with the entities that were merged into it."""
    return EntityDetails(
        said_by=said_by_of(row),
        data=json_object(row.get("data")),
        merged=sorted(
            (_merged(**one) for one in merged),
            key=lambda one: (one.merged_at, one.id),
        ),
        **members(EntityMembers, row),
    )


def _merged(data: str | None, **rest: Any) -> MergedEntity:
    return MergedEntity(data=json_object(data), **rest)


def relation_members(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a result that a stored relation has."""
    rest = dict(properties)
    said = said_by_of(rest)
    for name in ("origin", "door", "by", "trust", "changed_at", "noted_at", "replica"):
        rest.pop(name, None)
    return {
        "said_by": said,
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
