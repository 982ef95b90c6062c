"""Knowledge of the TCK (``tck_adapter.py``) as that of a Mind."""

# pyright: basic, reportMissingImports=false
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from tck.adapters.base_adapter import BaseAdapter, TCKEntity, TCKFact, TCKPreference, TCKRelationship

from legacymind import EntityInput, Mind, NotFound, ObservationInput, RelationInput
from legacymind.model.nodes import EntityDetails, EntityRelation

CATEGORY: Final = "preference category"
"""Type of the entities that preferences are about; they are no entities of the TCK."""

WHOLE: Final = 10_000_000
"""A budget of tokens for whole texts."""

_PAGE: Final = 100
_RELATIONS: Final = 200


class KnowledgeAdapter(BaseAdapter):
    """Entities, preferences, facts and relationships over a Mind, and its life."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    async def setup(self) -> None:
        """Start the engine and load the model."""
        await self._mind.warm_up()

    async def teardown(self) -> None:
        """Close the connections."""
        await self._mind.close()

    async def clear_all_data(self) -> None:
        """Delete the namespace."""
        with suppress(NotFound):
            await self._mind.delete_namespace(self._mind.settings.namespace, confirm=True)

    async def add_entity(self, name: str, entity_type: str, *, description: str | None = None) -> TCKEntity:
        """Remember an entity."""
        known = await self._mind.remember(
            entities=[EntityInput(name=name, entity_type=entity_type, description=description)]
        )
        return await self._entity(id=known.entities[0].id)

    async def add_preference(
        self, category: str, preference: str, *, context: str | None = None
    ) -> TCKPreference:
        """Remember a standing fact about the category."""
        known = await self._mind.remember(
            entities=[EntityInput(name=category, entity_type=CATEGORY)],
            observations=[
                ObservationInput(
                    entity=category, entity_type=CATEGORY, content=preference, source=context, standing=True
                )
            ],
        )
        return await self._preference(known.observations[0].id)

    async def add_fact(self, subject: str, predicate: str, obj: str) -> TCKFact:
        """Remember a relation, and its ends if they are new."""
        known = await self._mind.remember(
            relations=[RelationInput(source_entity=subject, type=predicate, target_entity=obj)]
        )
        (fact,) = [
            TCKFact(id=relation.id, subject=source.name, predicate=relation.type, object=relation.other.name)
            async for source, relation in self._relations(name=subject)
            if relation.id == known.relations[0].id
        ]
        return fact

    async def search_entities(self, query: str, *, limit: int = 10) -> list[TCKEntity]:
        """Entities by meaning, words and relations."""
        found = await self._mind.search(query, kinds=["entity"], limit=_PAGE, max_tokens=WHOLE)
        ids = [hit.id for hit in found.hits if hit.entity_type != CATEGORY]
        return [await self._entity(id=id) for id in ids[:limit]]

    async def search_preferences(
        self, query: str, *, category: str | None = None, limit: int = 10
    ) -> list[TCKPreference]:
        """Standing facts, of a category if one is given, by meaning and words."""
        found = await self._mind.search(query, kinds=["observation"], limit=_PAGE, max_tokens=WHOLE)
        ids = [hit.id for hit in found.hits if hit.standing and category in (None, hit.entity)]
        return [await self._preference(id) for id in ids[:limit]]

    async def get_entity_by_name(self, name: str) -> TCKEntity | None:
        """The entity of a name, in any case and spacing. Raises InvalidInput if several types have it."""
        try:
            return await self._entity(name=name)
        except NotFound:
            return None

    async def get_related_entities(
        self, entity_id: UUID, *, relationship_type: str | None = None, depth: int = 1
    ) -> list[TCKEntity]:
        """Entities to which relations of a type, or all, lead in both directions; nearest first."""
        start = str((await self._entity(id=str(entity_id))).id)
        near = level = [start]
        for _ in range(depth):
            others = [
                relation.other.id
                for id in level
                async for _, relation in self._relations(id=id)
                if relationship_type in (None, relation.type)
            ]
            level = [id for id in dict.fromkeys(others) if id not in near]
            near = near + level
        return [await self._entity(id=id) for id in near[1:]]

    async def add_relationship(
        self,
        source_id: UUID,
        target_id: UUID,
        relationship_type: str,
        *,
        properties: dict[str, Any] | None = None,
    ) -> TCKRelationship:
        """Remember a relation of two entities."""
        source, target = await self._entity(id=str(source_id)), await self._entity(id=str(target_id))
        known = await self._mind.remember(
            relations=[
                RelationInput(
                    source_entity=source.name,
                    source_type=source.type,
                    type=relationship_type,
                    target_entity=target.name,
                    target_type=target.type,
                    properties=properties,
                )
            ]
        )
        (made,) = [
            TCKRelationship(
                id=relation.id,
                source_id=stored.id,
                target_id=relation.other.id,
                relationship_type=relation.type,
                properties=relation.properties,
            )
            async for stored, relation in self._relations(id=str(source.id))
            if relation.id == known.relations[0].id
        ]
        return made

    async def merge_duplicate_entities(
        self, source_id: UUID, target_id: UUID, *, canonical_name: str | None = None
    ) -> TCKEntity:
        """Merge the source into the target, which keeps its name."""
        if canonical_name is not None:
            raise NotImplementedError("A merged entity has the name of the one that was kept.")
        merged = await self._mind.merge(str(target_id), [str(source_id)])
        return await self._entity(id=merged.kept.id)

    async def _entity(self, *, id: str | None = None, name: str | None = None) -> TCKEntity:
        """An entity by its id or name. Raises NotFound."""
        found = (await self._mind.entity(name, id=id, limit=1, max_tokens=WHOLE)).entity
        return TCKEntity(
            id=UUID(found.id),
            name=found.name,
            type=found.entity_type,
            description=found.description,
            created_at=found.recorded_at,
        )

    async def _preference(self, id: str) -> TCKPreference:
        found = await self._mind.get(id, max_tokens=WHOLE)
        about = found.observation
        assert about is not None
        assert about.entity is not None
        return TCKPreference(
            id=UUID(id), category=about.entity.name, preference=found.text, context=about.source
        )

    async def _relations(
        self, *, id: str | None = None, name: str | None = None
    ) -> AsyncIterator[tuple[EntityDetails, EntityRelation]]:
        """An entity, by its id or name, with each of its relations. Raises NotFound."""
        after, more = None, True
        while more:
            page = await self._mind.entity(name, id=id, limit=_RELATIONS, after=after, max_tokens=WHOLE)
            for relation in page.relations:
                yield page.entity, relation
            after, more = page.next, page.next is not None
