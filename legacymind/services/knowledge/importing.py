"""Import of files of any format in importers/formats.py, and of graphs in importers/graphs.py.

An importer is a client: it stores batches as ``remember`` and ``think`` store them, in constant memory.
Importing is idempotent: existing knowledge is found by its key, existing thoughts by their id. Thoughts keep
their times, links and sessions.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

from legacymind.calls import through
from legacymind.errors import Conflict, InvalidInput, LegacyMindError, NotFound
from legacymind.model.base import ALWAYS, LINK_NAMES, EntityInput, ObservationInput, RelationInput
from legacymind.model.progress import Progress, no_progress
from legacymind.origins import IMPORT
from legacymind.services.knowledge.batch import MAX_ITEMS, Batch
from legacymind.services.knowledge.importers import graphs
from legacymind.services.knowledge.importers.formats import OWN, Format, format_named
from legacymind.services.knowledge.importers.graphs import GRAPHS
from legacymind.services.knowledge.importers.records import (
    Fault,
    Knowledge,
    LineNumber,
    ReadLine,
    RefusedLine,
    SkippedMessage,
    SourceFile,
    ThoughtRecord,
    Warned,
    as_text,
    bounded,
    checked,
)
from legacymind.services.knowledge.remember import KnowledgeService
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.services.think.thought import Thought, derived_id
from legacymind.text import keys

_STATEMENT_SIZE: Final = 50
"""Thoughts stored in one statement."""


@dataclass(slots=True)
class Imported:
    """Counts of new and known items of an import. ``deferred``: something is not embedded yet.

    ``dropped_tags`` are tags of new thoughts that the setting ``tags`` does not list. ``skipped`` counts the
    messages that are no thoughts, such as prompts, by reason. ``warnings`` say what was left out of items
    that were imported, such as a front matter that is not YAML. ``refused`` are the lines that cannot be
    imported, in the order of the source; they are in no count.
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

    @property
    def new(self) -> int:
        """The number of new items."""
        return self.entities + self.observations + self.relations + self.thoughts


class ImportService(Service):
    """Imports files, and graphs of other tools in the same database."""

    think: ThinkService
    store: Store
    knowledge: KnowledgeService

    async def ready(self) -> None:
        """Connect, and check that the database has the vectors of the configured model."""
        await self._vectors.ready()

    async def load(
        self,
        lines: Iterable[str | bytes],
        *,
        format: str = OWN,
        namespace: str | None = None,
        progress: Progress | None = None,
        dry_run: bool = False,
        trust: int = IMPORT,
    ) -> Imported:
        """Import the lines of one file in order.

        A line that cannot be imported is left out and listed in ``refused``. When an error interrupts the
        import, its message has the counts of stored items, and importing the file again continues from there.
        ``trust`` is that of what LegacyMind brings itself. A ``dry_run`` checks the file, connects to
        nothing, and counts every item as new. Raises InvalidInput for an unknown format and for a file of
        another format.
        """
        files = [SourceFile("import", map(as_text, lines))]
        return await self.load_files(
            files, format=format, namespace=namespace, progress=progress, dry_run=dry_run, trust=trust
        )

    async def load_files(
        self,
        files: Sequence[SourceFile],
        *,
        format: str,
        namespace: str | None = None,
        progress: Progress | None = None,
        dry_run: bool = False,
        trust: int = IMPORT,
    ) -> Imported:
        """Import several files of one format together, like ``load``."""
        source = format_named(format)
        work = self._begun(namespace, progress, dry_run, derives_ids=source.derives_ids)
        with through(f"an import of {format}", trust):
            async with work:
                items = map(work.ready, records_of(source, files))
                # In a thread: reading and checking a large file takes minutes, in which others wait.
                while part := await asyncio.to_thread(lambda: [*islice(items, _STATEMENT_SIZE)]):
                    for place, found in part:
                        await work.add(place, found)
        return work.result

    async def load_graph(
        self,
        format: str,
        *,
        group: str | None = None,
        namespace: str | None = None,
        progress: Progress | None = None,
        dry_run: bool = False,
    ) -> Imported:
        """Import the graph of another tool in this database, which is read only.

        ``group`` selects a group of Graphiti's. Nodes and relationships that cannot be imported are listed in
        ``refused``. Raises NotFound if the database has no such graph.
        """
        if format not in GRAPHS:
            raise InvalidInput(
                f"There is no graph format {format!r}.", hint=f"Use one of {', '.join(GRAPHS)}."
            )

        work = self._begun(namespace, progress, dry_run)
        with through(f"an import of {format}", IMPORT):
            async with work:
                async for line in graphs.read(self._graph, format, group):
                    await work.add(*work.ready(line))
                if not work.read:
                    raise NotFound(
                        f"The database has no graph of {format}.", hint="Check the database and the group."
                    )
        return work.result

    def _begun(
        self, namespace: str | None, progress: Progress | None, plan: bool, *, derives_ids: bool = True
    ) -> "_Import":
        space = checks.namespace(namespace, self._settings)
        return _Import(self, space, progress or no_progress, plan, derives_ids)


