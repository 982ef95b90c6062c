"""The curator: keeps thoughts active, crystallises them into a summary, or dumps them out of recall.

Nothing is deleted. The only change to a chain is a new step for each summary, which is a thought.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Annotated, Final, TypedDict

from legacymind.db.graph import Transaction
from legacymind.db.query import Parameters, load
from legacymind.errors import InvalidInput
from legacymind.model.about import about
from legacymind.model.base import ALWAYS, Mode
from legacymind.model.maintenance import CurateAction, CuratedThought, CurationResult, Verdict
from legacymind.model.members import Id
from legacymind.model.progress import Progress, call_progress, no_progress
from legacymind.model.values import Moment, Unit, clamped, whole
from legacymind.operations.budget import MaxTokens
from legacymind.operations.pages import Paged
from legacymind.operations.registry import operation
from legacymind.origins import trust_of
from legacymind.services.maintain.retention import (
    CURATOR,
    DUMP,
    KEEP,
    LEAST_SOURCES,
    MIN_AGE,
    MOST_SOURCES,
    SUMMARY,
    ActiveThought,
    Judgement,
    judge,
)
from legacymind.services.maintain.walking import WalkedPage, pages
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace, OwnSessionId, resolve_own_session
from legacymind.services.shared.service import Service
from legacymind.services.think.erasing import RESTORE_THOUGHTS, Erasure
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.services.think.thought import Thought
from legacymind.text.summary import summary

READ_ACTIVE = load("maintain/read_active", WalkedPage[list[ActiveThought]], writes=False)


class SourceRow(TypedDict):
    """A thought to summarise; its time is text."""

    id: str
    content: str
    author: str | None
    trust: int | None
    mode: Mode
    tags: list[str]
    created_at: str


READ_SOURCES = load("maintain/read_sources", SourceRow, writes=False)

COOL_THOUGHTS = load("maintain/cool_thoughts", int, writes=True)

_READ: Final = 1_000
"""Thoughts that one statement reads."""

_BATCH: Final = 500
"""Thoughts that one transaction dumps or restores. Few, so that it holds its locks only briefly."""

_KEPT: Final = 100
"""Most thoughts that a result lists."""

_LISTED: Final = 20
_TEXT: Final = 120

_Weak = tuple[ActiveThought, Judgement]
"""A thought that is not valuable enough to stay active."""


@dataclass(slots=True)
class _Run:
    """A run: its counts, the thoughts to list, and weak ones that are not enough for a summary yet."""

    namespace: str
    now: datetime
    apply: bool
    counts: Counter[str] = field(default_factory=Counter[str])
    waiting: defaultdict[tuple[str, bool], list[_Weak]] = field(
        default_factory=lambda: defaultdict[tuple[str, bool], list[_Weak]](list)
    )
    listed: list[CuratedThought] = field(default_factory=list[CuratedThought])

    def note(self, group: Sequence[_Weak], verdict: Verdict, summary_id: str | None = None) -> None:
        """List thoughts that leave recall, if the caller may read them: the least valuable."""
        self.listed += [
            CuratedThought(
                id=thought["id"],
                verdict=verdict,
                value=round(judgement.value, 2),
                reason=judgement.reason,
                session_id=thought["session_id"],
                text=" ".join(thought["text"].split()),
                summary_id=summary_id,
            )
            for thought, judgement in group
            if thought["visible"]
        ]
        self.listed = heapq.nsmallest(_KEPT, self.listed, key=lambda one: (one.value, one.id))


class _Changed(Exception):
    """A source of a summary has changed since it was judged, so its transaction is rolled back."""


class CurateService(Service):
    """Judges thoughts and takes weak ones out of recall."""

    _store: Store
    _erasing: Erasure
    _thinking: ThinkService

    @operation(
        tool="curate",
        command="curate",
        writes=True,
        profile="full",
        idempotent=True,
        planned={"action": "plan"},
    )
    async def curate(
        self,
        action: Annotated[
            CurateAction,
            about("Default: plan", "plan: only judge; apply: act on the plan; restore: undo"),
        ] = "plan",
        min_age: Annotated[
            float,
            clamped(0, 36_500),
            about("Least age, days", "Days since the time of a thought before which it is not judged"),
        ] = MIN_AGE,
        keep: Annotated[
            Unit, about("Value to stay", "Value from which a thought stays active, greater than `dump`")
        ] = KEEP,
        dump: Annotated[
            Unit, about("Value to dump", "Value below which a thought is dumped and not summarised")
        ] = DUMP,
        thought_id: Annotated[
            Id | None,
            about("To restore", "With `restore`: only this thought, or the sources of this summary"),
        ] = None,
        since: Annotated[
            Moment | None,
            about("ISO time", "With `restore`: only what was curated since this ISO 8601 time"),
        ] = None,
        limit: Annotated[
            int, whole(1, 100), about("Thoughts listed", "Thoughts to list, the least valuable first")
        ] = _LISTED,
        max_tokens: MaxTokens = None,
        own_session_id: OwnSessionId = None,
        namespace: Namespace = None,
    ) -> Paged[CurationResult]:
        """Keep valuable thoughts active, and take the others out of recall.

        A thought is judged by its last use, its recalls, its salience and its outcome. Weak thoughts of one
        session become a summary that refers to them (crystallise), and worthless ones leave recall (dump).
        All stay in the graph, in searches and in their chains, and `restore` undoes it. Pinned thoughts,
        standing preferences, playbooks and unresolved problems stay active. Raises NotFound for an unknown
        ``thought_id``, InvalidInput when ``dump`` is above ``keep``.
        """
        if dump > keep:
            raise InvalidInput(
                "`dump` is greater than `keep`.",
                effect="Nothing was changed.",
                hint="Send a `dump` of at most `keep`.",
            )
        space = checks.namespace(namespace, self._settings)
        own_session = resolve_own_session(own_session_id, self.session_id)
        if action == "restore":
            restored = await self._restore(space, thought_id, since, own_session)
            return Paged(result=restored, lists=("thoughts",))
        run = await self.run(
            space,
            apply=action == "apply",
            min_age=min_age,
            keep=keep,
            dump=dump,
            own_session=own_session,
            progress=call_progress.get(),
        )
        leaving = run.counts["crystallised"] + run.counts["dumped"] + run.counts["changed_meanwhile"]
        result = CurationResult(
            action=action,
            applied=run.apply,
            namespace=space,
            thoughts=run.listed[:limit],
            left_out=max(leaving - len(run.listed[:limit]), 0),
            ask=None,
            **run.counts,
        )
        return Paged(result=result, lists=("thoughts",))

    async def run(
        self,
        namespace: str,
        *,
        apply: bool = False,
        min_age: float = MIN_AGE,
        keep: float = KEEP,
        dump: float = DUMP,
        own_session: str = "",
        now: datetime | None = None,
        progress: Progress = no_progress,
    ) -> _Run:
        """Judge every old thought that recall can find and, with ``apply``, act on the verdicts.

        Thoughts are judged page by page in the order of their times. A dumped thought leaves recall. Of those
        to crystallise, each with a summary goes back to it, and 3 to 20 others of one session, private or
        not, become a summary; fewer stay active. Each batch and each summary with its sources is a
        transaction of its own. Raises EmbeddingError when a summary cannot be embedded; what was done before
        stays.
        """
        run = _Run(namespace, now or datetime.now(UTC), apply)

        async def read(place: Parameters) -> WalkedPage[list[ActiveThought]]:
            (row,) = await self._graph.run(
                READ_ACTIVE, {**place, "own_session": own_session, "text_length": _TEXT}
            )
            return row

        before = run.now - timedelta(days=min_age)
        stage = "Judging thoughts"
        async for _, active in pages(self._graph, namespace, before, read, stage, progress, size=_READ):
            judged = [(thought, judge(thought, run.now, keep=keep, dump=dump)) for thought in active]
            await self._act(run, judged)
        for group in run.waiting.values():
            await self._crystallise(run, group)
        return run

    async def _restore(
        self, namespace: str, thought_id: str | None, since: datetime | None, own_session: str
    ) -> CurationResult:
        """Make thoughts active again: all, those curated since a time, one, or the sources of a summary.

        A summary whose sources are all active again leaves recall itself.
        """
        own_id = checks.thought_id("thought_id", thought_id)
        if own_id is not None and not await self._erasing.read(namespace, [own_id], own_session):
            raise checks.thought_not_found(own_id, effect="Nothing was changed.")
        restored, progress, more = 0, call_progress.get(), True
        while more:
            ((again, _),) = await self._graph.run(
                RESTORE_THOUGHTS,
                {
                    "namespace": namespace,
                    "id": own_id or "",
                    "since": checks.moment(since) or ALWAYS,
                    "now": datetime.now(UTC),
                    "take": _BATCH,
                },
            )
            restored += again
            more = own_id is None and again == _BATCH
            progress("Restoring thoughts", restored, restored + _BATCH * more)
        return CurationResult(namespace=namespace, action="restore", applied=restored > 0, restored=restored)

    async def _act(self, run: _Run, judged: Sequence[_Weak]) -> None:
        """Act on a page of judged thoughts, and summarise sessions that have enough of them."""
        dumped: list[_Weak] = []
        returning: defaultdict[str, list[_Weak]] = defaultdict(list)
        for thought, judgement in judged:
            run.counts.update(judged=1, protected=judgement.protected)
            if judgement.verdict == "dump":
                dumped.append((thought, judgement))
            elif judgement.verdict == "crystallise" and thought["summary"] is not None:
                returning[thought["summary"]].append((thought, judgement))
            elif judgement.verdict == "crystallise" and thought["session_id"] is not None:
                run.waiting[thought["session_id"], thought["is_private"]].append((thought, judgement))
            else:
                run.counts["kept"] += 1
        for start in range(0, len(dumped), _BATCH):
            await self._dump(run, dumped[start : start + _BATCH])
        for summary_id, group in returning.items():
            await self._leave(run, group, summary_id, None)
        for group in run.waiting.values():
            while len(group) >= MOST_SOURCES + LEAST_SOURCES:
                await self._crystallise(run, group[:MOST_SOURCES])
                del group[:MOST_SOURCES]

    async def _dump(self, run: _Run, dumped: Sequence[_Weak]) -> None:
        cooled = len(dumped)
        if run.apply:
            (cooled,) = await self._graph.run(COOL_THOUGHTS, _cool(run, "dumped", dumped))
        run.counts.update(dumped=cooled, changed_meanwhile=len(dumped) - cooled)
        run.note(dumped, "dump")

    async def _crystallise(self, run: _Run, group: Sequence[_Weak]) -> None:
        """Summarise thoughts of a session, at most 20 together. Fewer than three stay active."""
        count = -(-len(group) // MOST_SOURCES)
        borders = [len(group) * number // count for number in range(count + 1)] if count else []
        for part in (group[start:end] for start, end in pairwise(borders)):
            if len(part) < LEAST_SOURCES:
                run.counts["kept"] += len(part)
            else:
                await self._summarise(run, part)

    async def _summarise(self, run: _Run, group: Sequence[_Weak]) -> None:
        """Make a summary of a group, unless it would say nothing or the group has lost a source meanwhile."""
        ids = [thought["id"] for thought, _ in group]
        sources = await self._graph.run(READ_SOURCES, {"namespace": run.namespace, "ids": ids})
        if len(sources) < len(ids):
            run.counts["changed_meanwhile"] += len(group)
            return
        content = summary([source["content"] for source in sources], [source["author"] for source in sources])
        if not content:
            run.counts["kept"] += len(group)
            return
        modes = [source["mode"] for source in sources]
        thought = self._thinking.prepare(
            content=content,
            # The most frequent mode, so that a filter by mode finds the summary.
            hint=max(sorted(set(modes)), key=modes.count),
            thought_type=SUMMARY,
            tags=sorted({tag for source in sources for tag in source["tags"]}),
            significance=max(weak["salience"] or 0.5 for weak, _ in group),
            session_id=group[0][0]["session_id"],
            is_private=group[0][0]["is_private"],
            namespace=run.namespace,
            injection_scale=0,
            enhance=False,
            # The time of the last source, so that the summary is not the newest thought.
            created_at=max(datetime.fromisoformat(source["created_at"]) for source in sources),
        )
        # What LegacyMind makes of memories is trusted as the least trusted of them, and is no instruction.
        least = min(trust_of(source["trust"]) for source in sources)
        made = replace(thought, origin="derived", door=CURATOR, trust=least, standing=None)
        await self._leave(run, group, made.id, made)

    async def _leave(self, run: _Run, group: Sequence[_Weak], summary_id: str, made: Thought | None) -> None:
        """Take the sources of a summary out of recall, in the transaction that stores it; a plan counts."""

        async def cool(tx: Transaction) -> None:
            (cooled,) = await tx.run(COOL_THOUGHTS, _cool(run, "crystallised", group, summary_id))
            if cooled < len(group):
                raise _Changed

        try:
            if run.apply and made is not None:
                (vector,) = await self._vectors.embed([made.embedded_text], bulk=True)
                await self._store.store_and(replace(made, vector=vector), cool)
            elif run.apply:
                await self._graph.transaction(cool)
        except _Changed:
            run.counts["changed_meanwhile"] += len(group)
            return
        run.counts.update(crystallised=len(group), summaries=1)
        run.note(group, "crystallise", summary_id if run.apply else None)


def _cool(run: _Run, reason: str, group: Sequence[_Weak], summary_id: str = "") -> Parameters:
    """What takes thoughts out of recall that are as they were judged."""
    return {
        "namespace": run.namespace,
        "now": run.now,
        "reason": reason,
        "summary": summary_id,
        "rows": [{"id": thought["id"], "accesses": thought["accesses"]} for thought, _ in group],
    }
