"""Knowledge: entities, observations and relations, stored in bulk."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from legacymind.calls import said
from legacymind.db.graph import Transaction
from legacymind.db.query import Parameters, load
from legacymind.db.stored import Slot
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.base import (
    OPEN,
    RESERVED,
    ChangedValidity,
    EntityInput,
    NearFact,
    ObservationInput,
    RelationInput,
    RememberResult,
)
from legacymind.operations.registry import operation
from legacymind.origins import said_by_of
from legacymind.services.knowledge.batch import TYPE_HINT, Batch, Upserted
from legacymind.services.knowledge.entities import not_one
from legacymind.services.shared import checks
from legacymind.services.shared.entities import end
from legacymind.services.shared.parameters import (
    DeclaredOrigin,
    Namespace,
    UnlistedSessionId,
    resolve_own_session,
)
from legacymind.services.shared.service import OtherServices, Service, ServiceContext
from legacymind.text import fulltext
from legacymind.text.excerpts import excerpt

FIND_REMEMBERED = load("knowledge/find_remembered", tuple[list[int], list[int]], writes=False)
"""The places of entities and facts of an import that are stored and need no vector."""

REMEMBER_ENTITIES = load("knowledge/remember_entities", list[Upserted], writes=True)

REMEMBER_OBSERVATIONS = load("knowledge/remember_observations", list[Upserted], writes=True)

NEAR_FACTS = load("knowledge/near_facts", tuple[str, list[dict[str, Any]]], writes=False)

Relations = tuple[list[Upserted], int, list[str]]
"""The upserted relations, or the types refused for lack of room, and the number of types in use."""

REMEMBER_RELATIONS = load("knowledge/remember_relations", Relations, writes=True)

MAX_RELATION_TYPES = 1_000
"""Relation types that users may create in one database; Neo4j's limit is 65,536."""

_NEAR: Final = 0.65
"""Cosine of two facts of which one may replace the other.

An agent that follows ``near`` has the newest fact of FactConsolidation first for 74 of 74 questions; at 0.7,
for 69.
"""

_COMPARED: Final = 2_000
"""Facts of an entity that a new one is compared with."""

_SHOWN: Final = 300
"""Characters of a near fact."""

NEAR: Final = (
    "If one of `near` is no longer true, send the new fact again with the id of that one as `supersedes`."
)
"""What an agent does with facts that are near to a new one."""

KEPT: Final = (
    "What is in `kept` was not changed: somebody more trusted said it. What you sent stands beside it; ask "
    "the user, who may confirm it."
)
"""What an agent does about facts that it may not change."""


class _Switched(Exception):
    """The active slot holds the vectors of another model, so nothing is stored."""


