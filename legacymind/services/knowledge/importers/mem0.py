"""Memories of mem0 as its interfaces give them out: ``results`` and ``relations``, or a list of memories."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, cast

from legacymind.services.knowledge.importers.jsonl import documents, members
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    Record,
    SourceFile,
    record,
)

_OWNERS: Final = ("user", "agent", "app", "run")
"""Whose memory it is, by the member ``…_id``, the first that it has."""


def read(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read the memories of files, each an observation of its user, agent, app or run."""
    for file in files:
        for place, value, _ in documents(file):
            memories = members(value).get("results", value)
            yield from _each(place, "memory", memories, _memory)
            yield from _each(place, "relation", members(value).get("relations"), _relation)


def _each(
    place: LineNumber, noun: str, items: object, made: Callable[[dict[str, Any]], Record]
) -> Iterator[ReadLine]:
    """The records of items, or the fault of one with its number."""
    listed = cast("list[Any]", items) if isinstance(items, list) else [] if items is None else [items]
    for number, item in enumerate(listed, start=1):
        try:
            if isinstance(item, Fault):
                raise item
            if not isinstance(item, dict):
                raise Fault("it must be an object")
            yield place, made(members(cast("object", item)))
        except Fault as reason:
            yield place, Fault(f"{noun} {number}: {reason}")


def _memory(memory: dict[str, Any]) -> Record:
    kind = next((name for name in _OWNERS if memory.get(f"{name}_id")), "user")
    return record(
        "observation",
        entity=memory.get(f"{kind}_id") or kind,
        entity_type=kind,
        content=memory.get("memory"),
        valid_from=memory.get("created_at"),
        valid_to=memory.get("expiration_date"),
        source="mem0",
    )


def _relation(relation: dict[str, Any]) -> Record:
    return record(
        "relation",
        from_=relation.get("source"),
        type=relation.get("relationship"),
        to=relation.get("target") or relation.get("destination"),
        source="mem0",
    )
