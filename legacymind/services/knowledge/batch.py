"""The items of one call of remember: checked, named once, and as rows of statements."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from legacymind.calls import Speaker, said
from legacymind.errors import InvalidInput
from legacymind.model.base import (
    OPEN,
    ChangedValidity,
    EntityInput,
    ObservationInput,
    RelationInput,
    Remembered,
    RememberResult,
)
from legacymind.model.nodes import EntityName
from legacymind.origins import USER
from legacymind.services.shared import checks
from legacymind.text import fulltext, keys, passages
from legacymind.text.excerpts import title
from legacymind.text.standing import is_standing

MAX_ITEMS: Final = 1000
"""The most items of one kind in one call."""

TYPE_HINT: Final = (
    "Send the type of the one that is meant: `entity_type` of an observation, `source_type` or `target_type` "
    "of a relation."
)


@dataclass(slots=True)
class EntityUpsert:
    """An entity to create or update. ``implied``: only an observation or relation names it.

    ``any_type``: it is implied without a type and matches an entity of that name with any type. ``stored``:
    an earlier import has stored it, so it needs no vector.
    """

    name: str
    name_key: str
    entity_type: str
    type_key: str
    implied: bool
    any_type: bool
    description: str | None = None
    data: str | None = None
    valid_from: datetime | None = None
    stored: bool = False

    @property
    def embedded_text(self) -> str:
        """The text to embed: name, type and description."""
        return passages.of_entity(self.name, self.entity_type, self.description)


@dataclass(frozen=True, slots=True, kw_only=True)
class Upserted:
    """An upserted entity, fact or relation, by its index in the input; ``created``: it is new.

    ``deferred``: it waits for its vector. ``same_name`` are the entities that a name may mean, if several.
    ``unknown`` is an id that it names and that does not exist, and ``foreign`` the entity of the superseded
    fact, if it is another one. ``kept`` are labels of what it would change and is more trusted. ``changed``
    are facts or relations that were stored before, with their new validity, and whether they would be valid
    at no time.
    """

    index: int
    id: str
    created: bool
    standing: bool | None = None
    deferred: bool = False
    same_name: list[EntityName] = field(default_factory=list[EntityName])
    unknown: str | None = None
    foreign: str | None = None
    kept: list[str] = field(default_factory=list[str])
    changed: list[tuple[ChangedValidity, bool]] = field(default_factory=list[tuple[ChangedValidity, bool]])


@dataclass(slots=True)
class Batch:
    """The checked items of one call, and each entity they name once.

    ``since`` is the default ``valid_from``: now for a call, the beginning of time for an import. With
    ``compared``, new facts are compared with those of their entity; an import does not. ``stored_facts``
    are the places of facts that are stored already, so that they need no vector. ``said`` is who says it.
    ``times`` are the times of the rows, each once.
    """

    now: datetime
    since: datetime
    sent: Sequence[EntityInput]
    observations: Sequence[ObservationInput]
    relations: Sequence[RelationInput]
    compared: bool = False
    said: Speaker = field(default_factory=said)
    stored_facts: set[int] = field(default_factory=set[int])
    entities: list[EntityUpsert] = field(default_factory=list[EntityUpsert])
    times: list[datetime] = field(default_factory=list[datetime])
    _times: dict[datetime, int] = field(default_factory=dict[datetime, int])
    _index: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _any: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    _found: dict[tuple[str, str | None], int] = field(default_factory=dict[tuple[str, str | None], int])

    def __post_init__(self) -> None:
        for name, items in (
            ("entities", self.sent),
            ("observations", self.observations),
            ("relations", self.relations),
        ):
            if len(items) > MAX_ITEMS:
                raise InvalidInput(
                    f"The call has {len(items):,} {name}; at most {MAX_ITEMS:,} are stored at once.",
                    hint="Send them in several calls.",
                )
        for item in self.sent:
            self._name(item.name, item.entity_type, item)
        named: dict[tuple[str, str], None] = {}
        for fact in self.observations:
            checks.text("content", fact.content)
            checks.key("source", fact.source)
            checks.thought_id("learned_from", fact.learned_from)
            checks.key("supersedes", fact.supersedes)
            self._interval(fact.valid_from, fact.valid_to)
            named[fact.entity, fact.entity_type or ""] = None
        for link in self.relations:
            checks.relation_type(link.type)
            checks.relation_properties(link.properties or {})
            checks.key("source", link.source)
            checks.key("supersedes", link.supersedes)
            self._interval(link.valid_from, link.valid_to)
            named[link.source_entity, link.source_type or ""] = None
            named[link.target_entity, link.target_type or ""] = None
        # Names with a type first: a name without a type matches any of them.
        for name, kind in sorted(named, key=lambda pair: not pair[1].strip()):
            self._name(name, kind, None)

    def _name(self, name: str, kind: str, item: EntityInput | None) -> None:
        name_key, type_key = keys.normalised(name), keys.normalised(kind)
        for key in (name, name_key):  # Normalising may lengthen it.
            checks.key("entity name", key)
        for key in (kind, type_key) if type_key else ():
            checks.key("entity_type", key)
        any_type = item is None and not type_key
        known = self._index.get((name_key, type_key))
        if known is None and any_type:
            # An entity of that name in this call, else in the graph, else a new one.
            known = self._only(name, self._any.get(name_key, []))
        if known is None:
            known = len(self.entities)
            entity = EntityUpsert(name.strip(), name_key, kind.strip(), type_key, item is None, any_type)
            self.entities.append(entity)
        self._index[(name_key, type_key)] = known
        alike = self._any.setdefault(name_key, [])
        if known not in alike:
            alike.append(known)
        if item is not None:
            entity = self.entities[known]
            if item.description is not None:
                entity.description = checks.text("description", item.description)
            if item.data is not None:
                entity.data = checks.text("data", json.dumps(item.data, ensure_ascii=False, sort_keys=True))
            if item.valid_from is not None:
                entity.valid_from, _ = self._interval(item.valid_from, None)

    def _only(self, name: str, alike: Sequence[int]) -> int | None:
        """The entity of this name in the call, in an import the first. Raises InvalidInput for several."""
        if len(alike) > 1 and self.compared:
            types = ", ".join(self.entities[index].entity_type for index in alike)
            raise InvalidInput(
                f"{len(alike)} entities of this call have the name {name!r}: {types}.", hint=TYPE_HINT
            )
        return alike[0] if alike else None

    @property
    def relation_types(self) -> set[str]:
        """The relation types in their stored form."""
        return {checks.relation_type(link.type) for link in self.relations}

    def _find(self, name: str, kind: str | None) -> int:
        found = self._found.get((name, kind))
        if found is None:
            found = self._index[keys.normalised(name), keys.normalised(kind or "")]
            self._found[name, kind] = found
        return found

    def sought(self) -> list[dict[str, Any]]:
        """The rows of knowledge/find_remembered.cypher."""
        facts: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
        for index, fact in enumerate(self.observations):
            entity = self._find(fact.entity, fact.entity_type)
            facts[entity].append({"index": index, "fact_key": keys.fact_key(fact.content)})
        return [
            {
                "index": index,
                "name_key": entity.name_key,
                "type_key": entity.type_key,
                "any_type": entity.any_type,
                "description": entity.description,
                "facts": facts[index],
            }
            for index, entity in enumerate(self.entities)
        ]

    def found(self, entities: Sequence[int], facts: Sequence[int]) -> None:
        """Mark what is stored already, so that it is not embedded."""
        self.stored_facts.update(facts)
        for index in entities:
            self.entities[index].stored = True

    def texts(self) -> tuple[list[str], list[str]]:
        """The texts to embed: of the entities and of the facts that are not stored."""
        entities = [entity.embedded_text for entity in self.entities if not entity.stored]
        facts = [
            passages.of_fact(fact.entity, fact.content)
            for index, fact in enumerate(self.observations)
            if index not in self.stored_facts
        ]
        return entities, facts

    def entity_rows(self, namespace: str, vectors: Sequence[list[float] | None]) -> list[dict[str, Any]]:
        """The rows of knowledge/remember_entities.cypher, sorted so that all writers lock in one order.

        ``vectors`` are those of the entities that are not ``stored``.
        """
        rows: list[dict[str, Any]] = []
        left = iter(vectors)
        for index, entity in enumerate(self.entities):
            vector = None if entity.stored else next(left)
            properties: dict[str, Any] = {}
            if entity.description is not None:
                properties["description"] = entity.description
            if entity.data is not None:
                properties["data"] = entity.data
            if entity.valid_from is not None:
                properties["valid_from"] = entity.valid_from
            rows.append(
                {
                    "index": index,
                    "id": keys.knowledge_id(namespace, entity.name_key, entity.type_key),
                    "name": entity.name,
                    "name_key": entity.name_key,
                    "entity_type": entity.entity_type,
                    "type_key": entity.type_key,
                    "any_type": entity.any_type,
                    "other_forms": fulltext.other_forms(entity.name, entity.entity_type, entity.description),
                    "valid_from": self._time(entity.valid_from or self.since),
                    "properties": properties,
                    "vector": vector,
                }
            )
        return sorted(rows, key=lambda row: (row["name_key"], row["type_key"]))

    def observation_rows(
        self, ids: dict[int, str], vectors: Sequence[list[float] | None]
    ) -> list[dict[str, Any]]:
        """The rows of knowledge/remember_observations.cypher.

        ``vectors`` are those of the facts that are not among ``stored_facts``.
        """
        rows: list[dict[str, Any]] = []
        left = iter(vectors)
        for index, fact in enumerate(self.observations):
            vector = None if index in self.stored_facts else next(left)
            valid_from, valid_to = self._interval(fact.valid_from, fact.valid_to)
            entity_id = ids[self._find(fact.entity, fact.entity_type)]
            fact_key = keys.fact_key(fact.content)
            rows.append(
                {
                    "index": index,
                    "id": keys.knowledge_id(entity_id, fact_key),
                    "entity_id": entity_id,
                    "content": fact.content,
                    "title": title(fact.content),
                    "other_forms": fulltext.other_forms(fact.content),
                    "fact_key": fact_key,
                    "valid_from": self._time(valid_from),
                    "valid_to": self._time(valid_to),
                    "starts": fact.valid_from is not None,
                    "ends": fact.valid_to is not None,
                    "properties": _properties(fact, self.said["trust"]),
                    "learned_from": checks.thought_id("learned_from", fact.learned_from),
                    "supersedes": fact.supersedes,
                    "vector": vector,
                }
            )
        return sorted(rows, key=lambda row: (row["entity_id"], row["fact_key"]))

    def relation_rows(self, ids: dict[int, str]) -> list[dict[str, Any]]:
        """The rows of knowledge/remember_relations.cypher, without relations between names of one entity."""
        rows: list[dict[str, Any]] = []
        for index, link in enumerate(self.relations):
            source = self._find(link.source_entity, link.source_type)
            target = self._find(link.target_entity, link.target_type)
            if source != target and ids[source] == ids[target]:
                continue  # merged since then; an import that is repeated adds nothing
            valid_from, valid_to = self._interval(link.valid_from, link.valid_to)
            type = checks.relation_type(link.type)
            rows.append(
                {
                    "index": index,
                    "id": keys.knowledge_id(ids[source], type, ids[target]),
                    "source_id": ids[source],
                    "target_id": ids[target],
                    "type": type,
                    "valid_from": self._time(valid_from),
                    "valid_to": self._time(valid_to),
                    "starts": link.valid_from is not None,
                    "ends": link.valid_to is not None,
                    "properties": {
                        **(link.properties or {}),
                        **({} if link.source is None else {"source": link.source}),
                    },
                    "supersedes": link.supersedes and link.supersedes.strip(),
                }
            )
        return sorted(rows, key=lambda row: (row["source_id"], row["target_id"], row["type"]))

    def _time(self, time: datetime) -> int:
        """The position of a time in ``times``."""
        known = self._times.get(time)
        if known is None:
            known = self._times[time] = len(self.times)
            self.times.append(time)
        return known

    def _interval(self, start: datetime | None, end: datetime | None) -> tuple[datetime, datetime]:
        if start is None and end is None:
            return self.since, OPEN
        valid_from, valid_to = checks.moment(start) or self.since, checks.moment(end) or OPEN
        if valid_from >= OPEN:
            raise InvalidInput(
                f"valid_from is {valid_from:%Y-%m-%d}; that day stands for no end.",
                hint="Send an earlier time.",
            )
        if valid_to <= valid_from:
            if start is None:
                raise InvalidInput(
                    f"valid_to is {valid_to.isoformat()}, and without valid_from a fact begins now.",
                    hint="Send valid_from too, or a later valid_to.",
                )
            raise InvalidInput("valid_to is not later than valid_from.", hint="Send a later valid_to.")
        return valid_from, valid_to

    def result(
        self,
        made: Sequence[Upserted],
        facts: Sequence[Upserted],
        links: Sequence[Upserted],
        changed: Sequence[ChangedValidity] = (),
    ) -> RememberResult:
        """The stored items, in the order they were sent."""
        entities = _remembered(made, [entity.name for entity in self.entities])
        observations = _remembered(facts, [fact.content[:80] for fact in self.observations])
        arrows = [f"{link.source_entity} {link.type} {link.target_entity}" for link in self.relations]
        relations = _remembered(links, arrows)
        every = [*entities, *observations, *relations]
        return RememberResult(
            entities=entities,
            observations=observations,
            relations=relations,
            created=sum(item.created for item in every),
            deferred=any(row.deferred for row in (*made, *facts)),
            changed=[*changed],
            kept=[label for row in (*made, *facts, *links) for label in row.kept],
        )


def _properties(fact: ObservationInput, trust: int) -> dict[str, Any]:
    """What a fact has beside its text and its times. A mark stays when the fact is stored again without.

    The words of the user decide whether a fact is standing; an agent says so, and only of a fact without a
    source.
    """
    properties: dict[str, Any] = {}
    if fact.source is not None:
        properties["source"] = fact.source
    texts = fact.content, f"{fact.entity} {fact.content}"
    asked = fact.standing and (trust >= USER or fact.source is None)
    stated = any(map(is_standing, texts)) if fact.standing is None and trust >= USER else asked
    if stated or fact.standing is not None:
        properties["standing"] = True if stated else None
    return properties


def _remembered(rows: Sequence[Upserted], labels: Sequence[str]) -> list[Remembered]:
    return [
        Remembered(id=row.id, label=labels[row.index], created=row.created, standing=row.standing or None)
        for row in sorted(rows, key=lambda row: row.index)
    ]
