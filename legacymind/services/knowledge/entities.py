"""Reads an entity with what is known about it, and lists entities."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, TypedDict

from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.base import MAX_CONTENT
from legacymind.model.members import Id
from legacymind.model.nodes import (
    EntityList,
    EntityRelation,
    EntityResult,
    Fact,
    ListedEntity,
)
from legacymind.model.values import whole
from legacymind.operations import budget
from legacymind.operations.budget import MaxTokens
from legacymind.operations.pages import After, Paged, begin, by_offset
from legacymind.operations.registry import operation
from legacymind.services.shared import checks
from legacymind.services.shared.entities import (
    NamedEntity,
    as_time,
    end,
    entity_details,
    entity_name,
    relation_members,
)
from legacymind.services.shared.parameters import AsOf, Namespace
from legacymind.services.shared.service import Service
from legacymind.text import keys


class ListedRow(TypedDict):
    """An entity, and the number of its facts."""

    id: str
    name: str
    entity_type: str | None
    description: str | None
    observations: int


LIST_ENTITIES = load("knowledge/list_entities", ListedRow, writes=False)


class EntityFact(TypedDict):
    """An observation about the entity."""

    id: str
    content: str | None
    source: str | None
    merged_from: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime | None
    learned_from: list[str]
    revised_by: str | None


class StoredRelation(TypedDict):
    """A relation of the entity with all its properties, whatever they are."""

    type: str
    direction: Literal["out", "in"]
    other: NamedEntity
    properties: dict[str, Any]


class EntityRow(TypedDict):
    """An entity; null unless exactly one has the name. ``same_name`` lists all that have it, up to 20."""

    same_name: list[NamedEntity]
    entity: dict[str, Any] | None
    merged: list[dict[str, Any]]
    facts: list[EntityFact]
    observation_count: int
    relations: list[StoredRelation]
    relation_count: int


READ_ENTITY = load("knowledge/read_entity", EntityRow, writes=False)


_PAGE: Final = 20

_DESCRIPTION: Final = 200
"""Characters of a description in a list."""

_OWN_DESCRIPTION: Final = 2_000
"""Characters of that of the entity that is read; ``get`` shows all."""


class EntityService(Service):
    """Reads entities, observations and relations. Access counts are not updated."""

    @operation(tool="legacymind_entity", command="entity", writes=False, profile="full")
    async def entity(
        self,
        name: Annotated[
            str | None,
            about("This or id", "Name of the entity, in any case and spacing; or send `id`"),
        ] = None,
        entity_type: Annotated[
            str | None, about("If several", "Type of the entity; needed if several have this name")
        ] = None,
        id: Annotated[Id | None, about("This or name", "Id of the entity, instead of its name")] = None,
        as_of: AsOf = None,
        history: Annotated[
            bool, about("Closed ones too", "Include facts and relations that are not true at `as_of`")
        ] = False,
        limit: Annotated[int, whole(1, 200), about("Of each", "Facts, and relations, on a page")] = _PAGE,
        after: After = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Paged[EntityResult]:
        """Read an entity with its facts and its relations.

        Facts come in full, the latest first, with source and validity; relations come in both directions with
        their properties. A description of more than 2,000 characters is cut. Raises NotFound when there is no
        such entity, and InvalidInput when several have the name.
        """
        if (name is None) == (id is None):
            raise InvalidInput(
                "An entity is read by its name or by its id.", hint="Send `name` or `id`, and not both."
            )
        moment, offset = checks.moment(as_of) or datetime.now(UTC), begin(after)
        own_id = checks.key("id", id)
        (row,) = await self._graph.run(
            READ_ENTITY,
            {
                "id": own_id and own_id.strip(),
                "name_key": keys.normalised(checks.key("name", name) or ""),
                "type_key": None if entity_type is None else keys.normalised(entity_type),
                "namespace": checks.namespace(namespace, self._settings),
                "as_of": moment,
                "history": history,
                "skip": offset,
                "take": limit,
                "text_length": MAX_CONTENT,
            },
        )
        found = row["entity"]
        if found is None:
            raise not_one(name or own_id or "", row["same_name"])
        details = entity_details(found, row["merged"])
        if details.description is not None:
            details = replace(details, description=budget.beginning(details.description, _OWN_DESCRIPTION))
        read = EntityResult(
            entity=details,
            as_of=moment,
            observations=[_fact(fact) for fact in row["facts"]],
            observation_count=row["observation_count"],
            relations=[_relation(relation) for relation in row["relations"]],
            relation_count=row["relation_count"],
        )
        more = offset + limit < max(row["observation_count"], row["relation_count"])
        return by_offset(read, "observations", "relations", offset=offset, more=more, abreast=True)

    @operation(tool="legacymind_entities", command="entities", writes=False, profile="full")
    async def list_entities(
        self,
        entity_type: Annotated[
            str | None, about("Only these", "Type of the entities, in any case. Default: every type")
        ] = None,
        as_of: AsOf = None,
        limit: Annotated[int, whole(1, 200), about("Entities per page", "Entities on a page")] = _PAGE,
        after: After = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Paged[EntityList]:
        """List entities by name, with the numbers of their facts.

        Entities that were merged into others are left out. Raises InvalidInput.
        """
        moment, offset = checks.moment(as_of) or datetime.now(UTC), begin(after)
        rows = await self._graph.run(
            LIST_ENTITIES,
            {
                "namespace": checks.namespace(namespace, self._settings),
                "type_key": None if entity_type is None else keys.normalised(entity_type),
                "as_of": moment,
                "skip": offset,
                "take": limit + 1,
                "text_length": _DESCRIPTION,
            },
        )
        listed = EntityList(entities=[_listed(row) for row in rows[:limit]], as_of=moment)
        return by_offset(listed, "entities", offset=offset, more=len(rows) > limit)


def not_one(
    named: str, same_name: Sequence[NamedEntity], hint: str = "Send the `id` or `entity_type`."
) -> InvalidInput | NotFound:
    """The error for a name that none or several entities have."""
    if not same_name:
        return NotFound(
            f"There is no entity {named!r} in this namespace.",
            hint="Check the name and type, or find the entity with a search for kind entity.",
        )
    each = ", ".join(f"{one['entity_type'] or 'no type'} ({one['id']})" for one in same_name)
    return InvalidInput(f"{len(same_name)} entities have the name {named!r}: {each}.", hint=hint)


def _listed(row: ListedRow) -> ListedEntity:
    return ListedEntity(
        id=row["id"],
        name=row["name"],
        entity_type=row["entity_type"] or "",
        description=row["description"],
        observations=row["observations"],
    )


def _fact(row: EntityFact) -> Fact:
    return Fact(
        id=row["id"],
        content=row["content"] or "",
        source=row["source"],
        valid_from=as_time(row["valid_from"]),
        valid_to=end(row["valid_to"]),
        recorded_at=as_time(row["recorded_at"]),
        learned_from=row["learned_from"],
        revised_by=row["revised_by"],
        merged_from=row["merged_from"],
    )


def _relation(row: StoredRelation) -> EntityRelation:
    return EntityRelation(
        type=row["type"],
        direction=row["direction"],
        other=entity_name(row["other"]),
        **relation_members(row["properties"]),
    )
