"""The file of MCP's reference memory server, ``memory.jsonl``.

A line is an entity with its observations, or a relation:

    {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["Lives in Lyon"]}
    {"type": "relation", "from": "Ada", "to": "Engine", "relationType": "works on"}

The answer of its tool ``read_graph``, an object with ``entities`` and ``relations``, and lists of entities
and relations are read, too; ``type`` may be missing. Further fields are ignored, as that server does.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, cast

from legacymind.services.knowledge.importers.jsonl import documents, members
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    Record,
    SourceFile,
    record,
)
from legacymind.text import keys


def read(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read entities with their observations, and then the relations, whose ends have types by then.

    A name is one entity there, whatever its type: the first type counts.
    """
    relations: list[tuple[LineNumber, dict[str, Any]]] = []
    types: dict[str, str] = {}
    for place, item in _items(files):
        if isinstance(item, Fault):
            yield place, item
        elif item.get("type") == "relation" or ("type" not in item and "relationType" in item):
            relations.append((place, item))
        elif item.get("type") == "entity" or ("type" not in item and "entityType" in item):
            yield from ((place, found) for found in _entity(item, types))
        else:
            yield place, Fault("its type is neither entity nor relation")
    for place, item in relations:
        source, target = item.get("from"), item.get("to")
        yield (
            place,
            record(
                "relation",
                from_=source,
                from_type=types.get(_key(source)) or None,
                type=item.get("relationType"),
                to=target,
                to_type=types.get(_key(target)) or None,
            ),
        )


def _entity(item: dict[str, Any], types: dict[str, str]) -> Iterator[Record | Fault]:
    name, kind, facts = item.get("name"), item.get("entityType"), item.get("observations", [])
    if not isinstance(facts, list):
        yield Fault("observations: must be a list")
        return
    if isinstance(kind, str):
        kind = types.setdefault(_key(name), kind)
    yield record("entity", name=name, entity_type=kind)
    for content in cast("list[Any]", facts):
        yield record("observation", entity=name, entity_type=kind or None, content=content)


def _key(name: object) -> str:
    return keys.normalised(name) if isinstance(name, str) else ""


def _items(files: Iterable[SourceFile]) -> Iterator[tuple[LineNumber, dict[str, Any] | Fault]]:
    """The entities and relations of lines, lists and graphs, or the fault of one."""
    for file in files:
        for place, value, _ in documents(file):
            graph = members(value)
            parts: list[list[Any]] = [
                graph[name] for name in ("entities", "relations") if isinstance(graph.get(name), list)
            ]
            items: Any = list(chain(*parts)) if parts else value
            for item in cast("list[Any]", items) if isinstance(items, list) else [items]:
                yield place, item if isinstance(item, dict | Fault) else Fault("it must be an object")
