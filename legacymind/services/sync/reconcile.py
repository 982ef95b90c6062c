"""What becomes of a node that two homes changed: pure, and the same in every order and however often.

The later change wins, whole; of equal times, the greater content. Apart from that change, outcomes are
united, and a merge is never undone. A hashed value never differs.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from legacymind.model.properties import EVIDENCE, HASHED, marked
from legacymind.model.stored import Entity, Observation, Thought, local
from legacymind.services.chain.hashing import utc

Row = Mapping[str, Any]
"""The properties of a node that travel."""

_EVER: Final = datetime(1, 1, 2, tzinfo=UTC)

_MERGED: Final = (
    "merged_at",
    "merged_by",
    "merged_reason",
    "merged_observations",
    "merged_relations",
    "kind",
)
_APART: Final = frozenset({"outcomes", *_MERGED, "changed_at", "recorded_at", "stated_at", "merged_from"})

_LOCAL: Final = local(Thought, Entity, Observation)
"""What each home has for itself."""

ERASED: Final = frozenset({"framework_analysis", "error_signature", "playbook", "standing"})
"""What a redaction takes beside the text."""

KEPT: Final = frozenset((*marked(Thought, HASHED, EVIDENCE), "title", "chained"))
"""Of a thought, what no later change touches: a redaction is a step of its own."""


def travels(name: str) -> bool:
    """Whether a property of a node goes to other homes."""
    return name not in _LOCAL and not name.startswith("embedding_")


def travelling(own: Row) -> dict[str, Any]:
    """The properties of a node that go to other homes and have a value."""
    found = {name: value for name, value in own.items() if value is not None and travels(name)}
    if "fact_key" in found:  # of several facts with one text, all but one have their id in it
        found["fact_key"] = found["fact_key"].partition(" ")[0]
    if "type_key" in found:  # as of several entities with one name and type
        found["type_key"] = found["type_key"].removesuffix(f" {found['id']}")
    return found


def reconciled(here: Row, there: Row) -> dict[str, Any]:
    """Both rows as one."""
    older, newer = sorted((here, there), key=_age)
    result = {name: value for name, value in newer.items() if name not in _APART}
    result["changed_at"] = newer.get("changed_at")
    result["outcomes"] = sorted({*(here.get("outcomes") or ()), *(there.get("outcomes") or ())}) or None
    recorded = [at for row in (here, there) if (at := row.get("recorded_at")) is not None]
    result["recorded_at"] = min(recorded, default=None)
    result["stated_at"] = max((at for row in (here, there) if (at := row.get("stated_at"))), default=None)
    result["merged_from"] = min((by for row in (here, there) if (by := row.get("merged_from"))), default=None)
    merged = max((older, newer), key=_merge)
    result |= {name: merged.get(name) for name in _MERGED}
    return {name: value for name, value in result.items() if value is not None}


def moves(here: Row, there: Row) -> bool:
    """Whether a fact goes to the entity that it has there: as the later change says, or a merge if equal."""
    return _place(there) > _place(here)


def _place(row: Row) -> tuple[datetime, bool, str]:
    return row.get("changed_at") or _EVER, "merged_from" in row, row["entity_id"]


def _age(row: Row) -> tuple[datetime, str]:
    content = {name: value for name, value in row.items() if name not in _APART}
    return row.get("changed_at") or _EVER, _text(content)


def _merge(row: Row) -> tuple[datetime, str]:
    return row.get("merged_at") or _EVER, _text({name: row.get(name) for name in _MERGED})


def _text(values: Row) -> str:
    return json.dumps(
        values, sort_keys=True, default=lambda one: utc(one) if isinstance(one, datetime) else str(one)
    )
