"""The curator: keeps thoughts active, crystallises them into a summary, or dumps them out of recall.

Nothing is deleted. The only change to a chain is a new step for each summary, which is a thought.
"""

import heapq
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Final, TypedDict

from legacymind.db.graph import Transaction
from legacymind.db.query import Parameters, load
from legacymind.model.base import ALWAYS, Mode
from legacymind.model.maintenance import CurateAction, CuratedThought, CurationResult, Verdict
from legacymind.model.progress import Progress, no_progress
from legacymind.services.maintain.retention import (
    DUMP,
    INNER_VOICE,
    KEEP,
    LEAST_SOURCES,
    MIN_AGE,
    MOST_SOURCES,
    SUMMARY,
    ActiveThought,
    Judgement,
    judge,
)
from legacymind.services.maintain.walking import OldThoughts, PageRow, pages
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.think.parameters import ThoughtWithVector
from legacymind.services.think.records import READ_PLACE, RESTORE_THOUGHTS
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.services.think.thought import Thought
from legacymind.text.summary import summary


class ActiveRow(PageRow):
    """The thoughts of a page that recall can find."""

    active: list[ActiveThought]


READ_ACTIVE = load("maintain/read_active", ActiveRow, writes=False)


class SourceRow(TypedDict):
    """A thought to summarise; its time is text. ``summaries`` are earlier ones of as many thoughts."""

    id: str
    content: str
    author: str | None
    summaries: list[str]
    mode: Mode
    tags: list[str]
    created_at: str


READ_SOURCES = load("maintain/read_sources", SourceRow, writes=False)


class CooledRow(TypedDict):
    """The number of thoughts that were taken out of recall."""

    cooled: int


COOL_THOUGHTS = load("maintain/cool_thoughts", CooledRow, writes=True)


class JudgedThought(TypedDict):
    """A thought that the curator judged, and how often it had been recalled then."""

    id: str
    accesses: int


_READ: Final = 1_000
"""Thoughts that one statement reads."""

_BATCH: Final = 500
"""Thoughts that one transaction dumps or restores. Few, so that it holds its locks only briefly."""

_EMBEDDED: Final = 16
"""Summaries embedded in one call."""

_LISTED: Final = 100
"""Maximum number of thoughts that a result lists."""

_TEXT: Final = 120


@dataclass(frozen=True, slots=True)
class Rules:
    """The least age of judged thoughts, the least value of kept ones, and the bound for dumping."""

    min_age: float = MIN_AGE
    keep: float = KEEP
    dump: float = DUMP


@dataclass(slots=True)
class _Run:
    """A run of the curator: the result so far, and weak thoughts that are not enough for a summary yet."""

    namespace: str
    now: datetime
    apply: bool
    result: CurationResult
    waiting: defaultdict[tuple[str, bool], list["_Weak"]] = field(
        default_factory=lambda: defaultdict[tuple[str, bool], list["_Weak"]](list)
    )
    listed: list[CuratedThought] = field(default_factory=list[CuratedThought])

    def count(self, **more: int) -> None:
        """Add numbers to the result."""
        self.result = replace(
            self.result, **{name: getattr(self.result, name) + number for name, number in more.items()}
        )

    def note(self, weak: "_Weak", verdict: Verdict, summary_id: str | None = None) -> None:
        """List a thought that leaves recall, if the caller may read it and it is among the least valuable."""
        thought, judgement = weak.thought, weak.judgement
        if not thought["visible"]:
            return
        self.listed.append(
            CuratedThought(
                id=thought["id"],
                verdict=verdict,
                value=round(judgement.value, 2),
                reason=judgement.reason,
                session_id=thought["session_id"],
                text=" ".join(thought["text"].split()),
                summary_id=summary_id,
            )
        )
        if len(self.listed) > 2 * _LISTED:
            self.listed = _least(self.listed)


@dataclass(frozen=True, slots=True)
class _Weak:
    """A thought that is not valuable enough to stay active."""

    thought: ActiveThought
    judgement: Judgement

    @property
    def judged(self) -> JudgedThought:
        """The state of the thought when it was judged."""
        return {"id": self.thought["id"], "accesses": self.thought["accesses"]}


class _Changed(Exception):
    """A source of a summary has changed since it was judged, so its transaction is rolled back."""


