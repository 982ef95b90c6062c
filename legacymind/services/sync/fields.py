"""The properties of stored nodes and relationships as members of a JSON line, and back.

A property of the kind (docs/reference/graph.md) is a member of the line if its value has the right type.
Others, left by other tools or by tampering, are members of ``other``, so that an export keeps them.
There, a time is ``{"time": …}``, and a number that JSON lacks is ``{"number": "NaN"}``.
"""

import math
from array import array
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, cast

from legacymind.model import properties as declared
from legacymind.model import stored
from legacymind.model.properties import Mark, Property
from legacymind.services.chain import hashing
from legacymind.services.knowledge.importers.records import Fault

LineKind = Literal["removed", "entity", "observation", "thought", "session", "link"]
"""The kinds of lines except the header."""

_RECORDS: Final[dict[LineKind, tuple[type, ...]]] = {
    "removed": (stored.Removed,),
    "entity": (stored.Entity,),
    "observation": (stored.Observation,),
    "thought": (stored.Thought,),
    "session": (stored.Session,),
    "link": (stored.Recalls, stored.Lateral, stored.Evidence, stored.Related),
}

FIELDS: Final[dict[LineKind, dict[str, Property]]] = {
    line: {
        "node_kind" if name == "kind" else name: each
        for record in records
        for name, each in declared.properties(record).items()
        if Mark.LOCAL not in each.marks
    }
    for line, records in _RECORDS.items()
}
"""The properties of a kind; its own ``kind`` is that of the line."""

_LOCAL: Final = {line: stored.local(*records) for line, records in _RECORDS.items()}

_MAX_KEY_BYTES: Final = 4096
"""Maximum bytes of a text in an index. A text of more than 32 KiB would stop the database."""


def members(kind: LineKind, properties: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a line for stored properties, sorted by name, without vectors."""
    fields, known, other = FIELDS[kind], dict[str, Any](), dict[str, Any]()
    for name in sorted(properties):
        value = properties[name]
        if value is None or name in _LOCAL[kind] or name.startswith(("embedding_a", "embedding_b")):
            continue
        field = fields.get(name)
        if field is not None and field.fits(value):
            known[name] = hashing.utc(value) if field.type == "time" else value
        else:
            other[name] = _tagged(value)
    return {**known, "other": other} if other else known


def properties(kind: LineKind, line: Mapping[str, Any]) -> dict[str, Any]:
    """The properties of a line's members. Raises Fault for a member that its kind does not have."""
    fields, found = FIELDS[kind], dict[str, Any]()
    for name, value in line.items():
        if name == "other":
            continue
        field = fields.get(name)
        if field is None:
            raise Fault(f"{name[:80]!r} is no member of the kind {kind}")
        if field.type == "time":
            value = _time(name, value)
        elif field.type == "number" and type(value) is int:
            value = float(value)
        elif field.type == "numbers" and isinstance(value, list):
            value = [float(one) if type(one) is int else one for one in cast("list[object]", value)]
        if not field.fits(value):
            raise Fault(f"{name} is not of the type {field.type}")
        if field.type in ("text", "texts"):
            indexed = field.type == "text" and Mark.LONG not in field.marks
            for text in cast("list[str]", value if field.type == "texts" else [value]):
                _check_text(name, text, most=_MAX_KEY_BYTES if indexed else math.inf)
        found[name] = value
    other = line.get("other", {})
    if not isinstance(other, dict):
        raise Fault("other is not an object")
    for name, value in cast("dict[str, Any]", other).items():
        if name in _LOCAL[kind] or name.startswith("embedding_"):
            raise Fault(f"other cannot have the member {name[:80]!r}")
        if name not in fields:  # a value of another type than its property stays where somebody stored it
            found[name] = _untagged(name, value)
    return found


def _time(name: str, value: object) -> object:
    if not isinstance(value, str):
        raise Fault(f"{name} is not a time")
    try:
        found = datetime.fromisoformat(value)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Fault(f"{name} is not a time") from None


def _tagged(value: Any) -> Any:
    """A value of an unknown property, or of another type than its field."""
    if isinstance(value, datetime):
        return {"time": hashing.utc(value)}
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": repr(value)}
    if isinstance(value, list | array):
        return [_tagged(one) for one in cast("Sequence[Any]", value)]
    return value


def _untagged(name: str, value: Any) -> Any:
    if isinstance(value, dict):
        tagged = cast("dict[str, Any]", value)
        if tagged.keys() == {"time"}:
            return _time(name, tagged["time"])
        if tagged.get("number") in ("nan", "inf", "-inf"):
            return float(tagged["number"])
        raise Fault(f"other.{name[:80]} is no value of a property")
    if isinstance(value, list):
        items = cast("list[Any]", value)
        # Neo4j stores lists of one type or of numbers. Nested lists are refused before their items are read.
        nested = any(isinstance(one, list) for one in items)
        found: list[object] = [] if nested else [_untagged(name, one) for one in items]
        kinds: set[type[object]] = {type(one) for one in found}
        if nested or (len(kinds) > 1 and kinds != {int, float}):
            raise Fault(f"other.{name[:80]} is no value of a property")
        return found
    if isinstance(value, str):
        _check_text(name, value)
    if value is None or (type(value) is int and not -(2**63) <= value < 2**63):
        raise Fault(f"other.{name[:80]} is no value of a property")
    return value


def _check_text(name: str, value: str, most: float = math.inf) -> None:
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise Fault(f"{name} is not valid Unicode: it contains a lone surrogate") from None
    if size > most:
        raise Fault(f"{name} is {size:,} bytes of UTF-8; at most {most:,} can be indexed")
