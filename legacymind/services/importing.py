"""The import format, version 1: JSON Lines of entities, observations, relations and thoughts.

``docs/import-format.md`` describes it. Importing is idempotent: known knowledge is found by its
key, known thoughts by their id. Thoughts keep their ids, times, links and sessions and go through
the same statement as any other, so they recall what was there before them and are chained.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from legacymind.errors import InvalidInput
from legacymind.model import ALWAYS, EntityInput, ObservationInput, RelationInput, Submode
from legacymind.operation import Unit, Words, clamped
from legacymind.services import checks
from legacymind.services.knowledge import Batch, KnowledgeService
from legacymind.services.statement import Embedded
from legacymind.services.storing import Store
from legacymind.services.think import ThinkService
from legacymind.services.thought import Thought
from legacymind.services.vectors import Vectors
from legacymind.settings import Settings

FORMAT: Final = "legacymind"
VERSION: Final = 1
MAX_LINE: Final = 1024 * 1024
"""Bytes of one line; a thought's content is capped far below."""

_BATCH: Final = 200
_STATEMENT: Final = 50
"""Thoughts of one statement."""
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderLine(_Line):
    """The first line of a file."""

    kind: Literal["header"]
    format: Literal["legacymind"]
    version: int
    title: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLine(_Line):
    """An entity; ``data`` is any JSON object."""

    kind: Literal["entity"]
    name: str
    entity_type: str = ""
    description: str | None = None
    data: dict[str, Any] | None = None
    valid_from: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationLine(_Line):
    """A fact about an entity, by the entity's name."""

    kind: Literal["observation"]
    entity: str
    content: str
    entity_type: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationLine(_Line):
    """A relation between two entities, by their names; ``from`` and ``to`` in the file."""

    kind: Literal["relation"]
    source_entity: Annotated[str, Field(alias="from")]
    type: str
    target_entity: Annotated[str, Field(alias="to")]
    source_type: Annotated[str | None, Field(alias="from_type")] = None
    target_type: Annotated[str | None, Field(alias="to_type")] = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtLine(_Line):
    """A thought with its time, links and session; without ``injection_scale`` its mode's recall."""

    kind: Literal["thought"]
    id: str
    content: str
    created_at: datetime
    session_id: str | None = None
    chain_id: str | None = None
    mode: str | None = None
    submode: Submode | None = None
    thought_type: str | None = None
    author: str | None = None
    origin: str | None = None
    tags: Words = field(default_factory=list[str])
    significance: Unit | None = None
    confidence: Unit | None = None
    hypothesis: str | None = None
    previous_thought_id: str | None = None
    revises_thought: str | None = None
    branch_from: str | None = None
    parent_id: str | None = None
    action_id: str | None = None
    context_id: str | None = None
    is_private: bool = False
    injection_scale: Annotated[int | None, clamped(0, 5)] = None


Line = HeaderLine | EntityLine | ObservationLine | RelationLine | ThoughtLine
_LINE: TypeAdapter[Line] = TypeAdapter(Annotated[Line, Field(discriminator="kind")])


@dataclass(slots=True)
class Imported:
    """How much of a file is new; ``deferred`` when some of its knowledge waits for its vectors."""

    entities: int = 0
    observations: int = 0
    relations: int = 0
    thoughts: int = 0
    known: int = 0
    deferred: bool = False


