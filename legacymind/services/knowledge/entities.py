"""Reads an entity with what is known about it, and lists entities."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.base import MAX_CONTENT
from legacymind.model.members import Id
from legacymind.model.nodes import (
    EntityList,
    EntityName,
    EntityRelation,
    EntityResult,
    Fact,
    ListedEntity,
    RelationDirection,
)
from legacymind.model.values import whole
from legacymind.operations import budget
from legacymind.operations.budget import MaxTokens
from legacymind.operations.pages import After, Paged, begin, by_offset
from legacymind.operations.registry import operation
from legacymind.origins import least_trust, said_by
from legacymind.services.shared import checks
from legacymind.services.shared.entities import (
    end,
    entity_details,
    relation_members,
)
from legacymind.services.shared.parameters import AsOf, Namespace
from legacymind.services.shared.service import Service
from legacymind.text import keys

LIST_ENTITIES = load("knowledge/list_entities", ListedEntity, writes=False)

RelatedEntity = tuple[str, RelationDirection, EntityName, dict[str, Any]]
"""A relation: its type, its direction, the other entity, and all its properties, whatever they are."""

EntityRow = tuple[
    list[EntityName],
    dict[str, Any] | None,
    list[dict[str, Any]],
    list[dict[str, Any]],
    int,
    list[RelatedEntity],
    int,
]
"""Up to 20 entities that have the name; if it is one, its properties, what was merged into it, a page of its
facts and their number, and a page of its relations and their number."""

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
                "least": least_trust(self._settings.leave_out),
                "skip": offset,
                "take": limit,
                "text_length": MAX_CONTENT,
            },
        )
        same_name, found, merged, read, fact_count, related, relation_count = row
        if found is None:
            raise not_one(name or own_id or "", same_name)
        details = entity_details(found, merged)
        if details.description is not None:
            details = replace(details, description=budget.beginning(details.description, _OWN_DESCRIPTION))
        answer = EntityResult(
            entity=details,
            as_of=moment,
            observations=[_fact(**one) for one in read],
            observation_count=fact_count,
            relations=[
                EntityRelation(type=type, direction=direction, other=other, **relation_members(properties))
                for type, direction, other, properties in related
            ],
            relation_count=relation_count,
        )
        more = offset + limit < max(fact_count, relation_count)
        return by_offset(answer, "observations", "relations", offset=offset, more=more, abreast=True)

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
        listed = EntityList(entities=rows[:limit], as_of=moment)
        return by_offset(listed, "entities", offset=offset, more=len(rows) > limit)


def _fact(origin: object, door: object, trust: object, valid_to: object, **rest: Any) -> Fact:
    """A fact of a row."""
    return Fact(**rest, said_by=said_by(origin, door, trust), valid_to=end(valid_to))


def not_one(
    named: str, same_name: Sequence[EntityName], hint: str = "Send the `id` or `entity_type`."
) -> InvalidInput | NotFound:
    """The error for a name that none or several entities have."""
    if not same_name:
        return NotFound(
            f"There is no entity {named!r} in this namespace.",
            hint="Check the name and type, or find the entity with a search for kind entity.",
        )
    each = ", ".join(f"{one.entity_type or 'no type'} ({one.id})" for one in same_name)
    return InvalidInput(f"{len(same_name)} entities have the name {named!r}: {each}.", hint=hint)
