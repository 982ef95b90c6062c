"""think: one embed and one statement from a text to a stored, linked, chained thought with its memories."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final, Unpack

from pydantic import Field

from legacymind import queries
from legacymind.errors import Conflict, DatabaseError, EmbeddingMismatch
from legacymind.graph import Graph, Transaction
from legacymind.model import Submode, ThinkResult
from legacymind.operation import Unit, Words, clamped, operation
from legacymind.queries import ThinkRow
from legacymind.services import hashing, injection, question, text, thought_result
from legacymind.services.heads import Head, Heads, Seat
from legacymind.services.thought import LINKS, Draft, Thought, prepare, properties
from legacymind.services.vectors import Claim, Vectors
from legacymind.settings import Settings

_TRIES: Final = 3
"""Compare-and-set misses before the head is locked in an explicit transaction instead."""


class ThinkService:
    """Thinking into the graph."""

    def __init__(
        self,
        graph: Graph,
        vectors: Vectors,
        settings: Settings,
        keys: hashing.ChainKeys,
        *,
        session_id: str | None = None,
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._settings = settings
        self._session_id = session_id
        self._heads = Heads()
        self._keys = keys

    @operation(tool="legacymind_think", command="think", writes=True)
    async def think(
        self,
        content: Annotated[str, Field(description="The thought; at most 100 KB")],
        hint: Annotated[
            str | None, Field(description="Mode: debug, build, plan, stuck, question or conclude")
        ] = None,
        injection_scale: Annotated[
            int | None, clamped(0, 5), Field(description="How far to recall: 0 nothing … 5 everything")
        ] = None,
        tags: Words | None = None,
        significance: Unit | None = None,
        verbose_analysis: Annotated[bool, Field(description="Include score parts")] = False,
        session_id: str | None = None,
        chain_id: Annotated[str | None, Field(description="A label that groups thoughts")] = None,
        previous_thought_id: Annotated[str | None, Field(description="Default: the session's latest")] = None,
        revises_thought: str | None = None,
        branch_from: str | None = None,
        parent_id: Annotated[str | None, Field(description="Parent in the thought tree")] = None,
        confidence: Unit | None = None,
        hypothesis: str | None = None,
        submode: Submode | None = None,
        thought_type: Annotated[str | None, Field(description="Any word; default: the mode")] = None,
        author: str | None = None,
        action_id: Annotated[str | None, Field(description="The act this thought leads to")] = None,
        context_id: str | None = None,
        is_private: Annotated[bool, Field(description="Recalled in its own session only")] = False,
        created_at: Annotated[datetime | None, Field(description="For imports; recalls only earlier")] = None,
        idempotency_key: Annotated[str | None, Field(description="Repeats return the first result")] = None,
        namespace: str | None = None,
    ) -> ThinkResult:
        """Think into memory: store a thought and get back what it brings to mind.

        The thought is embedded, recalls earlier thoughts and knowledge, is linked, hash-chained in its
        session and stored, in one statement. Raises InvalidInput, Conflict for an idempotency key used
        with other content, and EmbeddingError or DatabaseError; nothing is ever half stored.
        """
        thought = self.prepare(
            content=content,
            hint=hint,
            injection_scale=injection_scale,
            tags=tags,
            significance=significance,
            session_id=session_id or self._session_id,
            chain_id=chain_id,
            previous_thought_id=previous_thought_id,
            revises_thought=revises_thought,
            branch_from=branch_from,
            parent_id=parent_id,
            confidence=confidence,
            hypothesis=hypothesis,
            submode=submode,
            thought_type=thought_type,
            author=author,
            action_id=action_id,
            context_id=context_id,
            is_private=is_private,
            created_at=created_at,
            idempotency_key=idempotency_key,
            namespace=namespace,
        )
        (vector,) = await self._vectors.embed([thought.embedded_text])
        return await self.store(thought, vector, verbose=verbose_analysis)

    def prepare(self, **draft: Unpack[Draft]) -> Thought:
        """Check a thought and choose its mode; raises InvalidInput. No I/O."""
        return prepare(draft, self._settings, self._vectors.embedder.thresholds)

    async def find_known(self, thoughts: Sequence[Thought]) -> set[str]:
        """The ids among these that are stored already; raises Conflict when one holds something else."""
        contents = {thought.id: thought for thought in thoughts}
        rows = await self._graph.run(queries.find_known, ids=list(contents))
        for row in rows:
            _same(contents[row["id"]], row)
        return {row["id"] for row in rows}

    async def store(self, thought: Thought, vector: list[float], *, verbose: bool = False) -> ThinkResult:
        """Store a prepared thought with its vector: one statement, one more for a cold or moved head."""
        claim = await self._vectors.claim()
        if thought.session_id is None:
            properties = self._properties(thought, claim, None)
            (row,) = await self._graph.run(
                queries.think.for_slot(claim.slot), **_parameters(thought, properties, vector, claim)
            )
            return self._result(thought, properties, row, verbose=verbose)
        async with self._heads.hold(thought.namespace, thought.session_id) as seat:
            for _ in range(0 if seat.shared else _TRIES):
                properties = self._properties(thought, claim, seat.head)
                (row,) = await self._graph.run(
                    queries.think.for_slot(claim.slot), **_parameters(thought, properties, vector, claim)
                )
                if row["verdict"] != "moved":
                    break
                seat.head = _head(row["head"])
            else:
                properties, row = await self._store_locked(thought, vector, claim, seat)
            if row["verdict"] == "stored":
                seat.head = Head(
                    properties["chain_hash"], properties["step_index"], thought.id, properties["key_id"]
                )
            return self._result(thought, properties, row, verbose=verbose)

    # --- inside -----------------------------------------------------------------------------------

    async def _store_locked(
        self, thought: Thought, vector: list[float], claim: Claim, seat: Seat
    ) -> tuple[dict[str, Any], ThinkRow]:
        """With the head locked first, comparing cannot miss: for sessions that many processes write.

        Each of their misses waits its turn for the lock for nothing, so one that is written like this goes on
        like this until nobody else has written between two thoughts.
        """
        session_id = thought.session_id
        assert session_id is not None

        async def lock_and_think(tx: Transaction) -> tuple[dict[str, Any], ThinkRow]:
            (found,) = await tx.run(
                queries.lock_head,
                namespace=thought.namespace,
                session_id=session_id,
                genesis=hashing.genesis(thought.namespace, session_id),
                recorded_at=thought.recorded_at,
            )
            head = _head(found)
            seat.shared = head != seat.head
            properties = self._properties(thought, claim, head)
            (row,) = await tx.run(
                queries.think.for_slot(claim.slot), **_parameters(thought, properties, vector, claim)
            )
            return properties, row

        return await self._graph.transaction(lock_and_think)

    def _properties(self, thought: Thought, claim: Claim, head: Head | None) -> dict[str, Any]:
        return properties(thought, head, self._keys) | self._vectors.details(claim.slot, thought.recorded_at)

    def _result(
        self, thought: Thought, properties: dict[str, Any], row: ThinkRow, *, verbose: bool
    ) -> ThinkResult:
        embedding = self._vectors.embedder.info
        if row["verdict"] == "stored":
            return thought_result.build(thought, properties, row, embedding, verbose=verbose)
        if row["verdict"] == "exists":
            stored = row["stored"] or {}
            _same(thought, stored)
            return thought_result.build(thought, stored, row, embedding, verbose=verbose, repeated=True)
        if row["verdict"] == "embedding":
            self._vectors.forget_claim()
            raise EmbeddingMismatch(
                "The database has switched to another embedding model.",
                do="Call again; if it stays so, configure the model that the database was filled with.",
            )
        raise DatabaseError(f"The session {thought.session_id} could not be locked.", do="Call again.")


def _same(thought: Thought, stored: Mapping[str, Any]) -> None:
    """Raise Conflict unless what is stored under the thought's id is this thought."""
    same = stored.get("content") in (thought.content, None)  # None: redacted since
    if not same or stored["namespace"] != thought.namespace:
        raise Conflict(
            "This id or idempotency key is taken by another thought.",
            do="Use a new key for a new thought, or send the first content again.",
        )


