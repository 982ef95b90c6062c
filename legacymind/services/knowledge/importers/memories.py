"""What mem0, Zep and Letta give out by their interfaces, as JSON.

- mem0: ``results`` and ``relations``. A memory is an observation of its user, agent, app or run.
- Zep: ``nodes`` and ``edges`` of a graph. A node is an entity; an edge is a relation, and its fact an
  observation of the entity where it starts. Zep's messages are read like those of any chat.
- Letta: an agent file. A block of memory is an entity with an observation for each paragraph; the messages of
  an agent are a session.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final, cast

from legacymind.services.knowledge.importers.chat import text_of
from legacymind.services.knowledge.importers.jsonl import documents, members, parsed
from legacymind.services.knowledge.importers.messages import conversation, session_of
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    Record,
    SkippedMessage,
    SourceFile,
    line_of,
)

_OWNERS: Final = ("user", "agent", "app", "run")
"""Whose memory one of mem0 is, by the member ``…_id``, the first that it has."""

_PARAGRAPHS: Final = re.compile(r"\n\s*\n")
_TOLD: Final = re.compile(r'\s*\{\s*"type"\s*:')


def read_mem0(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read the memories of files, and then their relations."""
    for place, value in _values(files):
        yield from _each(place, "memory", _items(value, "results"), _memory)
        yield from _each(place, "relation", _list(value, "relations"), _mem0_relation)


def read_zep(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read the nodes of all files first: an edge names its ends by their ids."""
    nodes: dict[str, dict[str, Any]] = {}
    edges: list[tuple[LineNumber, list[Any]]] = []
    for place, value in _values(files):
        items = _items(value, "nodes", "edges")
        found = [item for item in items if "source_node_uuid" not in members(item)]
        nodes |= {str(members(node).get("uuid")): members(node) for node in found}
        yield from _each(place, "node", found, _node)
        edges.append((place, [item for item in items if "source_node_uuid" in members(item)]))
    for place, items in edges:
        yield from _each(place, "edge", items, partial(_edge, nodes))


def read_letta(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read the blocks of each file, and then the messages of its agents."""
    for file in files:
        for place, value in _values([file]):
            agents = _list(value, "agents") or [value]
            blocks = _list(value, "blocks") + _list(value, "core_memory")
            yield from _each(place, "block", blocks, _block)
            for agent in agents:
                name = session_of(file)
                if len(agents) > 1:
                    name += f"-{members(agent).get('id') or members(agent).get('name')}"
                found = [(place, _unwrapped(message)) for message in _list(agent, "messages")]
                yield from conversation(found, name, file)


def _values(files: Iterable[SourceFile]) -> Iterator[tuple[LineNumber, Any]]:
    for file in files:
        yield from ((place, value) for place, value, _ in documents(file))


def _list(value: Any, name: str) -> list[Any]:
    found = members(value).get(name)
    return cast("list[Any]", found) if isinstance(found, list) else []


def _items(value: Any, *names: str) -> list[Any]:
    """The items of a document: those of its members of these names, of a list, or the value itself."""
    if members(value).keys() & {*names}:
        return [item for name in names for item in _list(value, name)]
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def _each(
    place: LineNumber, noun: str, items: list[Any], records: Callable[[dict[str, Any]], Iterator[Record]]
) -> Iterator[ReadLine]:
    """The records of items, or the fault of one with its number."""
    for number, item in enumerate(items, start=1):
        try:
            if isinstance(item, Fault):
                yield place, item
            elif isinstance(item, dict):
                for record in records(members(cast("object", item))):
                    yield place, record
            else:
                raise Fault("it must be an object")
        except Fault as reason:
            yield place, Fault(f"{noun} {number}: {reason}")


def _record(kind: str, **fields: Any) -> Record:
    """A record of the members that have a value. Raises Fault."""
    present = {name.removesuffix("_"): value for name, value in fields.items() if value not in (None, "")}
    return cast("Record", line_of({"kind": kind, **present}))


def _memory(memory: dict[str, Any]) -> Iterator[Record]:
    kind = next((name for name in _OWNERS if memory.get(f"{name}_id")), "user")
    yield _record(
        "observation",
        entity=memory.get(f"{kind}_id") or kind,
        entity_type=kind,
        content=memory.get("memory"),
        valid_from=memory.get("created_at"),
        valid_to=memory.get("expiration_date"),
        source="mem0",
    )


def _mem0_relation(relation: dict[str, Any]) -> Iterator[Record]:
    yield _record(
        "relation",
        from_=relation.get("source"),
        type=relation.get("relationship"),
        to=relation.get("target") or relation.get("destination"),
        source="mem0",
    )


def _node(node: dict[str, Any]) -> Iterator[Record]:
    yield _record(
        "entity",
        name=node.get("name"),
        entity_type=_type(node.get("labels")),
        description=node.get("summary"),
        data=node.get("attributes") or None,
    )


def _edge(nodes: dict[str, dict[str, Any]], edge: dict[str, Any]) -> Iterator[Record]:
    ends: list[Any] = []
    for end in ("source", "target"):
        node = nodes.get(str(edge.get(f"{end}_node_uuid")), {})
        name = node.get("name") or edge.get(f"{end}_node_name")
        if not name:
            raise Fault(f"its {end}_node_uuid is no node of these files")
        ends += [name, _type(node.get("labels") or edge.get(f"{end}_node_labels"))]
    source, source_type, target, target_type = ends
    times = {
        "valid_from": edge.get("valid_at"),
        "valid_to": edge.get("invalid_at") or edge.get("expired_at"),
    }
    yield _record(
        "relation",
        from_=source,
        from_type=source_type,
        type=edge.get("name"),
        to=target,
        to_type=target_type,
        source="zep",
        **times,
    )
    if edge.get("fact"):
        yield _record(
            "observation",
            entity=source,
            entity_type=source_type,
            content=edge["fact"],
            source="zep",
            **times,
        )


def _type(labels: object) -> str | None:
    """The type of a node: its first label that is not that of all nodes."""
    own = cast("list[Any]", labels) if isinstance(labels, list) else []
    return next((label for label in own if isinstance(label, str) and label != "Entity"), None)


def _block(block: dict[str, Any]) -> Iterator[Record]:
    name, value = block.get("label"), block.get("value")
    yield _record("entity", name=name, entity_type="memory block", description=block.get("description"))
    if not isinstance(value, str):
        raise Fault("its value is no text")
    for text in _PARAGRAPHS.split(value.strip()):
        if text:
            yield _record(
                "observation", entity=name, entity_type="memory block", content=text, source="letta"
            )


def _unwrapped(message: Any) -> Any:
    """A message of Letta with what was said as its text: both sides may wrap theirs in JSON.

    A user's message may be ``{"type": "user_message", "message": "…"}``, which also stands for events of the
    system; an agent may have answered by the tool ``send_message``.
    """
    fields = members(message)
    try:
        for call in _list(message, "tool_calls"):
            function = members(members(call).get("function"))
            if function.get("name") == "send_message":
                return {**fields, "content": members(parsed(str(function.get("arguments")))).get("message")}
        text = text_of(fields.get("content", fields.get("text")))
        if fields.get("role") != "user" or not _TOLD.match(text):
            return message
        told = members(parsed(text))
    except (Fault, SkippedMessage):
        return message
    role = "user" if told.get("type") == "user_message" else "system"
    return {**fields, "role": role, "content": told.get("message")}
