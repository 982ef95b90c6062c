"""Import of files of any format in importers/formats.py, and of graphs in importers/graphs.py.

Importing is idempotent: existing knowledge is found by its key, existing thoughts by their id. Thoughts keep
their times, links and sessions. They go through the same statement as any other thought, so they recall
earlier memories and join the hash chain.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar

from legacymind.errors import InvalidInput, LegacyMindError, NotFound
from legacymind.model.progress import Progress
from legacymind.services.knowledge.batch import Batch
from legacymind.services.knowledge.import_check import Checker, Ready, members
from legacymind.services.knowledge.importers import graphs
from legacymind.services.knowledge.importers.formats import OWN, format_named
from legacymind.services.knowledge.importers.graphs import GRAPHS
from legacymind.services.knowledge.importers.records import (
    LineNumber,
    RefusedLine,
    SourceFile,
    ThoughtLine,
)
from legacymind.services.knowledge.remember import KnowledgeService
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.think.parameters import ThoughtWithVector
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.services.think.thought import Thought

T = TypeVar("T")

_STATEMENT_SIZE: Final = 50
"""Thoughts stored in one statement."""


@dataclass(slots=True)
class Imported:
    """Counts of new and known items of an import. ``deferred``: some knowledge is not embedded yet.

    ``dropped_tags`` are tags of new thoughts that the setting ``tags`` does not list. ``skipped`` counts the
    messages that are no thoughts, such as prompts, by reason. ``warnings`` say what was left out of items
    that were imported, such as a front matter that is not YAML. ``refused`` are the lines that cannot be
    imported, in the order of the file; they are in no count.
    """

    entities: int = 0
    observations: int = 0
    relations: int = 0
    thoughts: int = 0
    known: int = 0
    deferred: bool = False
    dropped_tags: list[str] = field(default_factory=list[str])
    skipped: dict[str, int] = field(default_factory=dict[str, int])
    warnings: list[str] = field(default_factory=list[str])
    refused: list[RefusedLine] = field(default_factory=list[RefusedLine])


class ImportService(Service):
    """Imports files, and graphs of other tools in the same database."""

    _think: ThinkService
    _store: Store
    _knowledge: KnowledgeService

    async def load(
        self,
        lines: Iterable[str | bytes],
        *,
        format: str = OWN,
        namespace: str | None = None,
        progress: Progress | None = None,
        strict: bool = False,
        dry_run: bool = False,
    ) -> Imported:
        """Import the lines of one file in order, after checking the whole file.

        A line that cannot be imported is left out and listed in ``refused``; if ``strict``, it raises
        InvalidInput with its number, and nothing is stored. When a later error interrupts the import, its
        message has the counts of stored items, and importing the file again continues from there. A
        ``dry_run`` checks the file, connects to nothing, and counts every item as new. Raises InvalidInput
        for an unknown format and for a file of another format.
        """
        return await self.load_files(
            [SourceFile("import", lines)],
            format=format,
            namespace=namespace,
            progress=progress,
            strict=strict,
            dry_run=dry_run,
        )

    async def load_files(
        self,
        files: Sequence[SourceFile],
        *,
        format: str,
        namespace: str | None = None,
        progress: Progress | None = None,
        strict: bool = False,
        dry_run: bool = False,
    ) -> Imported:
        """Import several files of one format together, like ``load``."""
        source = format_named(format)

        async def work(own: str) -> Imported:
            checker = self._checker(own, derives_ids=source.derives_ids, strict=strict)
            ready: list[Ready] = []
            for file in files:
                if file.fault:
                    ready += checker.add(LineNumber(0, file.label), file.fault)
            for place, found in source.read([file for file in files if not file.fault]):
                ready += checker.add(place, found)
            ready += checker.rest()
            if dry_run:
                return _counted(checker)
            return await self._write(_each(ready), checker, own, progress)

        return await self._reported(work, namespace, dry_run=dry_run)

    async def load_graph(
        self,
        format: str,
        *,
        group: str | None = None,
        namespace: str | None = None,
        progress: Progress | None = None,
        strict: bool = False,
        dry_run: bool = False,
    ) -> Imported:
        """Import the graph of another tool in this database, which is read only, in constant memory.

        The graph is read twice: first to check all of it, then to store it. ``group`` selects a group of
        Graphiti's. Nodes and relationships that cannot be imported are listed in ``refused``, or raise
        InvalidInput if ``strict``. Raises NotFound if the database has no such graph.
        """
        if format not in GRAPHS:
            raise InvalidInput(
                f"There is no graph format {format!r}.", hint=f"Use one of {', '.join(GRAPHS)}."
            )

        async def work(own: str) -> Imported:
            checker = self._checker(own, strict=strict)
            async for _ in self._batches(format, group, checker):
                pass
            if not checker.counts.total() and not checker.refused:
                raise NotFound(
                    f"The database has no graph of {format}.", hint="Check the database and the group."
                )
            if dry_run:
                return _counted(checker)
            ready = self._batches(format, group, self._checker(own))
            return await self._write(ready, checker, own, progress)

        return await self._reported(work, namespace, dry_run=dry_run)

    async def _batches(self, format: str, group: str | None, checker: Checker) -> AsyncIterator[Ready]:
        async for place, found in graphs.read(self._graph, format, group):
            for batch in checker.add(place, found):
                yield batch
        for batch in checker.rest():
            yield batch

    async def _reported(
        self, work: Callable[[str], Awaitable[Imported]], namespace: str | None, *, dry_run: bool
    ) -> Imported:
        """Do the work in the checked namespace. An error of a write states its effect."""
        try:
            return await work(checks.namespace(namespace, self._settings))
        except LegacyMindError as raised:
            if not dry_run:
                raised.of_write()
            raise

    def _checker(self, namespace: str, *, derives_ids: bool = True, strict: bool = False) -> Checker:
        prepare = partial(self._prepare, namespace=namespace)
        return Checker(prepare, namespace, derives_ids=derives_ids, strict=strict)

    async def _write(
        self,
        batches: AsyncIterator[Ready],
        checker: Checker,
        namespace: str,
        progress: Progress | None,
    ) -> Imported:
        total, done = checker.counts.total(), 0
        result = Imported(refused=checker.refused, skipped=dict(checker.skipped), warnings=checker.warnings)

        def report_progress(step: int) -> None:
            nonlocal done
            done += step
            if progress is not None:
                progress("importing", min(done, total), total)

        try:
            async for batch in batches:
                if isinstance(batch, Batch):
                    report_progress(await self._facts(batch, namespace, result))
                else:
                    await self._thoughts(batch, checker.places, namespace, result, report_progress)
        except LegacyMindError as reason:
            if not done:
                raise
            raise _halfway(reason, done, total, result) from reason
        return result

    async def _facts(self, batch: Batch, namespace: str, result: Imported) -> int:
        """Store knowledge, and return the number of its records."""
        remembered = await self._knowledge.store(batch, namespace)
        result.deferred |= remembered.deferred
        result.entities += sum(item.created for item in remembered.entities)
        result.observations += sum(item.created for item in remembered.observations)
        result.relations += sum(item.created for item in remembered.relations)
        # An implied entity has no line of its own, so it is not counted.
        lines = zip(batch.entities, remembered.entities, strict=True)
        new = [item.created for entity, item in lines if not entity.implied]
        new += [item.created for item in (*remembered.observations, *remembered.relations)]
        count = len(batch.sent) + len(batch.observations) + len(batch.relations)
        result.known += count - sum(new)
        return count

    def _prepare(self, line: ThoughtLine, namespace: str) -> Thought:
        options = members(line)
        hint = options.pop("mode")
        return self._think.prepare(
            **options, hint=hint, namespace=namespace, needs_verification=False, enhance=False
        )

    async def _thoughts(
        self,
        batch: list[ThoughtLine],
        places: Mapping[str, str],
        namespace: str,
        result: Imported,
        report_progress: Callable[[int], None],
    ) -> None:
        await self._vectors.ready()
        prepared = [self._prepare(line, namespace) for line in batch]
        known = await self._store.find_known(prepared, places)
        new = [thought for thought in prepared if thought.id not in known]
        await self._store.check_quotas(new)
        dropped = (tag for thought in new for tag in thought.dropped_tags)
        result.dropped_tags = list(dict.fromkeys((*result.dropped_tags, *dropped)))
        result.known += len(prepared) - len(new)
        report_progress(len(prepared) - len(new))
        async with aclosing(_ahead(self._embedded(new))) as parts:
            async for part in parts:
                stored = await self._store.store(part)
                repeated = sum(thought.repeated for thought in stored)
                result.known += repeated
                result.thoughts += len(stored) - repeated
                report_progress(len(stored))

    async def _embedded(self, thoughts: Sequence[Thought]) -> AsyncGenerator[list[ThoughtWithVector]]:
        """Yield the thoughts of one statement after another, with their vectors."""
        for at in range(0, len(thoughts), _STATEMENT_SIZE):
            part = thoughts[at : at + _STATEMENT_SIZE]
            vectors = await self._vectors.embed([thought.embedded_text for thought in part], bulk=True)
            yield [ThoughtWithVector(*pair) for pair in zip(part, vectors, strict=True)]


async def _ahead(items: AsyncIterator[T]) -> AsyncGenerator[T]:
    """Yield the items; while the caller uses one, the next one is made."""
    making = asyncio.ensure_future(anext(items, None))
    try:
        while (item := await making) is not None:
            making = asyncio.ensure_future(anext(items, None))
            yield item
    finally:
        making.cancel()


def _counted(checker: Checker) -> Imported:
    """The number of checked records of each kind, as if all were new."""
    counts = checker.counts
    return Imported(
        entities=counts["entity"],
        observations=counts["observation"],
        relations=counts["relation"],
        thoughts=counts["thought"],
        skipped=dict(checker.skipped),
        warnings=checker.warnings,
        refused=checker.refused,
    )


async def _each(batches: Iterable[Ready]) -> AsyncIterator[Ready]:
    for batch in batches:
        yield batch


def _halfway(reason: LegacyMindError, done: int, total: int, result: Imported) -> LegacyMindError:
    """The same error with the counts of stored items."""
    new = result.entities + result.observations + result.relations + result.thoughts
    reason.of_write()
    lost = "" if reason.effect == LegacyMindError.written else f" {reason.effect}"
    return type(reason)(
        reason.what,
        effect=f"{done:,} of {total:,} items were stored and remain: {new:,} were new ({result.entities:,} "
        f"entities, {result.observations:,} observations, {result.relations:,} relations, "
        f"{result.thoughts:,} thoughts).{lost}",
        hint=f"{reason.hint} Import again to continue.".lstrip(),
    )
