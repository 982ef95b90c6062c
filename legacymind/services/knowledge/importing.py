"""Import of files in the import format (import_format.py).

Importing is idempotent: existing knowledge is found by its key, existing thoughts by their id. Thoughts keep
their ids, times, links and sessions. They go through the same statement as any other thought, so they recall
earlier memories and join the hash chain.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Final

from legacymind.errors import InvalidInput, LegacyMindError
from legacymind.model.base import ALWAYS, EntityInput, ObservationInput, RelationInput
from legacymind.model.progress import Progress
from legacymind.services.knowledge.batch import Batch
from legacymind.services.knowledge.import_format import (
    EntityLine,
    Line,
    ObservationLine,
    RefusedLine,
    RelationLine,
    ThoughtLine,
    parse,
    refused,
)
from legacymind.services.knowledge.remember import KnowledgeService
from legacymind.services.shared import checks
from legacymind.services.shared.vectors import Vectors
from legacymind.services.think.parameters import ThoughtWithVector
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.services.think.thought import Thought
from legacymind.settings import Settings

_BATCH_SIZE: Final = 200
"""Lines stored together."""

_STATEMENT_SIZE: Final = 50
"""Thoughts stored in one statement."""


@dataclass(slots=True)
class Imported:
    """Counts of new and known items of a file. ``deferred``: some knowledge is not embedded yet.

    ``dropped_tags`` are tags of new thoughts that the setting ``tags`` does not list. ``refused`` are lines
    with a text that is too long to be stored, in the order of the file; they are in no count.
    """

    entities: int = 0
    observations: int = 0
    relations: int = 0
    thoughts: int = 0
    known: int = 0
    deferred: bool = False
    dropped_tags: list[str] = field(default_factory=list[str])
    refused: list[RefusedLine] = field(default_factory=list[RefusedLine])


class ImportService:
    """Imports files of the import format."""

    def __init__(
        self,
        think: ThinkService,
        store: Store,
        knowledge: KnowledgeService,
        vectors: Vectors,
        settings: Settings,
    ) -> None:
        self._think = think
        self._store = store
        self._knowledge = knowledge
        self._vectors = vectors
        self._settings = settings

    async def load(
        self,
        lines: Iterable[str | bytes],
        *,
        namespace: str | None = None,
        progress: Progress | None = None,
        dry_run: bool = False,
    ) -> Imported:
        """Import the lines of one file in order, after checking the whole file.

        A line with a text that is too long is left out and listed in ``refused``. Any other faulty line
        raises InvalidInput with the line number. When a later error interrupts the import, its message has
        the counts of stored lines, and importing the file again continues from there. A ``dry_run`` checks
        the file, connects to nothing, and counts every line as new.
        """
        try:
            return await self._load(lines, namespace, progress, dry_run=dry_run)
        except LegacyMindError as raised:
            if not dry_run:
                raised.of_write()
            raise

    async def _load(
        self,
        lines: Iterable[str | bytes],
        namespace: str | None,
        progress: Progress | None,
        *,
        dry_run: bool,
    ) -> Imported:
        namespace = checks.namespace(namespace, self._settings)
        parsed: list[Line] = []
        contents: dict[str, str] = {}
        line_numbers: dict[str, int] = {}  # of each thought's first line, by the thought's id
        result = Imported()
        for number, line in parse(lines):
            if isinstance(line, RefusedLine):
                result.refused.append(line)
                continue
            try:
                self._check(number, line, namespace, contents, line_numbers)
            except InvalidInput as reason:
                raise refused(number, reason.what.rstrip(".")) from None
            parsed.append(line)
        total = len(parsed)
        done = 0
        if dry_run:
            return _counted(parsed, result)

        def report_progress(step: int) -> None:
            nonlocal done
            done += step
            if progress is not None:
                progress("importing", done, total)

        try:
            for batch in _batches(parsed):
                if isinstance(batch[0], ThoughtLine):
                    await self._thoughts(batch, line_numbers, namespace, result, report_progress)
                else:
                    await self._facts(batch, namespace, result)
                    report_progress(len(batch))
        except LegacyMindError as reason:
            if not done:
                raise
            raise _halfway(reason, done, total, result) from reason
        return result

    def _check(
        self,
        number: int,
        line: Line,
        namespace: str | None,
        contents: dict[str, str],
        line_numbers: dict[str, int],
    ) -> None:
        """Raise InvalidInput for a well-formed line that cannot be stored."""
        if isinstance(line, ThoughtLine):
            thought = self._prepare(line, namespace)
            line_numbers.setdefault(thought.id, number)
            if contents.setdefault(thought.id, thought.content) != thought.content:
                raise InvalidInput(f"An earlier line has another thought with the id {thought.id[:80]!r}.")
        else:
            _knowledge([line])

    async def _facts(self, batch: list[Any], namespace: str | None, result: Imported) -> None:
        items = _knowledge(batch)
        remembered = await self._knowledge.store(items, namespace)
        result.deferred |= remembered.deferred
        result.entities += sum(item.created for item in remembered.entities)
        result.observations += sum(item.created for item in remembered.observations)
        result.relations += sum(item.created for item in remembered.relations)
        # An implied entity has no line of its own, so it is not counted.
        lines = zip(items.entities, remembered.entities, strict=True)
        new = [item.created for entity, item in lines if not entity.implied]
        new += [item.created for item in (*remembered.observations, *remembered.relations)]
        result.known += len(batch) - sum(new)

    def _prepare(self, line: ThoughtLine, namespace: str | None) -> Thought:
        options = _fields(line)
        hint = options.pop("mode")
        return self._think.prepare(
            **options, hint=hint, namespace=namespace, needs_verification=False, enhance=False
        )

    async def _thoughts(
        self,
        batch: list[ThoughtLine],
        lines: Mapping[str, int],
        namespace: str | None,
        result: Imported,
        report_progress: Callable[[int], None],
    ) -> None:
        await self._vectors.ready()
        prepared = [self._prepare(line, namespace) for line in batch]
        known = await self._store.find_known(prepared, lines)
        new = [thought for thought in prepared if thought.id not in known]
        dropped = (tag for thought in new for tag in thought.dropped_tags)
        result.dropped_tags = list(dict.fromkeys((*result.dropped_tags, *dropped)))
        result.known += len(prepared) - len(new)
        report_progress(len(prepared) - len(new))
        vectors = await self._vectors.embed([thought.embedded_text for thought in new])
        embedded = [ThoughtWithVector(thought, vector) for thought, vector in zip(new, vectors, strict=True)]
        for start in range(0, len(embedded), _STATEMENT_SIZE):
            stored = await self._store.store(embedded[start : start + _STATEMENT_SIZE])
            repeated = sum(thought.repeated for thought in stored)
            result.known += repeated
            result.thoughts += len(stored) - repeated
            report_progress(len(stored))


def _counted(lines: list[Line], result: Imported) -> Imported:
    """The result with the number of lines of each kind."""
    result.entities = sum(isinstance(line, EntityLine) for line in lines)
    result.observations = sum(isinstance(line, ObservationLine) for line in lines)
    result.relations = sum(isinstance(line, RelationLine) for line in lines)
    result.thoughts = sum(isinstance(line, ThoughtLine) for line in lines)
    return result


def _halfway(reason: LegacyMindError, done: int, total: int, result: Imported) -> LegacyMindError:
    """The same error with the counts of stored lines."""
    new = result.entities + result.observations + result.relations + result.thoughts
    reason.of_write()
    lost = "" if reason.effect == LegacyMindError.written else f" {reason.effect}"
    return type(reason)(
        reason.what,
        effect=f"{done:,} of {total:,} lines were stored and remain: {new:,} were new ({result.entities:,} "
        f"entities, {result.observations:,} observations, {result.relations:,} relations, "
        f"{result.thoughts:,} thoughts).{lost}",
        hint=f"{reason.hint} Import the file again to continue.".lstrip(),
    )


def _knowledge(lines: Sequence[Line]) -> Batch:
    """Build a batch from lines of knowledge. Raises InvalidInput."""
    return Batch(
        datetime.now(UTC),
        ALWAYS,
        [EntityInput(**_fields(line)) for line in lines if isinstance(line, EntityLine)],
        [ObservationInput(**_fields(line)) for line in lines if isinstance(line, ObservationLine)],
        [RelationInput(**_fields(line)) for line in lines if isinstance(line, RelationLine)],
    )


def _fields(line: Line) -> dict[str, Any]:
    """The fields of a line by the names of its input type."""
    return {field.name: getattr(line, field.name) for field in fields(line) if field.name != "kind"}


def _batches(lines: list[Line]) -> Iterator[list[Any]]:
    """Split lines into batches in their order. A batch has either thoughts or knowledge."""
    batch: list[Any] = []
    for line in lines:
        mixed = bool(batch) and isinstance(batch[0], ThoughtLine) != isinstance(line, ThoughtLine)
        if mixed or len(batch) >= _BATCH_SIZE:
            yield batch
            batch = []
        batch.append(line)
    if batch:
        yield batch