def records_of(source: Format, files: Sequence[SourceFile]) -> Iterator[ReadLine]:
    """The records of files. An error of a reader that nobody foresaw ends the reading of its file only."""
    yield from ((LineNumber(0, file.label), file.fault) for file in files if file.fault)
    sound = [file for file in files if not file.fault]
    for group in [sound] if source.together else [[file] for file in sound]:
        place = LineNumber(0, group[0].label if len(group) == 1 else "")
        yield from bounded(place, source.read(group))


_Ready = Knowledge | Thought | Fault | InvalidInput | SkippedMessage | Warned
"""What a line has: something to store, or why there is nothing."""


class _Import:
    """One reading of a source: records wait until there are enough for a batch; the end stores the rest.

    With ``plan``, nothing is stored, and items are counted as new once. An error has the counts of what is
    stored.
    """

    def __init__(
        self, service: ImportService, namespace: str, progress: Progress, plan: bool, derives_ids: bool
    ) -> None:
        self._service = service
        self._namespace = namespace
        self._progress = progress
        self._plan = plan
        self._derives_ids = derives_ids
        self._knowledge: list[tuple[LineNumber, Knowledge]] = []
        self._thoughts: list[tuple[LineNumber, Thought]] = []
        self._seen: set[object] = set()
        self._order: dict[str, int] = {}
        self.read = 0
        self.stored = 0
        self.result = Imported()

    async def __aenter__(self) -> None:
        if not self._plan:
            await self._service.ready()

    async def __aexit__(self, kind: object, reason: BaseException | None, trace: object) -> None:
        try:
            if reason is not None:
                raise reason
            await self.flush()
            self.result.refused.sort(key=lambda line: (self._order[line.file], line.line))
        except LegacyMindError as error:
            if not self._plan:
                error.of_write()
            if not self.stored:
                raise
            raise _halfway(error, self.stored, self.result) from error

    def ready(self, line: ReadLine) -> tuple[LineNumber, "_Ready"]:
        """A line with its record checked and prepared, or the reason why it cannot be."""
        place, found = line
        if not isinstance(found, dict):
            return place, found
        try:
            item = checked(found)
            return place, self._prepared(item) if isinstance(item, dict) else item
        except (Fault, InvalidInput) as reason:
            return place, reason

    async def add(self, place: LineNumber, found: "_Ready") -> None:
        """Take what is ready; store what waits if that is enough."""
        self.read += 1
        self._order.setdefault(place.file, self.read)
        if isinstance(found, SkippedMessage):
            self.result.skipped[str(found)] = self.result.skipped.get(str(found), 0) + 1
        elif isinstance(found, Warned):
            self.result.warnings.append(f"{place}: {found}.")
        elif isinstance(found, Fault | InvalidInput):
            self._refuse(place, found)
        else:
            if isinstance(found, Thought):
                await self.flush(thoughts=False)
                self._thoughts.append((place, found))
            else:
                await self.flush(knowledge=False)
                self._knowledge.append((place, found))
            if len(self._thoughts) == _STATEMENT_SIZE or len(self._knowledge) == MAX_ITEMS:
                await self.flush()

    async def flush(self, *, knowledge: bool = True, thoughts: bool = True) -> None:
        """Store what waits."""
        if knowledge and self._knowledge:
            waiting, self._knowledge = self._knowledge, []
            await self._remember(waiting)
        if thoughts and self._thoughts:
            waiting, self._thoughts = self._thoughts, []
            await self._think(waiting)

    def _refuse(self, place: LineNumber, reason: Exception) -> None:
        why = reason.what.rstrip(".") if isinstance(reason, LegacyMindError) else str(reason)
        self.result.refused.append(RefusedLine(line=place.line, reason=why, file=place.file))

    def _prepared(self, given: ThoughtRecord) -> Thought:
        """The thought, with ids of its own in the database: those of a source are unique there only."""
        record: dict[str, Any] = {**given}
        hint = record.pop("mode", None)
        if self._derives_ids:
            links = {name: record[name] for name in ("id", *LINK_NAMES) if record.get(name)}
            record |= {name: derived_id(self._namespace, str(id)) for name, id in links.items()}
        return self._service.think.prepare(
            **record,
            hint=hint,
            namespace=self._namespace,
            needs_verification=False,
            enhance=False,
        )

    async def _remember(self, waiting: list[tuple[LineNumber, Knowledge]]) -> None:
        """Store a batch. Only if it has a fault, each record is checked alone."""
        try:
            batch = _batch([item for _, item in waiting])
        except InvalidInput:
            sound: list[Knowledge] = []
            for place, item in waiting:
                try:
                    _batch([item])
                except InvalidInput as reason:
                    self._refuse(place, reason)
                else:
                    sound.append(item)
            if not sound:
                return
            batch = _batch(sound)
        if self._plan:
            self._count(batch)
            return
        stored = await self._service.knowledge.store(batch, self._namespace)
        self.result.deferred |= stored.deferred
        self.result.entities += sum(item.created for item in stored.entities)
        self.result.observations += sum(item.created for item in stored.observations)
        self.result.relations += sum(item.created for item in stored.relations)
        # An entity that is only implied has no record of its own.
        sent = zip(batch.entities, stored.entities, strict=True)
        new = [item.created for entity, item in sent if not entity.implied]
        new += [item.created for item in (*stored.observations, *stored.relations)]
        count = len(batch.sent) + len(batch.observations) + len(batch.relations)
        self.result.known += count - sum(new)
        self._report(count)

    def _count(self, batch: Batch) -> None:
        """Count the items of a batch as an import into an empty namespace would."""
        for entity in batch.entities:
            own, any_of_name = (entity.name_key, entity.type_key), (entity.name_key, None)
            known = (any_of_name if entity.any_type else own) in self._seen
            self._seen |= {own, any_of_name}
            self.result.entities += not known
            self.result.known += known and not entity.implied
        for fact in batch.observations:
            self.result.observations += self._is_new(
                keys.normalised(fact.entity), keys.fact_key(fact.content)
            )
        for link in batch.relations:
            ends = keys.normalised(link.source_entity), keys.normalised(link.target_entity)
            self.result.relations += self._is_new(*ends, link.type, link.valid_from)

    def _is_new(self, *key: object) -> bool:
        known = key in self._seen
        self._seen.add(key)
        self.result.known += known
        return not known

    async def _think(self, waiting: list[tuple[LineNumber, Thought]]) -> None:
        places: dict[str, LineNumber] = {}
        thoughts: dict[str, Thought] = {}
        for place, thought in waiting:
            first = thoughts.setdefault(thought.id, thought)
            if first.content != thought.content:
                self._refuse(
                    place, Fault(f"an earlier line has another thought with the id {thought.id[:80]!r}")
                )
            elif first is not thought:
                self.result.known += 1
            else:
                places[thought.id] = place
        if self._plan:
            self.result.thoughts += sum(self._is_new("thought", id) for id in thoughts)
            return
        known = await self._known(thoughts, places)
        new = [thought for id, thought in thoughts.items() if id not in known]
        self.result.known += len(known)
        dropped = [tag for thought in new for tag in thought.dropped_tags]
        self.result.dropped_tags = list(dict.fromkeys((*self.result.dropped_tags, *dropped)))
        stored = await self._service.store.think(new, bulk=True) if new else []
        repeated = sum(thought.repeated for thought in stored)
        self.result.known += repeated
        self.result.thoughts += len(stored) - repeated
        self.result.deferred |= any(thought.deferred for thought in stored)
        self._report(len(waiting))

    async def _known(self, thoughts: dict[str, Thought], places: dict[str, LineNumber]) -> set[str]:
        """The ids of thoughts that are stored. One whose id belongs to another thought is refused."""
        find, said = self._service.store.find_known, {id: str(place) for id, place in places.items()}
        try:
            return await find([*thoughts.values()], said)
        except Conflict:
            known = set[str]()
            for id, thought in [*thoughts.items()]:
                try:
                    known |= await find([thought], said)
                except Conflict:
                    del thoughts[id]
                    self._refuse(places[id], Fault(f"its id, {id}, belongs to another thought"))
            return known

    def _report(self, count: int) -> None:
        self.stored += count
        self._progress("importing", self.stored, self.stored)


def _batch(records: Sequence[Knowledge]) -> Batch:
    """Build a batch from records of knowledge. Raises InvalidInput."""
    return Batch(
        datetime.now(UTC),
        ALWAYS,
        [record for record in records if isinstance(record, EntityInput)],
        [record for record in records if isinstance(record, ObservationInput)],
        [record for record in records if isinstance(record, RelationInput)],
    )


def _halfway(reason: LegacyMindError, done: int, result: Imported) -> LegacyMindError:
    """The same error with the counts of stored items."""
    lost = "" if reason.effect == LegacyMindError.written else f" {reason.effect}"
    return type(reason)(
        reason.what,
        effect=f"{done:,} items were stored and remain: {result.new:,} were new ({result.entities:,} "
        f"entities, {result.observations:,} observations, {result.relations:,} relations, "
        f"{result.thoughts:,} thoughts).{lost}",
        hint=f"{reason.hint} Import again to continue.".lstrip(),
    )
