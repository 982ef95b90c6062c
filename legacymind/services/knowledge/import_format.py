"""The import format, version 1: JSON Lines of entities, observations, relations and thoughts.

``docs/import-format.md`` describes it.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from legacymind.errors import InvalidInput
from legacymind.model.base import MAX_CONTENT
from legacymind.model.values import Unit, Words, whole
from legacymind.operations.wording import fault
from legacymind.services.think.inputs import SubmodeInput

VERSION: Final = 1
MAX_LINE: Final = 1024 * 1024
"""The most bytes of one line; the limit of a thought's content is far lower."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedLine:
    """A line that was not imported because a text or the whole line is too long. Lines are counted from 1."""

    line: int
    reason: str


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
    """A thought with its time, links and session. Default ``injection_scale``: that of its mode."""

    kind: Literal["thought"]
    id: str
    content: str
    created_at: datetime
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
    injection_scale: Annotated[int | None, whole(0, 5)] = None


Line = HeaderLine | EntityLine | ObservationLine | RelationLine | ThoughtLine
_LINE: TypeAdapter[Line] = TypeAdapter(Annotated[Line, Field(discriminator="kind")])


def parse(lines: Iterable[str | bytes]) -> Iterator[tuple[int, Line | RefusedLine]]:
    """Parse a file into numbered lines, skipping blank ones.

    A line with more than ``MAX_LINE`` bytes, or with a text of more than ``MAX_CONTENT`` bytes, is a
    RefusedLine. Raises InvalidInput with the line number for any other fault.
    """
    started = False
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        if started and len(raw) > MAX_LINE:
            reason = f"the line is {len(raw):,} bytes; at most {MAX_LINE:,} are read"
            yield number, RefusedLine(line=number, reason=reason)
            continue
        line = _parse_line(number, raw)
        if isinstance(line, HeaderLine):  # Concatenated files have several headers.
            if not 1 <= line.version <= VERSION:
                raise refused(number, f"this LegacyMind reads format version {VERSION}, not {line.version}")
            started = True
        elif not started:
            raise refused(number, "the file does not begin with a header line")
        else:
            too_long = _too_long(line)
            yield number, line if too_long is None else RefusedLine(line=number, reason=too_long)
    if not started:
        raise refused(1, "the file is empty")


def _parse_line(number: int, raw: str | bytes) -> Line:
    if len(raw) > MAX_LINE:  # A first line: without a header, the file may have another format.
        raise refused(number, f"it is longer than {MAX_LINE:,} bytes")
    try:
        decoded = raw.decode() if isinstance(raw, bytes) else raw
        return _LINE.validate_python(json.loads(decoded))
    except UnicodeDecodeError:
        raise refused(number, "it is not UTF-8") from None
    except json.JSONDecodeError as reason:
        raise refused(number, f"it is not JSON ({reason.msg} at character {reason.colno})") from None
    except RecursionError:
        raise refused(number, "it is nested too deeply") from None
    except ValidationError as reason:  # A ValueError too, as for a number of 5,000 digits.
        first = reason.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        raise refused(number, f"{where}: {fault(first)}" if where else f"it {fault(first)}") from None
    except ValueError as reason:
        raise refused(number, f"it cannot be read ({str(reason)[:80]})") from None


def _too_long(line: Line) -> str | None:
    """The reason why a text of the line cannot be stored, if one is too long."""
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


def refused(number: int, why: str) -> InvalidInput:
    """The error for a line that cannot be imported."""
    return InvalidInput(f"Line {number} cannot be imported: {why}.", hint="Correct it and import again.")