class KnowledgeService(Service):
    """Stores entities, observations and relations."""

    def __init__(self, context: ServiceContext, services: OtherServices) -> None:
        super().__init__(context, services)
        self._known_types: set[str] = set()

    @operation(tool="legacymind_remember", command="remember", writes=True, idempotent=True)
    async def remember(
        self,
        entities: Annotated[
            list[EntityInput] | None,
            about("People, systems, places", "Entities: people, services, places and the like"),
        ] = None,
        observations: Annotated[
            list[ObservationInput] | None,
            about("Facts about entities", "Facts about entities, each true for a time"),
        ] = None,
        relations: Annotated[
            list[RelationInput] | None,
            about("Links between entities", "Named relationships between entities"),
        ] = None,
        origin: DeclaredOrigin = None,
        own_session_id: UnlistedSessionId = None,
        namespace: Namespace = None,
    ) -> RememberResult:
        """Store entities, facts and relations.

        Repeating a call changes nothing. Names that differ only in case or spacing are the same entity.
        Missing entities of observations and relations are created. The call embeds once and runs one
        statement for each kind of item; it stores all items or none. ``near`` of a new fact are
        facts of its entity: if one is no longer true, send the new fact again with that id as ``supersedes``.
        What the caller would change and is more trusted stays, and is in ``kept``; the user may ``confirm``
        the new fact. An earlier ``valid_from`` of a stored fact or relation moves its start, and ends there
        what it superseded. Raises InvalidInput when a new relation type exceeds the limit, when what is
        superseded would end before it begins, and when it is a fact of another entity, NotFound when
        ``learned_from`` or ``supersedes`` does not exist.
        """
        now = datetime.now(UTC)
        return await self.store(
            Batch(
                now,
                now,
                entities or [],
                observations or [],
                relations or [],
                compared=True,
                said=said(origin),
            ),
            namespace,
            own_session=resolve_own_session(own_session_id, self.session_id),
        )

    async def store(
        self, batch: Batch, namespace: str | None, *, own_session: str | None = None
    ) -> RememberResult:
        """Store a checked batch. Raises EmbeddingError, DatabaseError, or RequestRefused for a quota.

        Facts may be learned from the private thoughts of ``own_session``; None: of all sessions.
        While the embedder is down, the batch may be stored without vectors (see ``shared/deferred.py``).
        """
        namespace = checks.namespace(namespace, self._settings)
        if not batch.entities:
            raise InvalidInput(
                "There is nothing to remember.", hint="Send entities, observations or relations."
            )
        if not batch.compared:  # An import, which may be repeated.
            known = FIND_REMEMBERED.for_slot(await self._vectors.slot())
            (stored_items,) = await self._graph.run(known, {"namespace": namespace, "rows": batch.sought()})
            batch.found(*stored_items)
        texts = [text for each in batch.texts() for text in each]
        async with self._quotas.admit(namespace, texts, thoughts=False):
            return await self._store(batch, namespace, own_session)

    async def _store(self, batch: Batch, namespace: str, own_session: str | None) -> RememberResult:
        entity_texts, fact_texts = batch.texts()
        vectors = await self._deferred_embedding.embed([*entity_texts, *fact_texts])
        stored_vectors = [None] * (len(entity_texts) + len(fact_texts)) if vectors is None else vectors
        claim = await self._vectors.claim()
        slot = claim.slot
        common: Parameters = {
            "namespace": namespace,
            "recorded_at": batch.now,
            "times": batch.times,
            "said": batch.said,
        }
        embedded: Parameters = {
            **common,
            "fingerprint": claim.fingerprint,
            "ns_key": fulltext.namespace_key(namespace),
        }
        entities_statement = REMEMBER_ENTITIES.for_slot(slot)
        entity_rows = batch.entity_rows(namespace, stored_vectors[: len(entity_texts)])
        if not batch.observations and not batch.relations:
            (stored,) = await self._graph.run(
                entities_statement, {**embedded, "valid_to": OPEN, "rows": entity_rows}
            )
            if entity_rows and not stored:
                await self._vectors.switched()
            return batch.result(stored, [], [])

        async def write(tx: Transaction) -> RememberResult:
            (stored,) = await tx.run(entities_statement, {**embedded, "valid_to": OPEN, "rows": entity_rows})
            made = stored
            if entity_rows and not made:
                raise _Switched
            for row in made:
                if row.same_name:
                    raise not_one(batch.entities[row.index].name, row.same_name, TYPE_HINT)
            ids = {row.index: row.id for row in made}
            facts: list[Upserted] = []
            links: list[Upserted] = []
            changed: dict[str, ChangedValidity] = {}
            if batch.observations:
                rows = batch.observation_rows(ids, stored_vectors[len(entity_texts) :])
                facts = await self._state(tx, slot, rows, {**embedded, "own_session": own_session})
                changed |= _changed(facts)
            if batch.relations:
                links = await self._relate(tx, batch.relation_rows(ids), common)
                for link in links:
                    if link.unknown is not None:
                        raise NotFound(
                            f"Neither entity of the relation has a relation {link.unknown}.",
                            hint="Correct supersedes, or omit it; `entity` reads the ids of relations.",
                        )
                changed |= _changed(links)
            new = {row.id for row in (*facts, *links) if row.created}
            before = [one for id, one in changed.items() if id not in new]
            return batch.result(made, facts, links, before)

        try:
            result = await self._graph.transaction(write)
        except _Switched:
            await self._vectors.switched()
        self._known_types |= batch.relation_types
        if result.kept:
            result = replace(result, note=KEPT)
        return await self._with_near(result, namespace, slot) if batch.compared else result

    async def _with_near(self, result: RememberResult, namespace: str, slot: Slot) -> RememberResult:
        """The result with what is near to its new facts. Nothing is near to one without a vector."""
        new = [fact.id for fact in result.observations if fact.created]
        if not new:
            return result
        rows = await self._graph.run(
            NEAR_FACTS.for_slot(slot),
            {
                "namespace": namespace,
                "ids": new,
                "moment": datetime.now(UTC),
                "least": _NEAR,
                "compared": _COMPARED,
            },
        )
        near = {id: [_near(**one) for one in facts] for id, facts in rows}
        facts = [replace(fact, near=near.get(fact.id, [])) for fact in result.observations]
        notes = [
            *([NEAR] if any(fact.near for fact in facts) else []),
            *([result.note] if result.note else []),
        ]
        return replace(result, observations=facts, note=" ".join(notes) or None)

    async def _state(
        self, tx: Transaction, slot: Slot, rows: list[dict[str, Any]], common: Parameters
    ) -> list[Upserted]:
        """Store facts; raises NotFound for an id that they name and that does not exist."""
        facts: list[Upserted] = []
        for part in _rounds(rows, "entity_id", "fact_key"):
            (written,) = await tx.run(REMEMBER_OBSERVATIONS.for_slot(slot), {**common, "rows": part})
            if not written:
                raise _Switched
            facts += written
        for fact in facts:
            if fact.unknown is not None:
                raise NotFound(
                    f"There is no thought or observation {fact.unknown} in this namespace.",
                    hint="Correct learned_from or supersedes, or omit it.",
                )
            if fact.foreign is not None:
                raise InvalidInput(
                    f"supersedes names a fact about another entity, {fact.foreign!r}.",
                    hint="Correct supersedes, or omit it; merge the two entities if they are one.",
                )
        return facts

    async def _relate(
        self, tx: Transaction, rows: list[dict[str, Any]], common: Parameters
    ) -> list[Upserted]:
        max_types = MAX_RELATION_TYPES
        links: list[Upserted] = []
        for part in _rounds(rows, "source_id", "type", "target_id"):
            ((written, types, refused),) = await tx.run(
                REMEMBER_RELATIONS,
                {
                    **common,
                    "rows": part,
                    "new_types": sorted({row["type"] for row in part} - self._known_types),
                    "reserved_types": sorted(RESERVED),
                    "max_types": max_types,
                },
            )
            if refused:
                new_types = ", ".join(refused[:5]) + (", …" if len(refused) > 5 else "")
                raise InvalidInput(
                    f"There are too many relation types: {new_types} would be new, the database has "
                    f"{types:,}, and at most {max_types:,} are allowed.",
                    hint="Use an existing type (CALL db.relationshipTypes() lists them), put the detail in "
                    "an observation.",
                )
            links += written
        return links


