"""The records of an import: entities, observations, relations and thoughts, whatever format they come from.

They are the lines of LegacyMind's own import format, which ``docs/import-format.md`` describes.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from legacymind.errors import InvalidInput
from legacymind.model.base import MAX_CONTENT
from legacymind.model.values import Moment, Unit, Words, whole
from legacymind.operations.wording import fault
from legacymind.services.think.inputs import SubmodeInput

T = TypeVar("T")


class Fault(Exception):
    """The reason why a line cannot be imported, as the end of a sentence without a full stop."""


class SkippedMessage(Exception):
    """The reason why a message is not a thought, as the words to count it by: "prompt", "without text"."""


class Warned(Exception):
    """What was not read of a place whose other parts are imported, like a Fault."""


class LineNumber(NamedTuple):
    """The line of a record, counted from 1, and its file if several are read.

    ``line`` is 0 for a node or relationship of a graph, which ``file`` names.
    """

    line: int
    file: str = ""

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}, line {self.line}" if self.file else f"Line {self.line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedLine:
    """A line that was not imported. Lines are counted from 1. ``file`` is empty for a single file.

    Of a graph, ``file`` names the node or relationship, and ``line`` is 0.
    """

    line: int
    reason: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read. ``label`` names it in messages: its path in the imported folder, empty for one file.

    ``modified`` is the time of messages without one. ``fault`` is the reason why it is not read, if there is
    one; a Warned if it need not be.
    """

    name: str
    lines: Iterable[str | bytes]
    label: str = ""
    modified: datetime | None = None
    fault: Fault | Warned | None = None


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
    valid_from: Moment | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationLine(_Line):
    """A fact about an entity, by the entity's name."""

    kind: Literal["observation"]
    entity: str
    content: str
    entity_type: str | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
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
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    source: str | None = None
    properties: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtLine(_Line):
    """A thought with its time, links and session. Default ``injection_scale``: that of its mode.

    Readers of other formats give thoughts and links ids that are unique in their own source; the import
    derives the stored ids from them and the namespace.
    """

    kind: Literal["thought"]
    id: str
    content: str
    created_at: Moment
    session_id: str | None = None
    chain_id: str | None = None
    mode: str | None = None
    submode: SubmodeInput = None
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
    standing: bool | None = None
    expires_at: Moment | None = None
    injection_scale: Annotated[int | None, whole(0, 5)] = None


Knowledge = EntityLine | ObservationLine | RelationLine
Record = Knowledge | ThoughtLine
_LINE: TypeAdapter[HeaderLine | Record] = TypeAdapter(
    Annotated[HeaderLine | Record, Field(discriminator="kind")]
)

ReadLine = tuple[LineNumber, Record | Fault | SkippedMessage | Warned]
"""What a reader yields: a record, or the reason why its place has none."""

FormatReader = Callable[[Sequence[SourceFile]], Iterator[ReadLine]]
"""Reads the files of one import. Raises InvalidInput if its only file is not of the format at all."""


def json_value(value: object) -> Any:
    """The value as JSON. Times are ISO 8601; values of other types are their texts.

    Raises TypeError for a key that JSON does not have, and ValueError for a cycle.
    """
    return json.loads(json.dumps(value, default=_text, ensure_ascii=False))


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)


def checked(adapter: TypeAdapter[T], value: object, *, union: bool = False) -> T:
    """The validated value. Raises Fault with the name of the field, without repeating the value.

    ``union`` is true for a union by ``kind``, which begins every place of a fault with that kind.
    """
    try:
        return adapter.validate_python(value)
    except ValidationError as reason:
        first = reason.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][int(union) :])
        raise Fault(f"{where}: {fault(first)}" if where else f"it {fault(first)}") from None


def line_of(value: object) -> HeaderLine | Record:
    """The line that a JSON object of the import format stands for. Raises Fault."""
    return checked(_LINE, value, union=True)


def too_long(line: Record) -> str | None:
    """The reason why a text of the record cannot be stored, if one is too long."""
    texts: dict[str, str | None] = {}
    if isinstance(line, ThoughtLine):
        texts = {"content": line.content, "hypothesis": line.hypothesis}
    elif isinstance(line, ObservationLine):
        texts = {"content": line.content}
    elif isinstance(line, EntityLine):
        data = None if line.data is None else json.dumps(line.data, ensure_ascii=False, sort_keys=True)
        texts = {"description": line.description, "data": data}
    for name, text in texts.items():
        # A lone surrogate has no UTF-8; a later check rejects it.
        size = 0 if text is None else len(text.encode(errors="replace"))
        if size > MAX_CONTENT:
            return f"{name} is {size:,} bytes of UTF-8; at most {MAX_CONTENT:,} are stored"
    return None


def unread(place: LineNumber, why: str) -> ReadLine:
    """The fault of a file that is not of the format at all. Raises InvalidInput if it is the only file."""
    if not place.file:
        raise refused(place, why)
    return place, Fault(f"the file was not read: {why}")


def refused(place: LineNumber, why: str) -> InvalidInput:
    """The error for a line that cannot be imported."""
    return InvalidInput(f"{place} cannot be imported: {why}.", hint="Correct it and import again.")