def _parameters(
    thought: Thought, properties: dict[str, Any], vector: list[float], claim: Claim
) -> dict[str, Any]:
    """The parameters of think/think.cypher."""
    reach = thought.reach
    links = [{"name": name, "type": kind, "id": properties[name]} for name, kind in LINKS if properties[name]]
    return {
        "id": thought.id,
        "namespace": thought.namespace,
        "fingerprint": claim.fingerprint,
        "optional": {
            "session_id": thought.session_id,
            "genesis": hashing.genesis(thought.namespace, thought.session_id) if thought.session_id else None,
            "prev_hash": properties.get("prev_hash"),
            "submode": thought.submode,
            "links": links,
            "linked": [link["id"] for link in links],
        },
        "properties": {name: value for name, value in properties.items() if value is not None},
        "vector": vector,
        "created_at": thought.created_at,
        "recorded_at": thought.recorded_at,
        "knowledge_k": reach.knowledge_k,
        "knowledge_threshold": reach.knowledge_threshold,
        "floor": reach.floor,
        "thoughts_k": reach.thoughts_k,
        "thoughts_threshold": reach.thoughts_threshold,
        "thoughts_cap": injection.RECALLS_CAP,
        "since": reach.since,
        "best": reach.best,
        "words": text.full_text_query(thought.namespace, thought.content) or text.NO_WORDS,
        "question": question.of_thought(thought.content, thought.author, thought.created_at).parameters(),
        "pool": reach.pool,
        "tau": reach.weights.tau,
        "w_similarity": reach.weights.similarity,
        "w_recency": reach.weights.recency,
        "w_salience": reach.weights.salience,
        "w_access": reach.weights.access,
    }


def _head(found: Any) -> Head:
    return Head(found["hash"], found["step"], found["thought_id"], found["key_id"])
