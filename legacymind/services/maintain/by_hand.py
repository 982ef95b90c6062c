"""Entities and observations made by hand: what they lack, by the functions of ``remember``. No I/O."""

from datetime import datetime
from typing import Any, Final, Literal, TypedDict

from legacymind.db.stored import Property
from legacymind.errors import InvalidInput
from legacymind.model import stored
from legacymind.model.base import OPEN, EntityInput, ObservationInput
from legacymind.services.knowledge.batch import Batch
from legacymind.services.shared import checks
from legacymind.settings import Settings
from legacymind.text import fulltext

HandMadeKind = Literal["entity", "observation", "thought"]


class EntityOfRow(TypedDict):
    """The entity that an observation is about; ``known`` unless it was made by hand, too."""

    id: Any
    name: Any
    entity_type: Any
    namespace: Any
    known: bool


class HandMadeRow(TypedDict):
    """A node made by hand. Its properties may have any type; ``other_types`` names the unusual ones."""

    element_id: str
    properties: dict[str, Any]
    other_types: list[str]
    entity: EntityOfRow | None


class AdoptedNode(TypedDict):
    """A node made by hand: its keys, by which the same entity or fact is found, and its missing properties.

    Keys are ``name_key`` and ``type_key`` of an entity, ``entity_id`` and ``fact_key`` of an observation.
    """

    element_id: str
    namespace: str
    keys: dict[str, str]
    missing: dict[str, Property]


_WANTED: Final[dict[stored.Type, str]] = {
    "text": "a text",
    "whole": "a whole number",
    "number": "a number with a point",
    "flag": "true or false",
    "time": "a date-time with a time zone",
    "texts": "a list of texts",
    "numbers": "a list of numbers",
}


def complete(kind: HandMadeKind, row: HandMadeRow, settings: Settings, now: datetime) -> AdoptedNode:
    """What a node made by hand lacks. Existing values are kept.

    Raises InvalidInput or RequestRefused if a value cannot be used: its ``what`` is the reason, its ``hint``
    the remedy.
    """
    if kind == "thought":
        raise InvalidInput("A thought that was made by hand is not used.", hint="Use think.")
    own = row["properties"]
    _check_types(kind, row)
    text = "name" if kind == "entity" else "content"
    if own.get(text) is None:
        raise InvalidInput(f"{text} is missing.", hint=f"Set {text}.")
    namespace, keys, fields = _entity(own, settings, now) if kind == "entity" else _fact(row, now)
    for name, right in (keys | {"kind": kind}).items():
        if own.get(name, right) != right:
            raise InvalidInput(f"{name} is not {right!r}.", hint=f"Remove {name}; it is filled in.")
    complete: dict[str, Property] = {
        "namespace": namespace,
        "ns_key": fulltext.namespace_key(namespace),
        "kind": kind,
        "recorded_at": now,
        "access_count": 0,
        "embedding_deferred": True,
        **keys,
        **fields,
    }
    return {
        "element_id": row["element_id"],
        "namespace": namespace,
        "keys": keys,
        "missing": {
            name: value for name, value in complete.items() if value is not None and own.get(name) is None
        },
    }


def _check_types(kind: Literal["entity", "observation"], row: HandMadeRow) -> None:
    """Raise InvalidInput for a property that LegacyMind would read as something else, or not at all."""
    own = row["properties"]
    for name, each in stored.properties(stored.NODES[kind]).items():
        value = own.get(name)
        naive = isinstance(value, datetime) and value.tzinfo is None
        if value is not None and (not each.fits(value) or naive or name in row["other_types"]):
            raise InvalidInput(f"{name} is not {_WANTED[each.type]}.", hint=f"Convert or remove {name}.")
    checks.key("id", own.get("id"))
    for slot in ("embedding_a", "embedding_b"):
        if own.get(slot) is not None:
            raise InvalidInput(
                f"{slot} is set, but vectors of another origin cannot be compared.", hint="Remove it."
            )


_Completed = tuple[str, dict[str, str], dict[str, Property]]
"""The namespace of a node, its keys, and what else it lacks."""


def _entity(own: dict[str, Any], settings: Settings, now: datetime) -> _Completed:
    item = EntityInput(
        name=own["name"],
        entity_type=own.get("entity_type") or "",
        description=own.get("description") or None,
        valid_from=own.get("valid_from"),
    )
    batch = Batch(now, now, [item], [], [])
    (new,) = batch.entity_rows([None])
    valid_from = batch.times[int(new["valid_from"])]
    if own.get("valid_to", OPEN) <= valid_from:
        raise InvalidInput(
            "valid_to is earlier than valid_from, or than now.", hint="Correct or remove one of them."
        )
    return (
        checks.namespace(own.get("namespace"), settings),
        {"name_key": new["name_key"], "type_key": new["type_key"]},
        {
            "id": new["id"],
            "entity_type": "",
            "other_forms": new["other_forms"],
            "valid_from": valid_from,
            "valid_to": OPEN,
            "mentions_deferred": True,
        },
    )


def _fact(row: HandMadeRow, now: datetime) -> _Completed:
    own, entity = row["properties"], row["entity"]
    if entity is None:
        raise InvalidInput(
            "It is about no entity.", hint="Create (observation)-[:ABOUT]->(entity), or use remember."
        )
    if not entity["known"]:
        raise InvalidInput("Its entity cannot be used.", hint="Correct the entity.")
    if own.get("namespace", entity["namespace"]) != entity["namespace"]:
        raise InvalidInput(
            "Its entity is in another namespace.", hint="Use the entity's namespace, or remove namespace."
        )
    item = ObservationInput(
        entity=entity["name"],
        entity_type=entity["entity_type"],
        content=own["content"],
        valid_from=own.get("valid_from"),
        valid_to=own.get("valid_to"),
        standing=own.get("standing"),
    )
    batch = Batch(now, now, [], [item], [])
    (new,) = batch.observation_rows({0: entity["id"]}, [None])
    return (
        entity["namespace"],
        {"entity_id": new["entity_id"], "fact_key": new["fact_key"]},
        {
            "id": new["id"],
            "title": new["title"],
            "other_forms": new["other_forms"],
            "valid_from": batch.times[int(new["valid_from"])],
            "valid_to": batch.times[new["valid_to"]],
            "standing": new["properties"].get("standing"),
        },
    )
