"""What a search may be narrowed by: declared once for every operation that searches thoughts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, TypedDict

from pydantic import Field

from legacymind.model.base import ALWAYS, LINK_NAMES, OPEN
from legacymind.operations.coercion import Tags, Unit
from legacymind.services.shared import checks

DATE = "YYYY-MM-DD, UTC, inclusive"


class Filters(TypedDict, total=False):
    """The filters of thoughts; each is answered inside an index."""

    session_id: str | None
    chain_id: str | None
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    action_id: str | None
    origin: str | None
    author: str | None
    mode: str | None
    thought_type: str | None
    tags: Annotated[Tags | None, Field(description="All of these")]
    confidence_gte: Unit | None
    confidence_lte: Unit | None
    date_from: Annotated[str | None, Field(description=DATE)]
    date_to: str | None
    as_of: Annotated[datetime | None, Field(description="As known then")]


def conditions(given: Filters) -> dict[str, Any]:
    """The checked filters by the names of ``queries.FILTERS``, without those not given; raises InvalidInput.

    ``tags`` are not among them: no vector index holds a list. What was known then was thought by then, so
    that ``as_of`` bounds ``date_to``.
    """
    mode = given.get("mode")
    until = checks.day("date_to", given.get("date_to"), end=True)
    found: dict[str, Any] = {
        **{
            name: checks.key(name, given.get(name))
            for name in ("session_id", "chain_id", "action_id", "origin", "author", "thought_type")
        },
        "mode": None if mode is None else checks.key("mode", mode.strip().lower()),
        **{name: checks.thought_id(name, given.get(name)) for name in LINK_NAMES},
        "confidence_gte": given.get("confidence_gte"),
        "confidence_lte": given.get("confidence_lte"),
        "date_from": checks.day("date_from", given.get("date_from"), end=False),
        "date_to": min(filter(None, (until, checks.moment(given.get("as_of")))), default=None),
    }
    return {name: value for name, value in found.items() if value is not None}


def predicate(conditions: Mapping[str, Any]) -> dict[str, Any]:
    """The same conditions as values, for statements with one text for every combination of filters.

    ``confidence`` is the least and the greatest confidence. A thought without one counts as -1, which is
    within these bounds only when neither is given.
    """
    least, most = conditions.get("confidence_gte"), conditions.get("confidence_lte")
    return {
        "exact": {name: value for name, value in conditions.items() if isinstance(value, str)},
        "since": conditions.get("date_from", ALWAYS),
        "until": conditions.get("date_to", OPEN),
        "confidence": [
            -1.0 if (least, most) == (None, None) else least or 0.0,
            1.0 if most is None else most,
        ],
    }


def tags(given: Filters) -> list[str]:
    """The tags that all must be there."""
    return [checks.key("tag", tag) for tag in dict.fromkeys(given.get("tags") or ())]