class ImportService:
    """Loading files of the import format."""

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
    ) -> Imported:
        """Import the lines of one file, in order; the whole file is checked before anything is stored.

        Raises InvalidInput naming the line. What a failure in between has stored is found again by
        the next try.
        """
        checks.key("namespace", namespace)
        parsed: list[Line] = []
        contents: dict[str, str] = {}
        for number, line in parse(lines):
            try:
                self._check(line, namespace, contents)
            except InvalidInput as refused:
                raise _refused(number, refused.what.rstrip(".")) from None
            parsed.append(line)
        total = len(parsed)
        done = 0
        result = Imported()

        def tell(step: int) -> None:
            nonlocal done
            done += step
            if progress is not None:
                progress("importing", done, total)

        for batch in _batches(parsed):
            if isinstance(batch[0], ThoughtLine):
                await self._thoughts(batch, namespace, result, tell)
            else:
                await self._facts(batch, namespace, result)
                tell(len(batch))
        return result

    def _check(self, line: Line, namespace: str | None, contents: dict[str, str]) -> None:
        """Refuse a line that reads well but could not be stored."""
        if isinstance(line, ThoughtLine):
            thought = self._prepare(line, namespace)
            if contents.setdefault(thought.id, thought.content) != thought.content:
                raise InvalidInput(f"Another thought above has the id {thought.id[:80]!r}.")
        else:
            _knowledge([line])

    async def _facts(self, batch: list[Any], namespace: str | None, result: Imported) -> None:
        items = _knowledge(batch)
        remembered = await self._knowledge.store(items, namespace)
        result.deferred |= remembered.deferred
        result.entities += sum(item.created for item in remembered.entities)
        result.observations += sum(item.created for item in remembered.observations)
        result.relations += sum(item.created for item in remembered.relations)
        # An entity that a line only implies is new without being a line.
        lines = zip(items.entities, remembered.entities, strict=True)
        new = [item.created for entity, item in lines if not entity.implied]
        new += [item.created for item in (*remembered.observations, *remembered.relations)]
        result.known += len(batch) - sum(new)

    def _prepare(self, line: ThoughtLine, namespace: str | None) -> Thought:
        return self._think.prepare(
            id=line.id,
            content=line.content,
            created_at=line.created_at,
            session_id=line.session_id,
            chain_id=line.chain_id,
            hint=line.mode,
            submode=line.submode,
            thought_type=line.thought_type,
            author=line.author,
            origin=line.origin,
            tags=line.tags,
            significance=line.significance,
            confidence=line.confidence,
            hypothesis=line.hypothesis,
            previous_thought_id=line.previous_thought_id,
            revises_thought=line.revises_thought,
            branch_from=line.branch_from,
            parent_id=line.parent_id,
            action_id=line.action_id,
            context_id=line.context_id,
            is_private=line.is_private,
            injection_scale=line.injection_scale,
            namespace=namespace,
            needs_verification=False,
            enhance=False,
        )

    async def _thoughts(
        self,
        batch: list[ThoughtLine],
        namespace: str | None,
        result: Imported,
        tell: Callable[[int], None],
    ) -> None:
        await self._vectors.ready()
        prepared = [self._prepare(line, namespace) for line in batch]
        known = await self._store.find_known(prepared)
        new = [thought for thought in prepared if thought.id not in known]
        result.known += len(prepared) - len(new)
        tell(len(prepared) - len(new))
        vectors = await self._vectors.embed([thought.embedded_text for thought in new])
        embedded = [Embedded(thought, vector) for thought, vector in zip(new, vectors, strict=True)]
        for start in range(0, len(embedded), _STATEMENT):
            stored = await self._store.store(embedded[start : start + _STATEMENT])
            repeated = sum(thought.repeated for thought in stored)
            result.known += repeated
            result.thoughts += len(stored) - repeated
            tell(len(stored))


def _knowledge(lines: Sequence[Line]) -> Batch:
    """Lines of knowledge as one batch; raises InvalidInput."""
    return Batch(
        datetime.now(UTC),
        ALWAYS,
        [
            EntityInput(
                name=line.name,
                entity_type=line.entity_type,
                description=line.description,
                data=line.data,
                valid_from=line.valid_from,
            )
            for line in lines
            if isinstance(line, EntityLine)
        ],
        [
            ObservationInput(
                entity=line.entity,
                content=line.content,
                entity_type=line.entity_type,
                valid_from=line.valid_from,
                valid_to=line.valid_to,
                source=line.source,
            )
            for line in lines
            if isinstance(line, ObservationLine)
        ],
        [
            RelationInput(
                source_entity=line.source_entity,
                type=line.type,
                target_entity=line.target_entity,
                source_type=line.source_type,
                target_type=line.target_type,
                valid_from=line.valid_from,
                valid_to=line.valid_to,
                source=line.source,
            )
            for line in lines
            if isinstance(line, RelationLine)
        ],
    )


def parse(lines: Iterable[str | bytes]) -> Iterator[tuple[int, Line]]:
    """The lines of a file with their numbers; blank ones are skipped. Raises InvalidInput naming the line."""
    started = False
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        line = _parse_line(number, raw)
        if isinstance(line, HeaderLine):  # more than one, when files were joined
            if not 1 <= line.version <= VERSION:
                raise _refused(number, f"this LegacyMind reads format version {VERSION}, not {line.version}")
            started = True
        elif not started:
            raise _refused(number, "the file does not begin with a header line")
        else:
            yield number, line
    if not started:
        raise _refused(1, "the file is empty")


def _parse_line(number: int, raw: str | bytes) -> Line:
    if len(raw) > MAX_LINE:
        raise _refused(number, f"it is longer than {MAX_LINE:,} bytes")
    try:
        decoded = raw.decode() if isinstance(raw, bytes) else raw
        return _LINE.validate_python(json.loads(decoded))
    except UnicodeDecodeError:
        raise _refused(number, "it is not UTF-8") from None
    except json.JSONDecodeError as reason:
        raise _refused(number, f"it is not JSON ({reason.msg} at character {reason.colno})") from None
    except RecursionError:
        raise _refused(number, "it is nested too deeply") from None
    except ValidationError as refused:  # a ValueError, as a number of 5,000 digits is
        first = refused.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        raise _refused(number, f"{where or 'it'}: {first['msg'][:200]}") from None
    except ValueError as reason:
        raise _refused(number, f"it cannot be read ({str(reason)[:80]})") from None


def _refused(number: int, why: str) -> InvalidInput:
    return InvalidInput(f"Line {number} cannot be imported: {why}.", do="Correct it and import again.")


def _batches(lines: list[Line]) -> Iterator[list[Any]]:
    """Runs of lines that are stored together: thoughts apart from knowledge, the order kept."""
    batch: list[Any] = []
    for line in lines:
        mixed = bool(batch) and isinstance(batch[0], ThoughtLine) != isinstance(line, ThoughtLine)
        if mixed or len(batch) >= _BATCH:
            yield batch
            batch = []
        batch.append(line)
    if batch:
        yield batch
