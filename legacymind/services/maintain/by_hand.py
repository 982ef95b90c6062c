"""Entities and observations made by hand: what they get, by the functions of ``remember``. No I/O."""

from datetime import datetime
from typing import Any, Final, Literal, TypedDict, cast

from legacymind.calls import Speaker
from legacymind.db.stored import Property
from legacymind.errors import InvalidInput
from legacymind.model.base import OPEN, EntityInput, ObservationInput
from legacymind.origins import AGENT
from legacymind.services.knowledge.batch import Batch
from legacymind.services.knowledge.importers.records import checked
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
    """A node made by hand. Its properties may have any type."""

    element_id: str
    properties: dict[str, Any]
    entity: EntityOfRow | None


class AdoptedNode(TypedDict):
    """A node made by hand: its keys, by which the same entity or fact is found, and its properties.

    Keys are ``name_key`` and ``type_key`` of an entity, ``entity_id`` and ``fact_key`` of an observation.
    """

    element_id: str
    namespace: str
    keys: dict[str, str]
    properties: dict[str, Property]


_SAID: Final[Speaker] = {"origin": "agent", "door": "the database", "by": None, "trust": AGENT}
"""Anybody with access to the database may have made it: an agent, too."""

_READ: Final[dict[HandMadeKind, tuple[str, ...]]] = {
    "entity": ("name", "entity_type", "description", "valid_from"),
    "observation": ("content", "valid_from", "valid_to", "standing"),
}
"""What is read of a node; other properties with a name of LegacyMind's get its value."""


def complete(kind: HandMadeKind, row: HandMadeRow, settings: Settings, now: datetime) -> AdoptedNode:
    """What a node made by hand becomes: as ``remember`` stores it, with its own id and namespace.

    Raises Fault, InvalidInput or RequestRefused if one of its values cannot be used.
    """
    if kind == "thought":
        raise InvalidInput("A thought that was made by hand is not used.", hint="Use think.")
    own, entity = row["properties"], row["entity"] if kind == "observation" else None
    for name in ("id", "namespace"):
        if not isinstance(own.get(name), str | None):
            raise InvalidInput(f"{name} is not a text.", hint=f"Convert or remove {name}.")
    read = {name: own[name] for name in _READ[kind] if own.get(name) is not None}
    if kind == "observation":
        if entity is None:
            raise InvalidInput(
                "It is about no entity.", hint="Create (observation)-[:ABOUT]->(entity), or use remember."
            )
        if not entity["known"]:
            raise InvalidInput("Its entity cannot be used.", hint="Correct the entity.")
        read |= {"entity": entity["name"], "entity_type": entity["entity_type"]}
    item = checked({"kind": kind, **read})
    batch = Batch(
        now,
        now,
        [item] if isinstance(item, EntityInput) else [],
        [item] if isinstance(item, ObservationInput) else [],
        [],
        said=_SAID,
    )
    if entity is None:
        namespace = checks.namespace(checks.key("namespace", own.get("namespace")), settings)
        (new,) = batch.entity_rows(namespace, [None])
        keys, others = ("name_key", "type_key"), ("name", "entity_type", "other_forms")
    else:
        namespace = entity["namespace"]
        if own.get("namespace", namespace) != namespace:
            raise InvalidInput(
                "Its entity is in another namespace.", hint="Use the entity's namespace, or remove namespace."
            )
        (new,) = batch.observation_rows({0: entity["id"]}, [None])
        keys, others = ("entity_id", "fact_key"), ("content", "title", "other_forms")
    properties: dict[str, Property] = {
        **{name: new[name] for name in (*keys, *others)},
        "id": checks.key("id", own.get("id")) or new["id"],
        "namespace": namespace,
        "ns_key": fulltext.namespace_key(namespace),
        "kind": kind,
        "recorded_at": now,
        "valid_from": batch.times[new["valid_from"]],
        "valid_to": batch.times[new["valid_to"]] if "valid_to" in new else OPEN,
        "standing": new["properties"].get("standing"),
        "access_count": 0,
        **cast("dict[str, Property]", _SAID),
        "embedding_a": None,
        "embedding_b": None,
        "embedding_deferred": True,
        "mentions_deferred": True if kind == "entity" else None,
    }
    return {
        "element_id": row["element_id"],
        "namespace": namespace,
        "keys": {name: new[name] for name in keys},
        "properties": properties,
    }