class Curator(Service):
    """Judges thoughts and takes weak ones out of recall."""

    _store: Store
    _thinking: ThinkService

    async def run(
        self,
        namespace: str | None = None,
        *,
        apply: bool = False,
        rules: Rules | None = None,
        own_session: str = "",
        now: datetime | None = None,
        progress: Progress = no_progress,
    ) -> CurationResult:
        """Judge every old thought that recall can find and, with ``apply``, act on the verdicts.

        Thoughts are judged page by page in the order of their times. A dumped thought leaves
        recall. Of those to crystallise, each with a summary in recall goes back to it, and 3 to 20 others of
        one session, private or not, become a summary; fewer stay active. Each batch and each summary with
        its sources is a transaction of its own. Raises EmbeddingError when a summary cannot be embedded; what
        was done before stays.
        """
        space = checks.namespace(namespace, self._settings)
        rules = rules or Rules()
        action: CurateAction = "apply" if apply else "plan"
        at = now or datetime.now(UTC)
        run = _Run(space, at, apply, CurationResult(namespace=space, action=action, applied=apply))

        async def read(place: OldThoughts) -> ActiveRow:
            (row,) = await self._graph.run(
                READ_ACTIVE, {**place, "own_session": own_session, "text_length": _TEXT}
            )
            return row

        before = at - timedelta(days=rules.min_age)
        async for page in pages(self._graph, space, before, read, "Judging thoughts", progress, size=_READ):
            await self._act(run, page["active"], rules)
        await self._crystallise(run, [*run.waiting.values()])
        return replace(run.result, thoughts=_least(run.listed))

    async def restore(
        self,
        namespace: str | None = None,
        *,
        thought_id: str | None = None,
        since: datetime | None = None,
        own_session: str = "",
        progress: Progress = no_progress,
    ) -> CurationResult:
        """Make thoughts active again: all, those curated since a time, one, or the sources of a summary.

        A summary whose sources are all active again leaves recall itself. Raises NotFound when there is no
        thought of that id.
        """
        space = checks.namespace(namespace, self._settings)
        own_id = checks.thought_id("thought_id", thought_id)
        if own_id is not None and not await self._graph.run(
            READ_PLACE, {"id": own_id, "namespace": space, "own_session": own_session}
        ):
            raise checks.thought_not_found(own_id, effect="Nothing was changed.")
        restored = 0
        while True:
            (row,) = await self._graph.run(
                RESTORE_THOUGHTS,
                {
                    "namespace": space,
                    "id": own_id or "",
                    "since": checks.moment(since) or ALWAYS,
                    "now": datetime.now(UTC),
                    "take": _BATCH,
                },
            )
            restored += row["restored"]
            done = own_id is not None or row["restored"] < _BATCH
            progress("Restoring thoughts", restored, restored if done else restored + _BATCH)
            if done:
                return CurationResult(
                    namespace=space, action="restore", applied=restored > 0, restored=restored
                )

    async def _act(self, run: _Run, active: list[ActiveThought], rules: Rules) -> None:
        """Act on a page of judged thoughts, and summarise sessions that have enough of them."""
        dumped: list[_Weak] = []
        restored: defaultdict[str, list[_Weak]] = defaultdict(list)
        for thought in active:
            judgement = judge(thought, run.now, keep=rules.keep, dump=rules.dump)
            run.count(judged=1, protected=judgement.protected, kept=judgement.verdict == "keep")
            weak = _Weak(thought, judgement)
            if judgement.verdict == "dump":
                dumped.append(weak)
            elif judgement.verdict == "crystallise" and thought["summary"] is not None:
                restored[thought["summary"]].append(weak)
            elif judgement.verdict == "crystallise" and thought["session_id"] is not None:
                run.waiting[thought["session_id"], thought["is_private"]].append(weak)
            elif judgement.verdict == "crystallise":
                run.count(kept=1)
        await self._dump(run, dumped)
        for summary_id, group in restored.items():
            await self._leave(run, group, summary_id, self._graph.transaction)
        full: list[list[_Weak]] = []
        for place, group in run.waiting.items():
            while len(run.waiting[place]) >= MOST_SOURCES + LEAST_SOURCES:
                full.append(group[:MOST_SOURCES])
                del group[:MOST_SOURCES]
        await self._crystallise(run, full)

    async def _dump(self, run: _Run, dumped: list[_Weak]) -> None:
        for start in range(0, len(dumped), _BATCH):
            batch = dumped[start : start + _BATCH]
            cooled = len(batch)
            if run.apply:
                (row,) = await self._graph.run(
                    COOL_THOUGHTS, _cool(run, "dumped", [weak.judged for weak in batch])
                )
                cooled = row["cooled"]
            run.count(dumped=cooled, changed_meanwhile=len(batch) - cooled)
            for weak in batch:
                run.note(weak, "dump")

    async def _crystallise(self, run: _Run, groups: list[list[_Weak]]) -> None:
        """Summarise groups of thoughts. The thoughts of a group that is too small stay active."""
        large = [part for group in groups for part in _parts(group)]
        small = sum(map(len, groups)) - sum(map(len, large))
        run.count(kept=small)
        for start in range(0, len(large), _EMBEDDED):
            batch = large[start : start + _EMBEDDED]
            made = [one for group in batch if (one := await self._summary(run, group)) is not None]
            if not run.apply:
                for group, thought in made:
                    await self._leave(run, group, thought.id, self._graph.transaction)
                continue
            vectors = await self._vectors.embed([thought.embedded_text for _, thought in made], bulk=True)
            for (group, thought), vector in zip(made, vectors, strict=True):
                store = partial(self._store.store_and, ThoughtWithVector(thought, vector))
                await self._leave(run, group, thought.id, store)

    async def _summary(self, run: _Run, group: list[_Weak]) -> tuple[list[_Weak], Thought] | None:
        """The summary of a group; None if it has one already, says nothing, or lost a source meanwhile."""
        ids = [weak.thought["id"] for weak in group]
        sources = await self._graph.run(READ_SOURCES, {"namespace": run.namespace, "ids": ids})
        if len(sources) < len(ids):
            run.count(changed_meanwhile=len(group))
            return None
        if again := set[str].intersection(*(set(source["summaries"]) for source in sources)):
            await self._leave(run, group, min(again), self._graph.transaction)
            return None
        content = summary([source["content"] for source in sources], [source["author"] for source in sources])
        if not content:  # They say nothing that a summary could keep, and stay active.
            run.count(kept=len(group))
            return None
        return group, self._thinking.prepare(
            content=content,
            hint=_mode(sources),
            thought_type=SUMMARY,
            origin=INNER_VOICE,
            tags=sorted({tag for source in sources for tag in source["tags"]}),
            significance=max(weak.thought["salience"] or 0.5 for weak in group),
            session_id=group[0].thought["session_id"],
            is_private=group[0].thought["is_private"],
            namespace=run.namespace,
            injection_scale=0,
            enhance=False,
            # The time of the last source, so that the summary is not the newest thought.
            created_at=max(datetime.fromisoformat(source["created_at"]) for source in sources),
        )

    async def _leave(
        self,
        run: _Run,
        group: list[_Weak],
        summary_id: str,
        write: Callable[[Callable[[Transaction], Awaitable[None]]], Awaitable[None]],
    ) -> None:
        """Take the sources of a summary out of recall, in the transaction of ``write``; a plan counts."""
        judged = [weak.judged for weak in group]

        async def cool(tx: Transaction) -> None:
            (row,) = await tx.run(COOL_THOUGHTS, _cool(run, "crystallised", judged, summary_id=summary_id))
            if row["cooled"] < len(judged):
                raise _Changed

        try:
            if run.apply:
                await write(cool)
        except _Changed:
            run.count(changed_meanwhile=len(group))
            return
        run.count(crystallised=len(group), summaries=1)
        for weak in group:
            run.note(weak, "crystallise", summary_id if run.apply else None)


def _cool(run: _Run, reason: str, rows: list[JudgedThought], *, summary_id: str = "") -> Parameters:
    return {
        "namespace": run.namespace,
        "now": run.now,
        "reason": reason,
        "summary": summary_id,
        "rows": rows,
    }


def _parts(group: list[_Weak]) -> list[list[_Weak]]:
    """Split a group into parts of 3 to 20 thoughts of nearly equal size; no parts if it is too small."""
    if len(group) < LEAST_SOURCES:
        return []
    count = -(-len(group) // MOST_SOURCES)
    borders = [len(group) * number // count for number in range(count + 1)]
    return [group[start:end] for start, end in pairwise(borders)]


def _mode(sources: list[SourceRow]) -> str:
    """The most frequent mode of the sources, so that a filter by mode finds their summary."""
    modes = [source["mode"] for source in sources]
    return max(sorted(set(modes)), key=modes.count)


def _least(listed: list[CuratedThought]) -> list[CuratedThought]:
    return heapq.nsmallest(_LISTED, listed, key=lambda one: (one.value, one.id))
