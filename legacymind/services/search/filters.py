"""Search filters, declared once for every operation that searches thoughts."""

from datetime import datetime
from typing import Annotated, TypedDict, cast

from legacymind.db.filters import FilterValues, Scalar
from legacymind.model.about import about
from legacymind.model.base import LINK_NAMES
from legacymind.model.values import Tags, Unit
from legacymind.services.shared import checks


class Filters(TypedDict, total=False):
    """Filters of thoughts. An index answers each of them."""

    session_id: Annotated[str | None, about("Id", "Only thoughts of this session")]
    chain_id: Annotated[str | None, about("Label", "Only thoughts with this chain_id")]
    previous_thought_id: Annotated[str | None, about("Id", "Only thoughts that follow this thought")]
    revises_thought: Annotated[str | None, about("Id", "Only thoughts that revise this thought")]
    branch_from: Annotated[str | None, about("Id", "Only thoughts that branch from this thought")]
    parent_id: Annotated[str | None, about("Id", "Only children of this thought")]
    action_id: Annotated[str | None, about("Id", "Only thoughts that led to this action")]
    origin: Annotated[str | None, about("human or tool", "Only thoughts of this origin: human or tool")]
    author: Annotated[str | None, about("Name", "Only thoughts of this author")]
    mode: Annotated[str | None, about("Name", "Only thoughts in this mode")]
    thought_type: Annotated[str | None, about("Name", "Only thoughts of this type")]
    tags: Annotated[Tags | None, about("All of these", "Only thoughts with all of these tags")]
    confidence_gte: Annotated[Unit | None, about("Least", "Only thoughts with at least this confidence")]
    confidence_lte: Annotated[Unit | None, about("Most", "Only thoughts with at most this confidence")]
    date_from: Annotated[
        str | None,
        about(
            "YYYY-MM-DD, UTC",
            "Only thoughts from this day (YYYY-MM-DD, UTC, inclusive) or ISO 8601 time on",
        ),
    ]
    date_to: Annotated[
        str | None,
        about("Inclusive", "Only thoughts up to this day (YYYY-MM-DD, UTC, inclusive) or ISO 8601 time"),
    ]
    as_of: Annotated[
        datetime | None,
        about(
            "ISO time",
            "Only thoughts up to this ISO 8601 time, and only observations true at that time. Default: now",
        ),
    ]


def conditions(values: Filters) -> FilterValues:
    """The checked filters by the names of ``FILTERS``, without those not given; raises InvalidInput.

    ``tags`` are not among them: no vector index holds a list. What was known then was thought by then, so
    that ``as_of`` bounds ``date_to``.
    """
    mode = values.get("mode")
    until = checks.day("date_to", values.get("date_to"), end=True)
    found: dict[str, Scalar | None] = {
        **{
            name: checks.key(name, values.get(name))
            for name in ("session_id", "chain_id", "action_id", "origin", "author", "thought_type")
        },
        "mode": None if mode is None else checks.key("mode", mode.strip().lower()),
        **{name: checks.thought_id(name, values.get(name)) for name in LINK_NAMES},
        "confidence_gte": values.get("confidence_gte"),
        "confidence_lte": values.get("confidence_lte"),
        "date_from": checks.day("date_from", values.get("date_from"), end=False),
        "date_to": min(filter(None, (until, checks.moment(values.get("as_of")))), default=None),
    }
    return cast("FilterValues", {name: value for name, value in found.items() if value is not None})


def tags(values: Filters) -> list[str]:
    """The checked tags, without duplicates; a thought must have all of them."""
    return [checks.key("tag", tag) for tag in dict.fromkeys(values.get("tags") or ())]
