"""Storage of thoughts: embed them together, recall, hash them after their sessions' heads, and write once."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, NamedTuple, TypedDict, TypeVar

from legacymind.db.graph import Transaction
from legacymind.db.query import load
from legacymind.errors import ChainBroken, Conflict, DatabaseError
from legacymind.model.base import MAX_CONTENT
from legacymind.model.graph import View
from legacymind.model.stored import Thought as StoredThought
from legacymind.model.stored import members
from legacymind.model.think import ThinkResult
from legacymind.services.chain import hashing
from legacymind.services.chain.reads import READ_HEAD
from legacymind.services.shared.service import OtherServices, Service, ServiceContext
from legacymind.services.shared.together import in_thread_if_large
from legacymind.services.shared.vectors import ClaimedSlot
from legacymind.services.think import result
from legacymind.services.think.answer import AnswerOptions, answer
from legacymind.services.think.heads import HeadRow, checked_head, doubled_session
from legacymind.services.think.parameters import (
    NO_RECOLLECTION,
    HashedThoughts,
    Recollection,
    SessionKey,
    ThoughtWithVector,
    parameters,
)
from legacymind.services.think.recalled import memories
from legacymind.services.think.recollection import Recollector
from legacymind.services.think.result import StoredRow, StoreVerdict
from legacymind.services.think.sections import sections_of
from legacymind.services.think.session_slots import Head, SessionSlot, SessionSlots
from legacymind.services.think.thought import Thought

STORE_THOUGHTS = load("think/store_thoughts", StoredRow, writes=True)


class KnownRow(TypedDict):
    """A stored thought; its ``content`` is null when it was redacted."""

    stored: dict[str, Any]


FIND_KNOWN = load("think/find_known", KnownRow, writes=False)
LOCK_HEAD = load("think/lock_head", HeadRow, writes=True)


class SolvedRow(TypedDict):
    """How many problems were solved."""

    solved: int


SOLVE_PROBLEMS = load("think/solve_problems", SolvedRow, writes=True)


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
        begun, asked_for = time.perf_counter(), len(thoughts)
        await self.check_quotas(thoughts)
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
        if vectors is None:
            unembedded = [ThoughtWithVector(thought, None) for thought in thoughts]
            return (await self.store(unembedded, options=options))[:asked_for]
        others = vectors[len(texts) :]
        hypotheses = dict(zip(tested, others, strict=False))
        asked = dict(zip(questions, others[len(tested) :], strict=True))
        embedded = [
            ThoughtWithVector(thought, vectors[n], hypotheses.get(n), asked.get(n), authors.get(n, ()))
            for n, thought in enumerate(thoughts)
        ]
        return (await self.store(embedded, options=options, begun=begun))[:asked_for]

    async def check_quotas(self, thoughts: Sequence[Thought]) -> None:
        """Raise RequestRefused if thoughts exceed the quota of their namespace."""
        for namespace in sorted({one.namespace for one in thoughts}):
            texts = [one.content for one in thoughts if one.namespace == namespace]
            await self._quotas.check(namespace, texts, thoughts=True)

    async def store(
        self,
        embedded: Sequence[ThoughtWithVector],
        *,
        options: AnswerOptions | None = None,
        begun: float | None = None,
    ) -> list[ThinkResult]:
        """Recall for embedded thoughts and store them in one statement, or two if a cached head is stale."""
        begun = time.perf_counter() if begun is None else begun
        claim = await self._vectors.claim()
        # Sorted: two batches of the same sessions would otherwise deadlock.
        places = sorted(
            {(e.thought.namespace, e.thought.session_id) for e in embedded if e.thought.session_id}
        )
        async with AsyncExitStack() as stack:
            slots = {place: await stack.enter_async_context(self._slots.hold(*place)) for place in places}
            recollections = dict[str, Recollection]()
            if any(one.recalls for one in embedded):
                await self._read_heads(slots)
                heads = {place: slot.head for place, slot in slots.items()}
                recollections = await self._recollector.recollect(HashedThoughts(embedded, heads, self._keys))
            known: dict[str, Mapping[str, Any]] = {}
            attempt, rest = await self._attempt(embedded, recollections, claim, slots), embedded
            while rest and attempt.verdict in ("exists", "partial"):  # an earlier call stored some or all
                known = await self._known([one.thought for one in embedded], {})
                rest = [one for one in embedded if one.thought.id not in known]
                if rest:
                    attempt = await self._attempt(rest, recollections, claim, slots)
            if attempt.verdict == "embedding":
                await self._vectors.switched()
            if attempt.verdict == "moved":
                raise DatabaseError("A session could not be locked.", hint="Retry.")
            if attempt.verdict == "stored":
                for place, head in attempt.hashed.heads.items():
                    slots[place].head = head
        seconds = time.perf_counter() - begun
        rows = {row["id"]: row for row in attempt.rows}
        verbose = options is not None and options.verbose
        info, results = self._vectors.embedder.info, list[ThinkResult]()
        for one in embedded:
            thought = one.thought
            if thought.id in known:
                made = await self._repeated(thought, known[thought.id], claim, verbose=verbose)
            else:
                made = result.of_new(
                    thought,
                    attempt.hashed.thoughts[thought.id],
                    recollections.get(thought.id, NO_RECOLLECTION),
                    rows[thought.id],
                    info,
                    seconds,
                    self._settings,
                    verbose=verbose,
                    deferred=one.vector is None,
                )
            results.append(
                made if options is None else answer(made, thought.content, thought.policy.scale, options)
            )
        if ending := [one.thought for one in embedded if one.thought.ends_problem]:
            ids, now = [thought.id for thought in ending], ending[0].recorded_at
            await self._graph.run(SOLVE_PROBLEMS, {"ids": ids, "recorded_at": now})
        return results

    async def _read_heads(self, slots: Mapping[SessionKey, SessionSlot]) -> None:
        """Read the heads of sessions that this process does not know: what a thought follows is no memory."""
        for (namespace, session_id), slot in slots.items():
            if not slot.known:
                (row,) = await self._graph.run(READ_HEAD, {"namespace": namespace, "session_id": session_id})
                found: Any = {name.removeprefix("head_"): value for name, value in row.items()}
                if row["head_hash"] is not None:
                    # Nothing is locked: the chain may have grown between two reads. The write finds out.
                    with suppress(ChainBroken):
                        slot.head = checked_head(found, namespace, session_id, self._keys)

    async def find_known(
        self, thoughts: Sequence[Thought], places: Mapping[str, str] | None = None
    ) -> set[str]:
        """The ids that are already stored. Raises Conflict when one belongs to another thought.

        ``places`` are the lines of an import by the ids of their thoughts, such as "Line 4", for the error.
        """
        return set(await self._known(thoughts, places or {}))

    async def _known(
        self, thoughts: Sequence[Thought], places: Mapping[str, str]
    ) -> dict[str, Mapping[str, Any]]:
        """The properties of those that are already stored, by their ids."""
        by_id = {thought.id: thought for thought in thoughts}
        rows = await self._graph.run(FIND_KNOWN, {"ids": list(by_id)})
        known: dict[str, Mapping[str, Any]] = {row["stored"]["id"]: row["stored"] for row in rows}
        for thought_id, stored in known.items():
            _same(by_id[thought_id], stored, place=places.get(thought_id))
        return known

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

    async def store_and(self, one: ThoughtWithVector, also: Callable[[Transaction], Awaitable[None]]) -> None:
        """Store a new thought of a session, and run ``also`` in the same transaction.

        What ``also`` raises undoes both. It may run again after a transient error.
        """
        thought = one.thought
        place = (thought.namespace, thought.session_id or "")
        claim = await self._vectors.claim()

        async def write(tx: Transaction, head: Head) -> tuple[Head, None]:
            hashed = HashedThoughts([one], {place: head}, self._keys)
            (row,) = await tx.run(STORE_THOUGHTS.for_slot(claim.slot), parameters(hashed, {}, claim))
            if row["verdict"] == "exists":  # the answer of an earlier commit was lost
                return head, None
            if row["verdict"] == "embedding":
                await self._vectors.switched()
            await also(tx)
            return hashed.heads[place], None

        await self.append(*place, thought.recorded_at, write)

    async def _attempt(
        self,
        embedded: Sequence[ThoughtWithVector],
        recollections: Mapping[str, Recollection],
        claim: ClaimedSlot,
        slots: dict[SessionKey, SessionSlot],
    ) -> "_Attempt":
        """Hash the thoughts after the heads that this process knows, and store all or none.

        If other processes have moved a head, it is hashed again, in the end with the heads locked.
        """
        for _ in range(0 if any(slot.shared for slot in slots.values()) else _MAX_ATTEMPTS):
            hashed = HashedThoughts(embedded, {place: slot.head for place, slot in slots.items()}, self._keys)
            rows = await self._graph.run(
                STORE_THOUGHTS.for_slot(claim.slot), parameters(hashed, recollections, claim)
            )
            if rows[0]["verdict"] != "moved":
                return _Attempt(hashed, rows)
            if len(rows) > len(embedded):
                raise doubled_session(dict.fromkeys(session_id for _, session_id in slots))
            for one, row in zip(embedded, rows, strict=True):
                if row["head"] is not None:
                    place = (one.thought.namespace, one.thought.session_id or "")
                    slots[place].head = checked_head(row["head"], *place, self._keys)
        return await self._locked(embedded, recollections, claim, slots)

    async def _locked(
        self,
        embedded: Sequence[ThoughtWithVector],
        recollections: Mapping[str, Recollection],
        claim: ClaimedSlot,
        slots: dict[SessionKey, SessionSlot],
    ) -> "_Attempt":
        """Lock the heads before hashing, so that the comparison cannot fail.

        For sessions that several processes write: there a failed comparison has waited for the lock in vain.
        A session stays in this mode until no other process has written between two of its thoughts.
        """

        async def lock_and_store(tx: Transaction) -> _Attempt:
            heads: dict[SessionKey, Head] = {}
            for (namespace, session_id), slot in slots.items():
                head = await self._lock(tx, namespace, session_id, embedded[0].thought.recorded_at)
                heads[namespace, session_id] = head
                slot.shared = head != slot.head
            hashed = HashedThoughts(embedded, heads, self._keys)
            rows = await tx.run(STORE_THOUGHTS.for_slot(claim.slot), parameters(hashed, recollections, claim))
            return _Attempt(hashed, rows)

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

    async def _repeated(
        self, thought: Thought, known: Mapping[str, Any], claim: ClaimedSlot, *, verbose: bool
    ) -> ThinkResult:
        """The answer of a repeated call."""
        stored = StoredThought(**members(StoredThought, known))
        view = View(stored.namespace or "", thought.session_id or "")
        recalled = await memories(self._graph, view, known, MAX_CONTENT)
        deferred = known["embedding_deferred"] in (True, f"embedding_{claim.slot}")
        return result.of_known(
            stored, recalled, self._vectors.embedder.info, verbose=verbose, deferred=deferred
        )


class _Attempt(NamedTuple):
    """Hashed thoughts, and what the statement that stores them answered."""

    hashed: HashedThoughts
    rows: Sequence[StoredRow]

    @property
    def verdict(self) -> StoreVerdict:
        """The verdict, which is the same for all thoughts."""
        return self.rows[0]["verdict"]


def _same(thought: Thought, stored: Mapping[str, Any], *, place: str | None = None) -> None:
    """Raise Conflict unless the stored thought with this id is the same thought, and may be read.

    Nobody can tell whether a redacted thought is the same. An import, which has ``place``, takes it for
    known: it would bring the text back otherwise.
    """
    expires = stored.get("expires_at")
    private = stored.get("is_private") is not False and stored.get("session_id") != thought.session_id
    if place is None and (private or (expires is not None and expires <= datetime.now(UTC))):
        raise _belongs_to_another()
    if stored.get("content") is None and place is None and stored["namespace"] == thought.namespace:
        raise Conflict(
            f"The thought of this id or idempotency key, {thought.id}, was redacted.",
            hint="Send a new key for a new thought.",
        )
    same = stored.get("content") in (thought.content, None)  # None: redacted.
    if not same or stored["namespace"] != thought.namespace:
        if place is not None:
            raise Conflict(
                f"{place} cannot be imported: its id, {thought.id}, belongs to another thought.",
                hint="Give the line an id of its own, or its original content and namespace.",
            )
        raise _belongs_to_another()


def _belongs_to_another() -> Conflict:
    # Without its id, since the thought may be private.
    return Conflict(
        "This id or idempotency key belongs to another thought.",
        hint="Send a new key for a new thought, or the original content to repeat the first call.",
    )
