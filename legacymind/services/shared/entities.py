"""Stored entities as results."""

import json
from datetime import datetime
from typing import Any, cast

from legacymind.db.rows.knowledge import NamedEntity, StoredEntity
from legacymind.model.base import OPEN
from legacymind.model.nodes import EntityDetails, EntityName


def entity_details(row: StoredEntity) -> EntityDetails:
    """The entity of a row."""
    return EntityDetails(
        id=row["id"],
        name=row["name"],
        entity_type=row["entity_type"] or "",
        description=row["description"],
        data=json_object(row["data"]),
        valid_from=row["valid_from"],
        valid_to=end(row["valid_to"]),
        recorded_at=row["recorded_at"],
        access_count=row["access_count"],
    )


def entity_name(row: NamedEntity) -> EntityName:
    """The entity that a row names."""
    return EntityName(id=row["id"], name=row["name"], entity_type=row["entity_type"] or "")


def end(valid_to: datetime | None) -> datetime | None:
    """The end of validity; null for the end of time, which marks what has none."""
    return None if valid_to is not None and valid_to >= OPEN else valid_to


def json_object(text: str | None) -> dict[str, Any] | None:
    """The JSON object of a text; a text that is none, written by something else, under the key ``text``."""
    if text is None:
        return None
    try:
        value: Any = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        value = text
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {"text": value}
