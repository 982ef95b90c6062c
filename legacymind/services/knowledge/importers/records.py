"""The records of an import: entities, observations, relations and thoughts, whatever format they come from.

They are plain objects, the lines of LegacyMind's own import format (docs/memory/importing.md).
"""

import codecs
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import IO, Annotated, Any, Final, NamedTuple, Required

from pydantic import ConfigDict, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from legacymind.errors import InvalidInput, LegacyMindError
from legacymind.model.base import EntityInput, ObservationInput, RelationInput
from legacymind.model.values import Moment, Unit, Words, whole
from legacymind.operations.wording import fault
from legacymind.origins import Declared
from legacymind.services.think.inputs import SubmodeInput


def _lone(error: UnicodeError) -> tuple[str, int]:
    """Lone surrogates for bytes that are not of an encoding; ``surrogateescape`` has none in UTF-16."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(chr(0xDC00 + byte) for byte in error.object[error.start : error.end]), error.end


codecs.register_error("lone", _lone)


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
class Contents:
    """The lines of a file of UTF-8, UTF-16 or UTF-32, which is opened for each reading."""

    open: Callable[[], IO[bytes]]

    def __iter__(self) -> Iterator[str]:
        with self.text() as file:
            yield from file

    def text(self) -> io.TextIOWrapper:
        """The opened file; a byte that is not of its encoding is a lone surrogate."""
        return io.TextIOWrapper(self.open(), json.detect_encoding(self.head(4)), "lone")

    def head(self, size: int) -> bytes:
        """The first bytes of the file."""
        with self.open() as file:
            return file.read(size)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read. ``label`` names it in messages: its path in the imported folder, empty for one file.

    ``modified`` is the time of messages without one. ``fault`` is the reason why it is not read, if there is
    one; a Warned if it need not be.
    """

    name: str
    lines: Iterable[str]
    label: str = ""
    modified: datetime | None = None
    fault: Fault | Warned | None = None


Record = dict[str, Any]
"""A record of the import format: its ``kind``, and the members that docs/memory/importing.md lists."""


class ThoughtRecord(TypedDict, total=False):
    """A thought with its time, links and session. Default ``injection_scale``: that of its mode.

    Readers of other formats give thoughts and links ids that are unique in their own source; the import
    derives the stored ids from them and the namespace.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")  # pyright: ignore[reportGeneralTypeIssues]

    id: Required[str]
    content: Required[str]
    created_at: Required[Moment]
    session_id: str | None
    chain_id: str | None
    mode: str | None
    submode: SubmodeInput
    thought_type: str | None
    author: str | None
    origin: Declared | None
    tags: Words
    significance: Unit | None
    confidence: Unit | None
    hypothesis: str | None
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    action_id: str | None
    context_id: str | None
    is_private: bool
    standing: bool | None
    expires_at: Moment | None
    injection_scale: Annotated[int | None, whole(0, 5)]


Knowledge = EntityInput | ObservationInput | RelationInput
_KINDS: Final[dict[str, TypeAdapter[Any]]] = {
    "entity": TypeAdapter(EntityInput),
    "observation": TypeAdapter(ObservationInput),
    "relation": TypeAdapter(RelationInput),
    "thought": TypeAdapter(ThoughtRecord),
}
_RELATION: Final = {
    "from": "source_entity",
    "to": "target_entity",
    "from_type": "source_type",
    "to_type": "target_type",
}
"""Members of a relation by the names of ``remember``."""

ReadLine = tuple[LineNumber, Record | Fault | SkippedMessage | Warned]
"""What a reader yields: a record, or the reason why its place has none."""

FormatReader = Callable[[Sequence[SourceFile]], Iterator[ReadLine]]
"""Reads the files of one import. Raises InvalidInput if its only file is not of the format at all."""


def bounded(place: LineNumber, items: Iterator[ReadLine]) -> Iterator[ReadLine]:
    """What a reader yields. An error that nobody foresaw is a fault at the last place, and ends it."""
    try:
        for place, found in items:
            yield place, found
    except (LegacyMindError, OSError):
        raise
    except Exception as reason:
        yield place, Fault(f"what follows was not read ({type(reason).__name__}: {str(reason)[:200]})")


def as_text(line: str | bytes) -> str:
    """A line of UTF-8 as text, without a byte order mark."""
    text = line.decode("utf-8", "surrogateescape") if isinstance(line, bytes) else line
    return text.removeprefix("\ufeff")


def beginning(head: bytes) -> str:
    """The first bytes of a file as text."""
    return head.decode(json.detect_encoding(head[:4]), errors="replace").removeprefix("\ufeff")


def is_decoded(text: str) -> bool:
    """Whether a text has no byte that is not of its encoding."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def json_value(value: object) -> Any:
    """The value as JSON. Times are ISO 8601; values of other types are their texts.

    Raises TypeError for a key that JSON does not have, and ValueError for a cycle.
    """
    return json.loads(json.dumps(value, default=_text, ensure_ascii=False))


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)


def record(kind: str, **members: Any) -> Record:
    """A record of the members that have a value; a trailing underscore is not part of a name."""
    present = {name.removesuffix("_"): value for name, value in members.items() if value is not None}
    return {"kind": kind, **present}


def checked(found: Record) -> Knowledge | ThoughtRecord:
    """What `remember` and `think` take. Raises Fault with the name of the member, without its value."""
    kind = found.get("kind")
    adapter = _KINDS.get(kind) if isinstance(kind, str) else None
    if adapter is None:
        raise Fault(f"its kind {str(kind)[:40]!r} is none of {', '.join(_KINDS)}")
    names = _RELATION if kind == "relation" else {}
    members = {names.get(name, name): value for name, value in found.items() if name != "kind"}
    try:
        return adapter.validate_python(members)
    except ValidationError as reason:
        first = reason.errors(include_url=False, include_input=False)[0]
        own = {name: of_source for of_source, name in names.items()}
        where = ".".join(own.get(str(part), str(part)) for part in first["loc"])
        raise Fault(f"{where}: {fault(first)}" if where else f"it {fault(first)}") from None


def unread(place: LineNumber, why: str) -> ReadLine:
    """The fault of a file that is not of the format at all. Raises InvalidInput if it is the only file."""
    if not place.file:
        raise refused(place, why)
    return place, Fault(f"the file was not read: {why}")


def refused(place: LineNumber, why: str) -> InvalidInput:
    """The error for a line without which nothing is imported."""
    return InvalidInput(f"{place} cannot be imported: {why}.", hint="Correct it and import again.")
