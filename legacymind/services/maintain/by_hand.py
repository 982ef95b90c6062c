"""Nodes made by hand: which of their values can be used, and what they lack. No I/O."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, Literal, TypedDict, cast

from legacymind.db.stored import Property
from legacymind.embed.base import Thresholds
from legacymind.errors import InvalidInput
from legacymind.model import stored
from legacymind.model.base import OPEN, Kind
from legacymind.model.stored import Mark
from legacymind.services.shared import checks
from legacymind.services.shared.chain_keys import ChainKeys
from legacymind.services.think.inputs import ThoughtDraft
from legacymind.services.think.thought import hashed, prepare, properties
from legacymind.settings import Settings
from legacymind.text import fulltext, keys
from legacymind.text.excerpts import title


class HandMadeRow(TypedDict):
    """A node made by hand. Its properties may have any type; ``other_types`` names those with unusual ones.

    The entity is the one that an observation is about; ``entity_known`` unless it was made by hand, too.
    """

    element_id: str
    kind: Literal["thought", "entity", "observation"]
    properties: dict[str, Any]
    other_types: list[str]
    in_session: bool
    has_entity: bool
    entity_id: Any
    entity_namespace: Any
    entity_known: bool


class AdoptedNode(TypedDict):
    """A node made by hand: its keys, by which the same entity or fact is found, and its missing properties.

    ``name_key`` and ``type_key`` are those of an entity, ``entity_id`` and ``fact_key`` of an observation.
    """

    element_id: str
    namespace: str
    name_key: str | None
    type_key: str | None
    entity_id: str | None
    fact_key: str | None
    missing: dict[str, Property]


ORIGIN: Final = "hand"
"""The ``origin`` of adopted thoughts without one."""

_OF_CHAIN: Final = ("session_id", "step_index", "chain_hash", "prev_hash")
"""Properties that only the step of a chain has."""

_TYPES: Final[dict[Any, str]] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
}


def complete(
    row: HandMadeRow, settings: Settings, chain_keys: ChainKeys, thresholds: Thresholds, now: datetime
) -> AdoptedNode:
    """What a node made by hand lacks. Existing values are kept.

    An adopted observation that was linked to its entity later lacks the entity's id. Raises InvalidInput if
    a value cannot be used: its ``what`` is the reason, its ``hint`` the remedy.
    """
    own: dict[str, Any] = row["properties"]
    for slot in ("embedding_a", "embedding_b"):
        if own.get(slot) is not None and own.get("ns_key") is None:
            raise InvalidInput(
                f"{slot} is set, but vectors of another origin cannot be compared.", hint="Remove it."
            )
    for name, check in _CHECKS[row["kind"]].items():
        if own.get(name) is not None:
            check(name, own[name])
            if name in row["other_types"]:
                raise InvalidInput(
                    f"{name} is of a type that LegacyMind does not use, such as a date or a point.",
                    hint=f"Convert or remove {name}.",
                )
    match row["kind"]:
        case "entity":
            return _entity(row, own, settings, now)
        case "observation":
            return _observation(row, own, settings, now)
        case "thought":
            return _thought(row, own, settings, chain_keys, thresholds)


def _entity(row: HandMadeRow, own: dict[str, Any], settings: Settings, now: datetime) -> AdoptedNode:
    name: str = _required(own, "name")
    name_key, type_key = keys.normalised(name), keys.normalised(own.get("entity_type") or "")
    for key in (name_key, type_key) if type_key else (name_key,):
        checks.key("The normalised name or type", key)  # normalising may lengthen it
    return _knowledge(
        row,
        checks.namespace(own.get("namespace"), settings),
        now,
        {
            "entity_type": "",
            "name_key": name_key,
            "type_key": type_key,
            "other_forms": fulltext.other_forms(name, own.get("entity_type"), own.get("description")),
        },
        computed=("name_key", "type_key"),
    )


def _observation(row: HandMadeRow, own: dict[str, Any], settings: Settings, now: datetime) -> AdoptedNode:
    content: str = _required(own, "content")
    if not row["has_entity"]:
        namespace = checks.namespace(own.get("namespace"), settings)
        fields: dict[str, Property] = _of_fact(content)
        return _knowledge(row, namespace, now, fields, computed=("fact_key",))
    if not row["entity_known"]:
        raise InvalidInput("Its entity cannot be used.", hint="Correct the entity.")
    namespace = row["entity_namespace"]
    if own.get("namespace", namespace) != namespace:
        raise InvalidInput(
            "Its entity is in another namespace.", hint="Use the entity's namespace, or remove namespace."
        )
    fields = {"entity_id": row["entity_id"], **_of_fact(content)}
    return _knowledge(row, namespace, now, fields, computed=("entity_id", "fact_key"))


def _of_fact(content: str) -> dict[str, Property]:
    return {
        "fact_key": keys.fact_key(content),
        "title": title(content),
        "other_forms": fulltext.other_forms(content),
    }


def _knowledge(
    row: HandMadeRow,
    namespace: str,
    now: datetime,
    fields: dict[str, Property],
    *,
    computed: tuple[str, ...],
) -> AdoptedNode:
    own = row["properties"]
    for name in (*computed, "kind"):
        right = row["kind"] if name == "kind" else fields[name]
        if own.get(name, right) != right:
            raise InvalidInput(f"{name} is not {right!r}.", hint=f"Remove {name}; it is filled in.")
    valid_from = own.get("valid_from") or min(now, own.get("valid_to") or now)
    if (own.get("valid_to") or OPEN) < valid_from:
        raise InvalidInput("valid_to is earlier than valid_from.", hint="Correct one of them.")
    common: dict[str, Property] = {
        "id": str(uuid.uuid4()),
        "namespace": namespace,
        "ns_key": fulltext.namespace_key(namespace),
        "kind": row["kind"],
        "recorded_at": now,
        "valid_from": valid_from,
        "valid_to": OPEN,
        "access_count": 0,
        "embedding_deferred": True,
        "mentions_deferred": True if row["kind"] == "entity" else None,
    }
    return _adopted(row, namespace, common | fields)


def _thought(
    row: HandMadeRow,
    own: dict[str, Any],
    settings: Settings,
    chain_keys: ChainKeys,
    thresholds: Thresholds,
) -> AdoptedNode:
    if row["in_session"] or any(own.get(name) is not None for name in _OF_CHAIN):
        raise InvalidInput(
            "It has the form of a step of a session's chain, but only LegacyMind adds steps.",
            hint="Remove session_id and IN_SESSION, or store the text with `legacymind think`.",
        )
    if own.get("redacted_at") is not None or own.get("redacts") is not None:
        raise InvalidInput(
            "It has the form of a redacted thought or of a redaction.", hint="Remove redacted_at and redacts."
        )
    known = _CHECKS["thought"].keys() & ThoughtDraft.__annotations__.keys()
    given = {name: own[name] for name in known if own.get(name) not in (None, "")}
    draft = cast(
        "ThoughtDraft",
        {"origin": ORIGIN, "hint": own.get("mode"), "needs_verification": False, "enhance": False}
        | given
        | {"content": _required(own, "content"), "injection_scale": 0},
    )
    thought = prepare(draft, settings, thresholds)
    # Hashed as they are stored: tags are kept even if the setting `tags` does not list them.
    thought = replace(
        thought, tags=own.get("tags") or [], recorded_at=own.get("recorded_at") or thought.recorded_at
    )
    deferred = {"embedding_deferred": True, "mentions_deferred": True}
    return _adopted(row, thought.namespace, properties(hashed(thought, None, chain_keys)) | deferred)


def _adopted(row: HandMadeRow, namespace: str, complete: dict[str, Property]) -> AdoptedNode:
    """The row of maintain/adopt_nodes: only what the node lacks."""
    own = row["properties"]
    entity, fact = row["kind"] == "entity", row["kind"] == "observation"

    def key(name: str, *, wanted: bool) -> str | None:
        return cast("str | None", complete.get(name)) if wanted else None

    return {
        "element_id": row["element_id"],
        "namespace": namespace,
        "name_key": key("name_key", wanted=entity),
        "type_key": key("type_key", wanted=entity),
        "entity_id": key("entity_id", wanted=fact),
        "fact_key": key("fact_key", wanted=fact),
        "missing": {
            name: value for name, value in complete.items() if value is not None and own.get(name) is None
        },
    }


def _required(own: dict[str, Any], name: str) -> Any:
    if own.get(name) is None:
        raise InvalidInput(f"{name} is missing.", hint=f"Set {name}.")
    return own[name]


def _of(kind: type) -> Callable[[str, Any], None]:
    def check(name: str, value: Any) -> None:
        if type(value) is not kind:  # not isinstance: a boolean is an int in Python, but not in Neo4j
            described = _named(value)
            raise InvalidInput(
                f"{name} is {described}, not {_TYPES[kind]}.", hint=f"Convert or remove {name}."
            )

    return check


def _named(value: object) -> str:
    return _TYPES.get(type(value), f"a {type(value).__name__}")


def _key(name: str, value: Any) -> None:
    _of(str)(name, value)
    if value or name == "name":
        checks.key(name, value)


def _text(name: str, value: Any) -> None:
    _of(str)(name, value)
    if value or name == "content":
        checks.text(name, value)


def _moment(name: str, value: Any) -> None:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise InvalidInput(
            f"{name} is not a date-time with a time zone.", hint=f"Use datetime(…), or remove {name}."
        )


def _unit(name: str, value: Any) -> None:
    _of(int if isinstance(value, int) else float)(name, value)
    if not 0 <= value <= 1:
        raise InvalidInput(f"{name} is not from 0 to 1.", hint=f"Correct or remove {name}.")


def _choice(names: tuple[str, ...]) -> Callable[[str, Any], None]:
    def check(name: str, value: Any) -> None:
        if value not in names:
            raise InvalidInput(f"{name} is none of {', '.join(names)}.", hint=f"Correct or remove {name}.")

    return check


def _tags(name: str, value: Any) -> None:
    _of(list)(name, value)
    for tag in value:
        _key("tag", tag)


def _check(each: stored.Property) -> Callable[[str, Any], None]:
    """The check of a property. An unusable value would make the node unfindable, or shown without it."""
    if each.names:
        return _choice(each.names)
    match each.type:
        case "text":
            return _text if Mark.LONG in each.marks else _key
        case "time":
            return _moment
        case "number":
            return _unit if Mark.UNIT in each.marks else _of(float)
        case "texts":
            return _tags if Mark.HASHED in each.marks else _of(list)
        case "numbers":
            return _of(list)
        case "whole":
            return _of(int)
        case "flag":
            return _of(bool)


_CHECKS: Final[dict[Kind, dict[str, Callable[[str, Any], None]]]] = {
    kind: {name: _check(each) for name, each in stored.properties(record).items()}
    for kind, record in stored.NODES.items()
}
