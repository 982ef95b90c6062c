"""The file of MCP's reference memory server, ``memory.jsonl``.

A line is an entity with its observations, or a relation:

    {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["Lives in Lyon"]}
    {"type": "relation", "from": "Ada", "to": "Engine", "relationType": "works on"}

The answer of its tool ``read_graph``, an object with ``entities`` and ``relations``, and lists of entities
and relations are read, too; ``type`` may be missing. Further fields are ignored, as that server does.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, Literal, cast

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from legacymind.services.knowledge.importers.jsonl import members, values
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    Record,
    SourceFile,
    fitting,
    record,
)
from legacymind.text import keys


class _Entity(TypedDict):
    type: Literal["entity"]
    name: str
    entityType: str
    observations: list[Any]


_Relation = TypedDict("_Relation", {"type": Literal["relation"], "from": str, "to": str, "relationType": str})
_KINDS: Final[dict[str, TypeAdapter[Any]]] = {
    "entity": TypeAdapter(_Entity),
    "relation": TypeAdapter(_Relation),
}


def read(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read entities with their observations, and then the relations, whose ends have types by then.

    A name is one entity there, whatever its type: the first type counts.
    """
    relations: list[tuple[LineNumber, _Relation]] = []
    types: dict[str, str] = {}
    for place, value in _items(files):
        if isinstance(value, Fault):
            yield place, value
            continue
        try:
            line = _line(value)
            if line["type"] == "relation":
                relations.append((place, line))
            else:
                kind = types.setdefault(keys.normalised(line["name"]), line["entityType"])
                yield from _entity(place, line, kind)
        except Fault as reason:
            yield place, reason
    for place, line in relations:
        yield place, _relation(line, types)


def _items(files: Iterable[SourceFile]) -> Iterator[tuple[LineNumber, dict[str, Any] | Fault]]:
    """The entities and relations of lines, lists and graphs, or the fault of one."""
    for file in files:
        for place, value in values(file):
            graph = members(value)
            parts: list[list[Any]] = [
                graph[name] for name in ("entities", "relations") if isinstance(graph.get(name), list)
            ]
            items: Any = list(chain(*parts)) if parts else value
            for item in cast("list[Any]", items) if isinstance(items, list) else [items]:
                yield place, item if isinstance(item, dict | Fault) else Fault("it must be an object")


def _line(value: dict[str, Any]) -> _Entity | _Relation:
    if "type" not in value and "entityType" in value:
        value = value | {"type": "entity"}
    elif "type" not in value and "relationType" in value:
        value = value | {"type": "relation"}
    kind = _KINDS.get(str(value.get("type")))
    if kind is None:
        raise Fault("its type is neither entity nor relation")
    return fitting(kind, value)


def _entity(place: LineNumber, line: _Entity, kind: str) -> Iterator[ReadLine]:
    name = line["name"]
    yield place, record("entity", name=name, entity_type=kind)
    for number, content in enumerate(line["observations"]):
        if not isinstance(content, str):
            yield place, Fault(f"observations.{number}: must be text")
            continue
        yield place, record("observation", entity=name, entity_type=kind or None, content=content)


def _relation(line: _Relation, types: Mapping[str, str]) -> Record:
    return record(
        "relation",
        from_=line["from"],
        from_type=types.get(keys.normalised(line["from"])) or None,
        type=line["relationType"],
        to=line["to"],
        to_type=types.get(keys.normalised(line["to"])) or None,
    )