def _near(id: str, content: str, valid_from: datetime, **said: Any) -> NearFact:
    """A near fact of a row."""
    shown = excerpt(content, _SHOWN)
    return NearFact(id=id, content=shown, said_by=said_by_of(said), valid_from=valid_from)


def _rounds(rows: Sequence[dict[str, Any]], *key: str) -> list[list[dict[str, Any]]]:
    """The rows in parts that have each item once, in their order, as if they came in calls of their own.

    A statement looks for all its rows before it writes any. ``key`` are the columns that identify an item.
    """
    rounds: list[list[dict[str, Any]]] = []
    seen = Counter[object]()
    for row in rows:
        item = tuple(row[name] for name in key)
        if seen[item] == len(rounds):
            rounds.append([])
        rounds[seen[item]].append(row)
        seen[item] += 1
    return rounds


def _changed(rows: Iterable[Upserted]) -> dict[str, ChangedValidity]:
    """What the rows changed, by id. Raises InvalidInput for what would be valid at no time."""
    changed: dict[str, ChangedValidity] = {}
    for one, emptied in (each for row in rows for each in row.changed):
        if emptied:
            raise InvalidInput(
                f"{one.label!r} ({one.id}) is valid from {one.valid_from}, so it cannot end at "
                f"{one.valid_to}.",
                hint="Send a later valid_from. If the new one was true before, omit supersedes and send "
                "valid_to; forget the stored one if it was never true.",
            )
        changed[one.id] = replace(one, valid_to=end(one.valid_to))
    return changed
