"""Erasure: the one way in which redaction, forgetting and expiry remove texts. What goes is read first.

A thought is redacted, which its session's chain records, and stays as a step; knowledge is deleted.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Literal, TypedDict

from legacymind.db.graph import Transaction
from legacymind.db.query import Parameters, load
from legacymind.model.base import ALWAYS, REDACTION
from legacymind.model.progress import call_progress
from legacymind.services.shared.service import Service
from legacymind.services.think.attempt import hashed_in_order, properties
from legacymind.services.think.heads import Head
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.services.think.thought import Thought


class ErasedRow(TypedDict):
    """A node that goes; ``fresh`` while it has a text. ``text`` is what its digest is of.

    An alias is an entity that was merged into another. ``summarises``: it is a summary of the curator.
    """

    id: str
    kind: Literal["thought", "entity", "observation", "alias"]
    session_id: str | None
    is_private: bool
    text: str | None
    digest: str | None
    fresh: bool
    redacted_at: datetime | None
    summarises: bool
    relations: int


READ_ERASED = load("forget/read_erased", ErasedRow, writes=False)
REDACT_THOUGHTS = load("forget/redact_thoughts", bool, writes=True)
DELETE_KNOWLEDGE = load("forget/delete_knowledge", int, writes=True)
RESTORE_THOUGHTS = load("maintain/restore_thoughts", tuple[int, int], writes=True)

_BATCH = 200
"""Thoughts that one transaction redacts, so that it holds the lock of their session only briefly."""


class Erasure(Service):
    """Reads what goes together, and removes it."""

    _think: ThinkService
    _store: Store

    async def read(
        self,
        namespace: str,
        ids: Sequence[str],
        own_session: str | None,
        *,
        session_id: str | None = None,
    ) -> list[ErasedRow]:
        """What goes with thoughts, facts and entities: sections and summaries, facts, merged entities.

        Private thoughts are those of ``own_session``; with None, of all sessions.
        """
        return await self._graph.run(
            READ_ERASED,
            {"ids": ids, "session_id": session_id, "namespace": namespace, "own_session": own_session},
        )

    async def erase(
        self, namespace: str, rows: Sequence[ErasedRow], reason: str, author: str | None
    ) -> dict[str, datetime]:
        """Erase what ``read`` has found; return the times at which thoughts were redacted.

        A transaction redacts at most 200 thoughts of one session, those without a session first. An
        interrupted call is finished by repeating it.
        """
        at: dict[str, datetime] = {}
        progress, total = call_progress.get(), len(rows)
        for summary in (row["id"] for row in rows if row["summarises"]):  # its other sources are active again
            await self._graph.run(
                RESTORE_THOUGHTS,
                {
                    "namespace": namespace,
                    "id": summary,
                    "since": ALWAYS,
                    "now": datetime.now(UTC),
                    "take": 1_000,
                },
            )
        thoughts = [row for row in rows if row["kind"] == "thought" and row["fresh"]]
        for session, group in groupby(sorted(thoughts, key=_session), key=_session):
            left = [*group]
            while left:
                part = left[:_BATCH]
                if times := await self._redact(namespace, session, part, reason, author):
                    at |= times
                    left = left[_BATCH:]
                    progress("Forgetting", len(at), total)
                else:  # another call has redacted one of them
                    ids = {row["id"] for row in left}
                    again = await self.read(namespace, [*ids], None)
                    left = [row for row in again if row["id"] in ids and row["fresh"]]
        if knowledge := sorted(row["id"] for row in rows if row["kind"] != "thought"):
            given = {"namespace": namespace, "ids": knowledge}
            await self._graph.run(DELETE_KNOWLEDGE, given)
        progress("Forgetting", total, total)
        self._vectors.forget_all()
        return at

    async def _redact(
        self, namespace: str, session: str, rows: Sequence[ErasedRow], reason: str, author: str | None
    ) -> dict[str, datetime]:
        """Redact thoughts of one session, or of none; none of them if another call has redacted one."""
        now = datetime.now(UTC)
        given: Parameters = {"namespace": namespace, "session_id": session, "reason": reason}
        if not session:
            lines = [{"id": row["id"], "at": now, "step": None} for row in rows]
            (done,) = await self._graph.run(REDACT_THOUGHTS, {**given, "rows": lines})
            return {row["id"]: now for row in rows} if done else {}
        steps = [self._step(namespace, row, reason, author) for row in rows]
        place = (namespace, session)

        async def redact(tx: Transaction, head: Head) -> tuple[Head, bool]:
            hashed, heads = hashed_in_order(steps, {place: head}, self._keys)
            lines = [
                # The time is that of the step, whose hash covers it.
                {"id": step.redacts, "at": step.created_at, "step": properties(step)}
                for step in hashed
            ]
            (done,) = await tx.run(REDACT_THOUGHTS, {**given, "rows": lines})
            return (heads[place] if done else head), done

        done = await self._store.append(*place, now, redact)
        return {row["id"]: step.created_at for row, step in zip(rows, steps, strict=True)} if done else {}

    def _step(self, namespace: str, row: ErasedRow, reason: str, author: str | None) -> Thought:
        """The step of the chain that records a redaction."""
        return self._think.prepare(
            content=f"Redacted {row['id']}: {reason}",
            hint="conclude",
            thought_type=REDACTION,
            author=author,
            session_id=row["session_id"],
            namespace=namespace,
            is_private=row["is_private"],
            injection_scale=0,
            enhance=False,
            redacts=row["id"],
        )


def _session(row: ErasedRow) -> str:
    return row["session_id"] or ""
