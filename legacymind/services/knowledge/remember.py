"""Knowledge: entities, observations and relations, stored in bulk."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Final, TypedDict, TypeVar

from legacymind.db.graph import Transaction
from legacymind.db.query import load
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
from legacymind.services.knowledge.batch import TYPE_HINT, Batch
from legacymind.services.knowledge.entities import not_one
from legacymind.services.knowledge.rows import (
    ChangedRow,
    EmbeddableRow,
    FactRow,
    NewObservation,
    NewRelation,
    RememberedRow,
    StoredKnowledge,
)
from legacymind.services.shared import checks
from legacymind.services.shared.entities import NamedEntity, end
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import OtherServices, Service, ServiceContext
from legacymind.services.shared.visibility import UnlistedSessionId, resolve_own_session
from legacymind.text import fulltext
from legacymind.text.excerpts import excerpt

FIND_REMEMBERED = load("knowledge/find_remembered", StoredKnowledge, writes=False)


class UpsertedEntity(EmbeddableRow):
    """One upserted entity; ``same_name`` are those that its name may mean, if several."""

    same_name: list[NamedEntity]


REMEMBER_ENTITIES = load("knowledge/remember_entities", list[UpsertedEntity], writes=True)


class ObservationsRow(TypedDict):
    """The upserted observations."""

    observations: list[FactRow]


REMEMBER_OBSERVATIONS = load(
    "knowledge/remember_observations",
    ObservationsRow,
    writes=True,
)


class NearRow(TypedDict):
    """A fact that is near to another of its entity."""

    id: str
    content: str
    valid_from: datetime


class NearFactsRow(TypedDict):
    """A fact and those near to it."""

    id: str
    near: list[NearRow]


NEAR_FACTS = load("knowledge/near_facts", NearFactsRow, writes=False)


class RelationRow(RememberedRow):
    """One upserted relation; ``unknown`` is the superseded id, if neither entity has that relation."""

    unknown: str | None
    changed: list[ChangedRow]


class RelationsRow(TypedDict):
    """The upserted relations, or the types refused for lack of room, and the number of types in use."""

    relations: list[RelationRow]
    types: int
    refused: list[str]


REMEMBER_RELATIONS = load("knowledge/remember_relations", RelationsRow, writes=True)


class KnowledgeWrite(TypedDict):
    """Where and when knowledge is written. Rows have positions in ``times`` instead of times."""

    namespace: str
    recorded_at: datetime
    times: list[datetime]


class Embedded(KnowledgeWrite):
    """``fingerprint`` is that of the model whose vectors the active slot must hold."""

    fingerprint: str
    ns_key: str


class Stating(Embedded):
    """Facts to store; they may be learned from the private thoughts of ``own_session``, None of all."""

    own_session: str | None
    rows: Sequence[NewObservation]


_Row = TypeVar("_Row")

MAX_RELATION_TYPES = 1_000
"""Relation types that users may create in one database; Neo4j's limit is 65,536."""

_NEAR: Final = 0.7
"""Cosine of two facts of which one may replace the other. It keeps 58 of 60 that were replaced."""

_COMPARED: Final = 2_000
"""Facts of an entity that a new one is compared with."""

_SHOWN: Final = 300
"""Characters of a near fact."""

