"""Storage of thoughts: embed them together, recall, hash them after their sessions' heads, and write once."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeVar

from legacymind.db.graph import Transaction
from legacymind.db.query import load
from legacymind.errors import ChainBroken, DatabaseError
from legacymind.model.think import ThinkResult
from legacymind.services.chain import hashing
from legacymind.services.chain.reads import READ_HEAD, StoredHead
from legacymind.services.recall.recall import Recalled
from legacymind.services.shared.service import OtherServices, Service, ServiceContext
from legacymind.services.shared.together import in_thread_if_large
from legacymind.services.shared.vectors import ClaimedSlot
from legacymind.services.think import known, result
from legacymind.services.think.answer import AnswerOptions, answer
from legacymind.services.think.attempt import Attempt, StoredRow
from legacymind.services.think.heads import (
    Head,
    SessionKey,
    SessionSlot,
    SessionSlots,
    checked_head,
    doubled_session,
)
from legacymind.services.think.recollection import Recollector
from legacymind.services.think.sections import sections_of
from legacymind.services.think.thought import Thought

STORE_THOUGHTS = load("think/store_thoughts", StoredRow, writes=True)


LOCK_HEAD = load("think/lock_head", StoredHead, writes=True)


T = TypeVar("T")

_MAX_ATTEMPTS: Final = 3
"""Compare-and-set failures before the heads are locked in an explicit transaction."""


class Store(Service):
    """Stores thoughts. A process has one Store, because it caches the heads of sessions."""

    _recollector: Recollector

    def __init__(self, context: ServiceContext, services: OtherServices) -> None:
        super().__init__(context, services)
        self._slots = SessionSlots()

    async def think(
        self, thoughts: Sequence[Thought], *, options: AnswerOptions | None = None, bulk: bool = False
    ) -> list[ThinkResult]:
        """Embed thoughts and their hypotheses in one call, recall, and store them in order in one statement.

        Stores all of them or none. Without ``options``, results are complete but have no texts. Raises
        Conflict when an id belongs to another thought, and RequestRefused when a quota is exceeded.
        """
        begun = time.perf_counter()
        async with AsyncExitStack() as admitted:
            for namespace in sorted({one.namespace for one in thoughts}):  # sorted: calls wait for each other
                texts = [one.content for one in thoughts if one.namespace == namespace]
                await admitted.enter_async_context(self._quotas.admit(namespace, texts, thoughts=True))
            return await self._embed_and_store(thoughts, options, begun, bulk=bulk)

    async def _embed_and_store(
        self, thoughts: Sequence[Thought], options: AnswerOptions | None, begun: float, *, bulk: bool
    ) -> list[ThinkResult]:
        asked_for = len(thoughts)
        thresholds = self._vectors.thresholds

        def read(whole: Sequence[Thought]) -> tuple[list[Thought], list[str]]:
            parts = [part for one in whole for part in sections_of(one, self._settings, thresholds)]
            return [*whole, *parts], [one.embedded_text for one in (*whole, *parts)]

        size = sum(len(one.content) for one in thoughts)
        thoughts, texts = await in_thread_if_large(size, partial(read, thoughts))
        tested = [n for n, thought in enumerate(thoughts) if thought.hypothesis_test and thought.hypothesis]
        questions, authors = await self._recollector.questions(thoughts)
        vectors = await self._deferred_embedding.embed(
            [*texts, *(thoughts[n].hypothesis or "" for n in tested), *questions.values()], bulk=bulk
        )
        if vectors is not None:
            others = vectors[len(texts) :]
            hypotheses = dict(zip(tested, others, strict=False))
            asked = dict(zip(questions, others[len(tested) :], strict=True))
            thoughts = [
                replace(
                    thought,
                    vector=vectors[n],
                    hypothesis_vector=hypotheses.get(n),
                    question_vector=asked.get(n),
                    named=authors.get(n, ()),
                )
                for n, thought in enumerate(thoughts)
            ]
        return (await self._store(thoughts, options, begun))[:asked_for]

    async def _store(
        self, thoughts: Sequence[Thought], options: AnswerOptions | None, begun: float
    ) -> list[ThinkResult]:
        """Recall for thoughts and store them in one statement, or two if a cached head is stale."""
        claim = await self._vectors.claim()
        # Sorted: two batches of the same sessions would otherwise deadlock.
        sessions = sorted({thought.session for thought in thoughts if thought.session_id})
        async with AsyncExitStack() as stack:
            slots = {key: await stack.enter_async_context(self._slots.hold(*key)) for key in sessions}
            recalled = dict[str, Recalled]()
            if recalls := any(thought.recalls for thought in thoughts):
                await self._read_heads(slots)
            attempt = self._hashed(thoughts, slots)
            if recalls:
                recalled = await self._recollector.recollect(attempt.steps)
            attempt = await self._attempt(attempt, recalled, claim, slots)
            before: dict[str, Mapping[str, Any]] = {}
            while attempt.verdict in ("exists", "partial"):  # an earlier call stored some or all
                before = await known.stored(self._graph, thoughts, {})
                rest = [thought for thought in thoughts if thought.id not in before]
                if not rest:
                    break
                attempt = await self._attempt(self._hashed(rest, slots), recalled, claim, slots)
            if attempt.verdict == "embedding":
                await self._vectors.switched()
            if attempt.verdict == "moved":
                raise DatabaseError("A session could not be locked.", hint="Retry.")
            if attempt.verdict == "stored":
                for key, head in attempt.heads.items():
                    slots[key].head = head
        seconds = time.perf_counter() - begun
        steps, rows = {step.id: step for step in attempt.steps}, {row.id: row for row in attempt.rows}
        verbose = options is not None and options.verbose
        info, results = self._vectors.embedder.info, list[ThinkResult]()
        for thought in thoughts:
            if thought.id in before:
                made = await known.answer_again(
                    self._graph, before[thought.id], thought, claim, info, verbose=verbose
                )
            else:
                made = result.of_new(
                    steps[thought.id],
                    recalled.get(thought.id, Recalled()),
                    rows[thought.id],
                    info,
                    seconds,
                    verbose=verbose,
                )
            results.append(
                made if options is None else answer(made, thought.content, thought.policy.scale, options)
            )
        return results

    def _hashed(self, thoughts: Sequence[Thought], slots: Mapping[SessionKey, SessionSlot]) -> Attempt:
        """The thoughts hashed after the heads that this process knows."""
        return Attempt.of(thoughts, {key: slot.head for key, slot in slots.items()}, self._keys)

    async def _read_heads(self, slots: Mapping[SessionKey, SessionSlot]) -> None:
        """Read the heads of sessions that this process does not know: what a thought follows is no memory."""
        for (namespace, session_id), slot in slots.items():
            if not slot.known:
                (found,) = await self._graph.run(
                    READ_HEAD, {"namespace": namespace, "session_id": session_id}
                )
                if found.hash is not None:
                    # Nothing is locked: the chain may have grown between two reads. The write finds out.
                    with suppress(ChainBroken):
                        slot.head = checked_head(found, namespace, session_id, self._keys)

    async def find_known(
        self, thoughts: Sequence[Thought], places: Mapping[str, str] | None = None
    ) -> set[str]:
        """The ids that are already stored. Raises Conflict when one belongs to another thought.

        ``places`` are the lines of an import by the ids of their thoughts, such as "Line 4", for the error.
        """
        return set(await known.stored(self._graph, thoughts, places or {}))

    async def append(
        self,
        namespace: str,
        session_id: str,
        recorded_at: datetime,
        write: Callable[[Transaction, Head], Awaitable[tuple[Head, T]]],
    ) -> T:
        """Run ``write`` with a session's locked head in one transaction, and keep the head it returns.

        Returns what ``write`` returns beside the head.
        """

        async def lock_and_write(tx: Transaction) -> tuple[Head, T]:
            return await write(tx, await self._lock(tx, namespace, session_id, recorded_at))

        async with self._slots.hold(namespace, session_id) as slot:
            slot.head, written = await self._graph.transaction(lock_and_write)
        return written

    async def plan(self) -> None:
        """Have the server plan the statement that stores thoughts, for a second. Nothing is stored."""
        claim = await self._vectors.claim()
        nothing = Attempt([], [], {}, {}).parameters({}, claim)
        await self._graph.run(STORE_THOUGHTS.for_slot(claim.slot), nothing)

    async def store_and(self, thought: Thought, also: Callable[[Transaction], Awaitable[None]]) -> None:
        """Store a new thought of a session, and run ``also`` in the same transaction.

        What ``also`` raises undoes both. It may run again after a transient error.
        """
        claim = await self._vectors.claim()

        async def write(tx: Transaction, head: Head) -> tuple[Head, None]:
            attempt = Attempt.of([thought], {thought.session: head}, self._keys)
            (row,) = await tx.run(STORE_THOUGHTS.for_slot(claim.slot), attempt.parameters({}, claim))
            if row.verdict == "exists":  # the answer of an earlier commit was lost
                return head, None
            if row.verdict == "embedding":
                await self._vectors.switched()
            await also(tx)
            return attempt.heads[thought.session], None

        await self.append(*thought.session, thought.recorded_at, write)

    async def _attempt(
        self,
        attempt: Attempt,
        recalled: Mapping[str, Recalled],
        claim: ClaimedSlot,
        slots: dict[SessionKey, SessionSlot],
    ) -> Attempt:
        """Store all thoughts or none.

        If other processes have moved a head, they are hashed again, in the end with the heads locked.
        """
        statement = STORE_THOUGHTS.for_slot(claim.slot)
        for _ in range(0 if any(slot.shared for slot in slots.values()) else _MAX_ATTEMPTS):
            rows = await self._graph.run(statement, attempt.parameters(recalled, claim))
            if rows[0].verdict != "moved":
                return attempt._replace(rows=rows)
            if len(rows) > len(attempt.steps):
                raise doubled_session(dict.fromkeys(session_id for _, session_id in slots))
            for step, row in zip(attempt.steps, rows, strict=True):
                if row.head is not None:
                    slots[step.session].head = checked_head(row.head, *step.session, self._keys)
            attempt = self._hashed(attempt.thoughts, slots)
        return await self._locked(attempt.thoughts, recalled, claim, slots)

    async def _locked(
        self,
        thoughts: Sequence[Thought],
        recalled: Mapping[str, Recalled],
        claim: ClaimedSlot,
        slots: dict[SessionKey, SessionSlot],
    ) -> Attempt:
        """Lock the heads before hashing, so that the comparison cannot fail.

        For sessions that several processes write: there a failed comparison has waited for the lock in vain.
        A session stays in this mode until no other process has written between two of its thoughts.
        """

        async def lock_and_store(tx: Transaction) -> Attempt:
            heads: dict[SessionKey, Head] = {}
            for key, slot in slots.items():
                heads[key] = await self._lock(tx, *key, thoughts[0].recorded_at)
                slot.shared = heads[key] != slot.head
            attempt = Attempt.of(thoughts, heads, self._keys)
            statement = STORE_THOUGHTS.for_slot(claim.slot)
            return attempt._replace(rows=await tx.run(statement, attempt.parameters(recalled, claim)))

        return await self._graph.transaction(lock_and_store)

    async def _lock(self, tx: Transaction, namespace: str, session_id: str, recorded_at: datetime) -> Head:
        """Lock a session, created if it does not exist, and read its head."""
        found, *others = await tx.run(
            LOCK_HEAD,
            {
                "namespace": namespace,
                "session_id": session_id,
                "genesis": hashing.genesis(namespace, session_id),
                "recorded_at": recorded_at,
            },
        )
        if others:
            raise doubled_session([session_id])
        return checked_head(found, namespace, session_id, self._keys)
