"""Reads and checks the lines of an export."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, cast, get_args

from legacymind.errors import InvalidInput
from legacymind.model.base import MAX_KEY
from legacymind.services.knowledge.importers.jsonl import parsed
from legacymind.services.knowledge.importers.native import VERSION
from legacymind.services.knowledge.importers.records import Fault, LineNumber, as_text, beginning, refused
from legacymind.services.transfer.exporting import END, EXPORT
from legacymind.services.transfer.fields import LineKind, properties, unpacked

MAX_LINE: Final = 16 * 1024 * 1024
"""Maximum characters of a line. A thought with the longest texts, all escaped, has about 3 MB."""

_KINDS: Final = frozenset(get_args(LineKind))

_ENDS: Final = frozenset({"thought", "entity", "observation", "session", "action", "pending"})
_STARTS: Final = frozenset({"thought", "entity", "observation"})

_REQUIRED: Final[dict[LineKind, tuple[str, ...]]] = {
    "entity": ("id", "name_key", "type_key"),
    "observation": ("id", "entity_id", "fact_key"),
    "thought": ("id",),
    "session": ("id",),
    "action": ("id",),
    "pending": ("id",),
}


@dataclass(frozen=True, slots=True)
class Header:
    """The first line. ``fingerprint`` identifies the model of the vectors; None without vectors."""

    namespace: str
    fingerprint: str | None
    dimensions: int


@dataclass(frozen=True, slots=True)
class End:
    """The last line: how many lines are before it, and how many the export had there."""

    found: int
    written: int


@dataclass(slots=True)
class ExportedItem:
    """A checked line after the header: a node with its properties, or a relationship with its ends.

    ``embedded``: the node had a vector in the exported database. ``vector``: that vector, if the file has it.
    """

    place: LineNumber
    kind: LineKind
    properties: dict[str, Any]
    vector: list[float] | None = None
    embedded: bool = False
    in_session: bool = False
    missing: bool = False
    type: str = ""
    start: tuple[str, str] = ("", "")
    end: tuple[str, str] = ("", "")

    @property
    def id(self) -> str:
        """The id of the node."""
        return self.properties["id"]


def is_export(head: bytes) -> bool:
    """Whether the first bytes of a file have the header of an export."""
    try:
        value = json.loads(beginning(head).partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and cast("dict[str, Any]", value).get("export") == EXPORT


def read(lines: Iterable[str | bytes]) -> Iterator[Header | ExportedItem | End]:
    """The header and the checked lines. Raises InvalidInput with the number of a line that has a fault.

    A file that was cut has no End.
    """
    header: Header | None = None
    end: End | None = None
    found = 0
    for number, raw in enumerate(map(as_text, lines), start=1):
        if not raw.strip():
            continue
        place = LineNumber(number)
        try:
            if len(raw) > MAX_LINE:
                raise Fault(f"the line has {len(raw):,} characters; at most {MAX_LINE:,} are read")
            value = parsed(raw)
            if not isinstance(value, dict):
                raise Fault("it must be an object")
            line = cast("dict[str, Any]", value)
            if end is not None:
                raise Fault("it follows the end of the export")
            if header is None:
                header = _header(line)
                yield header
            elif line.get("kind") == END:
                end = _read_end(line, found)
                yield end
            else:
                yield _item(place, line, header)
        except Fault as reason:
            raise refused(place, str(reason)) from None
        found += 1
    if header is None:
        raise InvalidInput("The file is empty.", hint="Export again.")


def _header(line: dict[str, Any]) -> Header:
    if (line.get("kind"), line.get("format"), line.get("export")) != ("header", "legacymind", EXPORT):
        raise Fault("it is not the header of an export")
    if line.get("version") != VERSION:
        raise Fault(f"this LegacyMind reads format version {VERSION}, not {line.get('version')!r:.20}")
    namespace, vectors = line.get("namespace"), line.get("vectors")
    if not isinstance(namespace, str) or not namespace or len(namespace) > MAX_KEY:
        raise Fault("namespace is missing")
    if vectors is None:
        return Header(namespace, None, 0)
    if not isinstance(vectors, dict):
        raise Fault("vectors is not an object")
    held = cast("dict[str, Any]", vectors)
    if not isinstance(held.get("fingerprint"), str) or type(held.get("dimensions")) is not int:
        raise Fault("vectors has no fingerprint or dimensions")
    return Header(namespace, held["fingerprint"], held["dimensions"])


def _read_end(line: dict[str, Any], found: int) -> End:
    if line.keys() != {"kind", "lines"} or type(line["lines"]) is not int:
        raise Fault("the end has the number of lines, and nothing else")
    return End(found, line["lines"])


def _item(place: LineNumber, line: dict[str, Any], header: Header) -> ExportedItem:
    kind = line.pop("kind", None)
    if str(kind) not in _KINDS:  # it may be a list
        raise Fault(f"there is no kind {str(kind)[:80]!r}")
    if kind == "link":
        return _link(place, line)
    special = {name: line.pop(name, None) for name in ("vector", "embedded", "in_session", "missing")}
    item = ExportedItem(place, kind, properties(kind, line))
    for name in _REQUIRED[item.kind]:
        if not (isinstance(item.properties.get(name), str | int)):
            raise Fault(f"{name} is missing")
    if "node_kind" in item.properties:
        item.properties["kind"] = item.properties.pop("node_kind")
    for name in ("embedded", "in_session", "missing"):
        if special[name] not in (None, True):
            raise Fault(f"{name} can only be true")
    item.embedded = special["embedded"] is True or special["vector"] is not None
    item.in_session, item.missing = special["in_session"] is True, special["missing"] is True
    if item.in_session and not isinstance(item.properties.get("session_id"), str):
        raise Fault("in_session requires session_id")
    if special["vector"] is not None:
        if header.fingerprint is None:
            raise Fault("a vector requires vectors in the header")
        item.vector = unpacked(special["vector"], header.dimensions)
    return item


def _link(place: LineNumber, line: dict[str, Any]) -> ExportedItem:
    unknown = line.keys() - {"type", "from", "to", "properties"}
    if unknown:
        raise Fault(f"{min(unknown)[:80]!r} is no member of the kind link")
    type_name, own = line.get("type"), line.get("properties", {})
    if not isinstance(type_name, str) or not 0 < len(type_name) <= MAX_KEY or "\0" in type_name:
        raise Fault("type is missing")
    if not isinstance(own, dict):
        raise Fault("properties is not an object")
    return ExportedItem(
        place,
        "link",
        properties("link", cast("dict[str, Any]", own)),
        type=type_name,
        start=_end("from", line.get("from"), _STARTS),
        end=_end("to", line.get("to"), _ENDS),
    )


def _end(name: str, value: object, kinds: frozenset[str]) -> tuple[str, str]:
    match value:
        case [str(kind), str(own_id)] if kind in kinds:
            return kind, own_id
        case _:
            raise Fault(f"{name} is not a pair of a kind and an id")