NEAR: Final = (
    "If one of `near` is no longer true, send the new fact again with the id of that one as `supersedes`."
)
"""What an agent does with facts that are near to a new one."""


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
        own_session_id: UnlistedSessionId = None,
        namespace: Namespace = None,
    ) -> RememberResult:
        """Store entities, facts and relations.

        Repeating a call changes nothing. Names that differ only in case or spacing are the same entity.
        Missing entities of observations and relations are created. The call embeds once and runs one
        statement for each kind of item; it stores all items or none. ``near`` of a new fact are
        facts of its entity: if one is no longer true, send the new fact again with that id as ``supersedes``.
        An earlier ``valid_from`` of a stored fact or relation moves its start, and ends there what it
        superseded. Raises InvalidInput when a new relation type exceeds the limit, when what is superseded
        would end before it begins, and when it is a fact of another entity, NotFound when ``learned_from``
        or ``supersedes`` does not exist.
        """
        now = datetime.now(UTC)
        return await self.store(
            Batch(now, now, entities or [], observations or [], relations or [], compared=True),
            namespace,
            own_session=resolve_own_session(own_session_id, self._session_id),
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
            batch.found(stored_items)
        entity_texts, fact_texts = batch.texts()
        await self._quotas.check(namespace, [*entity_texts, *fact_texts], thoughts=False)
        vectors = await self._deferred_embedding.embed([*entity_texts, *fact_texts])
        stored_vectors = [None] * (len(entity_texts) + len(fact_texts)) if vectors is None else vectors
        claim = await self._vectors.claim()
        slot = claim.slot
        common: KnowledgeWrite = {"namespace": namespace, "recorded_at": batch.now, "times": batch.times}
        embedded: Embedded = {
            **common,
            "fingerprint": claim.fingerprint,
            "ns_key": fulltext.namespace_key(namespace),
        }
        entities_statement = REMEMBER_ENTITIES.for_slot(slot)
        entity_rows = batch.entity_rows(stored_vectors[: len(entity_texts)])
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
                if row["same_name"]:
                    raise not_one(batch.entities[row["index"]].name, row["same_name"], TYPE_HINT)
            ids = {row["index"]: str(row["id"]) for row in made}
            facts: list[FactRow] = []
            links: list[RelationRow] = []
            changed: dict[str, ChangedValidity] = {}
            if batch.observations:
                rows = batch.observation_rows(ids, stored_vectors[len(entity_texts) :])
                stating: Stating = {**embedded, "own_session": own_session, "rows": rows}
                facts = await self._state(tx, slot, stating)
                changed |= _changed(facts)
            if batch.relations:
                links = await self._relate(tx, batch.relation_rows(ids), common)
                for link in links:
                    if link["unknown"] is not None:
                        raise NotFound(
                            f"Neither entity of the relation has a relation {link['unknown']}.",
                            hint="Correct supersedes, or omit it; `entity` reads the ids of relations.",
                        )
                changed |= _changed(links)
            new = {row["id"] for row in (*facts, *links) if row["created"]}
            before = [one for id, one in changed.items() if id not in new]
            return batch.result(made, facts, links, before)

        try:
            result = await self._graph.transaction(write)
        except _Switched:
            await self._vectors.switched()
        self._known_types |= batch.relation_types
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
        near = {row["id"]: [_near(fact) for fact in row["near"]] for row in rows}
        facts = [replace(fact, near=near.get(fact.id, [])) for fact in result.observations]
        return replace(result, observations=facts, note=NEAR if any(fact.near for fact in facts) else None)

    async def _state(self, tx: Transaction, slot: Slot, stating: Stating) -> list[FactRow]:
        """Store facts; raises NotFound for an id that they name and that does not exist."""
        facts: list[FactRow] = []
        for rows in _rounds(stating["rows"], lambda row: (row["entity_id"], row["fact_key"])):
            (written,) = await tx.run(
                REMEMBER_OBSERVATIONS.for_slot(slot),
                {**stating, "rows": rows},
            )
            if not written["observations"]:
                raise _Switched
            facts += written["observations"]
        for fact in facts:
            if fact["unknown"] is not None:
                raise NotFound(
                    f"There is no thought or observation {fact['unknown']} in this namespace.",
                    hint="Correct learned_from or supersedes, or omit it.",
                )
            if fact["foreign"] is not None:
                raise InvalidInput(
                    f"supersedes names a fact about another entity, {fact['foreign']!r}.",
                    hint="Correct supersedes, or omit it; merge the two entities if they are one.",
                )
        return facts

    async def _relate(
        self, tx: Transaction, rows: list[NewRelation], common: KnowledgeWrite
    ) -> list[RelationRow]:
        max_types = MAX_RELATION_TYPES
        links: list[RelationRow] = []
        for part in _rounds(rows, lambda row: (row["source_id"], row["type"], row["target_id"])):
            (row,) = await tx.run(
                REMEMBER_RELATIONS,
                {
                    **common,
                    "rows": part,
                    "new_types": sorted({row["type"] for row in part} - self._known_types),
                    "reserved_types": sorted(RESERVED),
                    "max_types": max_types,
                },
            )
            if row["refused"]:
                new_types = ", ".join(row["refused"][:5]) + (", …" if len(row["refused"]) > 5 else "")
                raise InvalidInput(
                    f"There are too many relation types: {new_types} would be new, the database has "
                    f"{row['types']:,}, and at most {max_types:,} are allowed.",
                    hint="Use an existing type (CALL db.relationshipTypes() lists them), put the detail in "
                    "an observation.",
                )
            links += row["relations"]
        return links


def _near(row: NearRow) -> NearFact:
    return NearFact(id=row["id"], content=excerpt(row["content"], _SHOWN), valid_from=row["valid_from"])


def _rounds(rows: Sequence[_Row], same: Callable[[_Row], object]) -> list[list[_Row]]:
    """The rows in parts that have each item once, in their order, as if they came in calls of their own.

    A statement looks for all its rows before it writes any.
    """
    rounds: list[list[_Row]] = []
    seen = Counter[object]()
    for row in rows:
        if seen[same(row)] == len(rounds):
            rounds.append([])
        rounds[seen[same(row)]].append(row)
        seen[same(row)] += 1
    return rounds


def _changed(rows: Iterable[FactRow] | Iterable[RelationRow]) -> dict[str, ChangedValidity]:
    """What the rows changed, by id. Raises InvalidInput for what would be valid at no time."""
    changed: dict[str, ChangedValidity] = {}
    for one in (one for row in rows for one in row["changed"]):
        if one["emptied"]:
            raise InvalidInput(
                f"{one['label']!r} ({one['id']}) is valid from {one['valid_from']}, so it cannot end at "
                f"{one['valid_to']}.",
                hint="Send a later valid_from. If the new one was true before, omit supersedes and send "
                "valid_to; forget the stored one if it was never true.",
            )
        changed[one["id"]] = ChangedValidity(
            id=one["id"],
            label=one["label"],
            valid_from=one["valid_from"],
            valid_to=end(one["valid_to"]),
        )
    return changed
