"""Storing thoughts: embedded together, hashed after their sessions' heads, written in one statement."""

import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final, cast

from legacymind.db import queries
from legacymind.db.graph import Graph, Transaction
from legacymind.db.rows.think import HeadRow, KnownRow, StoredAgain, ThinkRow
from legacymind.db.stored import StoredThought
from legacymind.errors import Conflict, DatabaseError, EmbeddingMismatch
from legacymind.model.think import ThinkResult
from legacymind.services.chain import hashing
from legacymind.services.shared.deferred import Deferring
from legacymind.services.shared.vectors import Claim, Vectors
from legacymind.services.think import result
from legacymind.services.think.parameters import Attempt, Embedded, SessionKey, parameters
from legacymind.services.think.session_slots import Head, SessionSlot, SessionSlots
from legacymind.services.think.thought import Thought, as_stored
from legacymind.settings import Settings

_TRIES: Final = 3
"""Compare-and-set misses before the heads are locked in an explicit transaction instead."""


class Store:
    """Where thoughts are written; one for a process, since it keeps the heads it last saw."""

    def __init__(
        self,
        graph: Graph,
        vectors: Vectors,
        deferring: Deferring,
        keys: hashing.ChainKeys,
        settings: Settings,
    ) -> None:
        self._graph = graph
        self._deferring = deferring
        self._vectors = vectors
        self._keys = keys
        self._settings = settings
        self._slots = SessionSlots()

    async def think(self, thoughts: Sequence[Thought], *, verbose: bool = False) -> list[ThinkResult]:
        """Embed thoughts and their hypotheses in one call and store them in one statement, in their order.

        All are stored or none. Raises Conflict for an id that holds something else.
        """
        begun = time.perf_counter()
        texts = [thought.embedded_text for thought in thoughts]
        tried = [n for n, thought in enumerate(thoughts) if thought.hypothesis_test and thought.hypothesis]
        vectors = await self._deferring.embed(texts + [thoughts[n].hypothesis or "" for n in tried])
        if vectors is None:
            return await self.store([Embedded(thought, None) for thought in thoughts], verbose=verbose)
        hypotheses = dict(zip(tried, vectors[len(texts) :], strict=True))
        embedded = [Embedded(thought, vectors[n], hypotheses.get(n)) for n, thought in enumerate(thoughts)]
        return await self.store(embedded, verbose=verbose, begun=begun)

    async def store(
        self, embedded: Sequence[Embedded], *, verbose: bool = False, begun: float | None = None
    ) -> list[ThinkResult]:
        """Store thoughts that are embedded: one statement, one more for cold or moved heads."""
        begun = time.perf_counter() if begun is None else begun
        claim = await self._vectors.claim()
        # Always in one order, else two batches of the same sessions would wait for each other.
        places = sorted(
            {(e.thought.namespace, e.thought.session_id) for e in embedded if e.thought.session_id}
        )
        async with AsyncExitStack() as stack:
            slots = {place: await stack.enter_async_context(self._slots.hold(*place)) for place in places}
            return await self._in_sessions(embedded, claim, slots, verbose=verbose, begun=begun)

    async def find_known(self, thoughts: Sequence[Thought]) -> set[str]:
        """The ids among these that are stored already; raises Conflict when one holds something else."""
        contents = {thought.id: thought for thought in thoughts}
        rows = await self._graph.run(queries.find_known, {"ids": list(contents)})
        for row in rows:
            _same(contents[row["id"]], row)
        return {row["id"] for row in rows}

    # --- inside -----------------------------------------------------------------------------------

    async def _in_sessions(
        self,
        embedded: Sequence[Embedded],
        claim: Claim,
        slots: dict[SessionKey, SessionSlot],
        *,
        verbose: bool,
        begun: float,
    ) -> list[ThinkResult]:
        shared = any(slot.shared for slot in slots.values())
        for _ in range(0 if shared else _TRIES):
            attempt = Attempt(
                embedded,
                {place: slot.head for place, slot in slots.items()},
                self._keys,
            )
            rows = await self._graph.run(
                queries.think.for_slot(claim.slot), parameters(attempt, self._vectors, claim)
            )
            if rows[0]["verdict"] != "moved":
                break
            for one, row in zip(embedded, rows, strict=True):
                if row["head"] is not None:
                    slots[one.thought.namespace, one.thought.session_id or ""].head = _head(row["head"])
        else:
            attempt, rows = await self._locked(embedded, claim, slots)
        verdict = rows[0]["verdict"]
        if verdict == "partial":  # some of them were stored by an earlier try: they are read, the rest is new
            known = await self.find_known([one.thought for one in embedded])
            parts = [[e for e in embedded if (e.thought.id in known) is there] for there in (True, False)]
            results = [
                result
                for part in parts
                for result in await self._in_sessions(part, claim, slots, verbose=verbose, begun=begun)
            ]
            by_id = {result.delegated_result.thought_id: result for result in results}
            return [by_id[f"thoughts:{one.thought.id}"] for one in embedded]
        if verdict == "embedding":
            self._vectors.forget_claim()
            raise EmbeddingMismatch(
                "The database has switched to another embedding model.",
                hint="Call again; if it stays so, configure the model that the database was filled with.",
            )
        if verdict == "moved":
            raise DatabaseError("A session could not be locked.", hint="Call again.")
        if verdict == "stored":
            for place, head in attempt.heads.items():
                slots[place].head = head
        seconds = time.perf_counter() - begun
        return [
            self._result(one, attempt.properties[one.thought.id], row, seconds, verbose=verbose)
            for one, row in zip(embedded, rows, strict=True)
        ]

    async def _locked(
        self, embedded: Sequence[Embedded], claim: Claim, slots: dict[SessionKey, SessionSlot]
    ) -> tuple[Attempt, list[ThinkRow]]:
        """With the heads locked first, comparing cannot miss: for sessions that many processes write.

        Each of their misses waits its turn for the lock for nothing, so one that is written like this goes on
        like this until nobody else has written between two thoughts.
        """

        async def lock_and_think(tx: Transaction) -> tuple[Attempt, list[ThinkRow]]:
            heads: dict[SessionKey, Head] = {}
            for (namespace, session_id), slot in slots.items():
                (found,) = await tx.run(
                    queries.lock_head,
                    {
                        "namespace": namespace,
                        "session_id": session_id,
                        "genesis": hashing.genesis(namespace, session_id),
                        "recorded_at": embedded[0].thought.recorded_at,
                    },
                )
                heads[namespace, session_id] = head = _head(found)
                slot.shared = head != slot.head
            attempt = Attempt(embedded, heads, self._keys)
            rows = await tx.run(queries.think.for_slot(claim.slot), parameters(attempt, self._vectors, claim))
            return attempt, rows

        return await self._graph.transaction(lock_and_think)

    def _result(
        self,
        one: Embedded,
        properties: StoredThought,
        row: ThinkRow,
        seconds: float,
        *,
        verbose: bool,
    ) -> ThinkResult:
        repeated = row["verdict"] == "exists"
        thought = one.thought
        if repeated:
            stored = cast("StoredAgain", row["stored"])
            _same(thought, stored)
            thought = as_stored(thought, stored, self._settings, self._vectors.thresholds)
            properties, deferred = stored, bool(stored.get("embedding_deferred"))
        else:
            deferred = one.vector is None
        return result.build(
            thought,
            properties,
            row,
            self._vectors.embedder.info,
            seconds,
            verbose=verbose,
            repeated=repeated,
            deferred=deferred,
        )


def _same(thought: Thought, stored: KnownRow | StoredAgain) -> None:
    """Raise Conflict unless what is stored under the thought's id is this thought."""
    same = stored.get("content") in (thought.content, None)  # None: redacted since
    if not same or stored["namespace"] != thought.namespace:
        raise Conflict(
            "This id or idempotency key is taken by another thought.",
            hint="Use a new key for a new thought, or send the first content again.",
        )


def _head(found: HeadRow) -> Head:
    return Head(found["hash"], found["step"], found["thought_id"], found["key_id"])
