"""Exports for people: a folder of Markdown notes, which can be imported again, and one JSON document.

Both are made of the lines of an export, as a stream; only the names of entities and the sessions of thoughts
are held. They have what a reader sees: no hashes, no vectors, no stubs of merged entities.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any, Final

import yaml

from legacymind.errors import Conflict, EngineError
from legacymind.model.base import ALWAYS
from legacymind.operations.methods import public
from legacymind.services.shared import checks, notes
from legacymind.services.shared.service import Service, ServiceContext
from legacymind.services.transfer.exporting import ExportService

_ABOUT: Final = ("valid_from", "valid_to", "source")
_RELATION: Final = (*_ABOUT, "properties")
_ENTITY: Final = ("id", "name", "entity_type", "description", "aliases", "data", "valid_from", "valid_to")
_THOUGHT: Final = (
    *("id", "session_id", "created_at", "author", "mode", "thought_type", "title", "tags", "content"),
    *("hypothesis", "confidence", "revises_thought", "branch_from", "parent_id", "action_id"),
    *("is_private", "standing", "outcomes", "redacted_at", "redacted_reason"),
)
_LISTS: Final = {
    "entity": "entities",
    "fact": "facts",
    "thought": "thoughts",
    "mention": "mentions",
    "relation": "links",
}
"""The lists of the JSON document by the kind of their records, in their order."""

_PAGE: Final = 500
"""Records written together."""

_MENTIONS: Final = "## Entities"
_LOOSE: Final = "without a session"

PlainRecord = tuple[str, dict[str, Any]]
"""The kind of a record, and its members."""


class ReadableExportService(Service):
    """Exports namespaces for people."""

    def __init__(self, context: ServiceContext, exporting: ExportService) -> None:
        super().__init__(context)
        self._exporting = exporting

    @public("export_markdown")
    async def markdown(self, folder: str | PathLike[str], namespace: str | None = None) -> int:
        """Write a namespace as Markdown into a new or empty folder, and return the number of notes.

        It has a note for each entity, with its facts and relations, and for each session, with its thoughts.
        ``import_file`` reads entities, facts and relations again. Raises Conflict if the folder has files,
        and EngineError if it cannot be written.
        """
        root = Path(folder)
        records = self._records(checks.namespace(namespace, self._settings))
        written, page = _Notes(root), list[PlainRecord]()
        try:
            await asyncio.to_thread(_refuse_filled, root)
            async for record in records:
                page.append(record)
                if len(page) == _PAGE:
                    await asyncio.to_thread(written.add, page)
                    page = []
            await asyncio.to_thread(written.add, page)
        except OSError as reason:
            raise EngineError(
                f"{root} could not be written: {reason.strerror or reason}.",
                effect="It may have a part of the export.",
                hint="Check the free disk space and the rights, and export to a new folder.",
            ) from reason
        return written.count

    @public("export_json")
    async def json(self, namespace: str | None = None) -> AsyncIterator[str]:
        """Stream a namespace as pieces of one JSON document, which has lists of plain objects.

        They are ``entities``, ``facts``, ``thoughts``, ``mentions`` (of entities in thoughts) and ``links``
        (the relations between entities).
        """
        own = checks.namespace(namespace, self._settings)
        yield f'{{"namespace": {json.dumps(own, ensure_ascii=False)}'
        kinds, at = [*_LISTS], -1
        async for kind, record in self._records(own):
            begun = ""
            while at < kinds.index(kind):
                begun += _next_list(at)
                at += 1
            yield f"{begun or ','}\n{json.dumps(record, ensure_ascii=False)}"
        rest = "".join(_next_list(number) for number in range(at, len(kinds) - 1))
        yield f"{rest}\n]\n}}\n"

    async def _records(self, namespace: str) -> AsyncIterator[PlainRecord]:
        """The records of a namespace in the order of ``_LISTS``."""
        _, lines = await self._exporting.begun(namespace, vectors=False)
        names: dict[str, dict[str, Any]] = {}
        async for line in lines.all():
            match line:
                case {"node_kind": "alias"}:
                    continue
                case {"kind": "entity"}:
                    names[line["id"]] = {"name": line["name"], "type": line.get("entity_type", "")}
                    yield "entity", _members(line, _ENTITY)
                case {"kind": "observation", "entity_id": about} if about in names:
                    yield "fact", {**_end("entity", about, names), **_members(line, ("content", *_ABOUT))}
                case {"kind": "thought"}:
                    yield "thought", _members(line, _THOUGHT)
                case {"kind": "link", "type": "MENTIONS", "from": [_, thought], "to": ["entity", end]} if (
                    end in names
                ):
                    yield "mention", {"thought_id": thought, **_end("entity", end, names)}
                case {"kind": "link", "from": ["entity", start], "to": ["entity", end]} if (
                    start in names and end in names
                ):
                    held = line.get("properties", {})
                    own = {
                        name: value
                        for name, value in held.get("other", {}).items()
                        if isinstance(value, str | int | float) and not name.startswith("merged_")
                    }
                    yield (
                        "relation",
                        {
                            **_end("from", start, names),
                            "type": line["type"],
                            **_end("to", end, names),
                            **_members({**held, "properties": own}, _RELATION),
                        },
                    )
                case _:
                    continue


def _refuse_filled(folder: Path) -> None:
    """Raise Conflict if the folder has files."""
    if folder.exists() and any(folder.iterdir()):
        raise Conflict(f"{folder} is not empty.", effect="Nothing was written.", hint="Name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)


def _next_list(at: int) -> str:
    """The end of the list with this number, and the beginning of the next one."""
    return ("" if at < 0 else "\n]") + f',\n"{[*_LISTS.values()][at + 1]}": ['


def _members(line: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """The members that have a value; JSON as its value, and no time that means "always" or "open"."""
    found = {name: line[name] for name in names if line.get(name) not in (None, "", [], {}, False)}
    if "data" in found:
        found["data"] = json.loads(found["data"])
    if str(found.get("valid_from", "")).startswith(f"{ALWAYS.year:04}-"):
        del found["valid_from"]
    if str(found.get("valid_to", "")).startswith("9999-12-31"):
        del found["valid_to"]
    return found


def _end(name: str, own_id: str, names: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """An entity as members of another record."""
    entity = names[own_id]
    of_type = {f"{name}_type": entity["type"]} if entity["type"] else {}
    return {name: entity["name"], **of_type, f"{name}_id": own_id}


class _Notes:
    """The notes of a folder, written as the records come."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._entities: dict[str, str] = {}
        self._sessions: dict[str, str] = {}
        self._thoughts: dict[str, str] = {}
        self._files = notes.FileNames()
        self._last = ("", "")
        self._mentioned: set[str] = set()

    @property
    def count(self) -> int:
        """The number of notes."""
        return len(self._entities) + len(self._sessions)

    def add(self, page: list[PlainRecord]) -> None:
        """Write records to their notes."""
        pieces = (piece for record in page for piece in self._pieces(*record))
        for path, parts in groupby(pieces, key=lambda piece: piece[0]):
            file = self._folder / f"{path}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("ab") as note:
                note.writelines(text.encode(errors="replace") for _, text in parts)

    def _pieces(self, kind: str, record: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """The paths and the texts that a record adds to their notes."""
        if kind == "entity":
            path = "entities/" + self._files.add(record["name"], record.get("entity_type", ""))
            self._entities[record["id"]] = path
            yield path, _entity(record)
        elif kind == "fact":
            path = self._entities[record["entity_id"]]
            yield from self._begun(path, notes.FACTS)
            yield path, notes.item(record["content"], _members(record, _ABOUT))
        elif kind == "relation":
            path = self._entities[record["from_id"]]
            yield from self._begun(path, notes.RELATIONS)
            target = notes.link(self._entities[record["to_id"]], record["to"])
            yield path, notes.item(f"{record['type']} {target}", _members(record, _RELATION))
        elif kind == "thought":
            session = record.get("session_id", "")
            if session not in self._sessions:
                self._sessions[session] = "sessions/" + self._files.add(session or _LOOSE)
                yield self._sessions[session], _session(session)
            self._thoughts[record["id"]] = self._sessions[session]
            yield self._sessions[session], _thought(record)
        elif kind == "mention" and record["thought_id"] in self._thoughts:
            path = self._thoughts[record["thought_id"]]
            for text in self._begun(path, _MENTIONS):
                self._mentioned.clear()
                yield text
            if record["entity_id"] not in self._mentioned:
                self._mentioned.add(record["entity_id"])
                yield path, f"- {notes.link(self._entities[record['entity_id']], record['entity'])}\n"

    def _begun(self, path: str, heading: str) -> Iterator[tuple[str, str]]:
        """The heading of a list, before its first item: the records of a list follow each other."""
        if self._last != (path, heading):
            self._last = (path, heading)
            yield path, f"\n{heading}\n\n"


def _entity(record: dict[str, Any]) -> str:
    held = {name: value for name, value in record.items() if name not in ("id", "name", "entity_type")}
    front = {"legacymind": "entity", "title": record["name"], "type": record.get("entity_type", ""), **held}
    return _front(front, record["name"])


def _session(session: str) -> str:
    return _front({"legacymind": "session", "title": session or _LOOSE}, session or _LOOSE)


def _front(front: dict[str, Any], title: str) -> str:
    text = yaml.safe_dump(front, allow_unicode=True, sort_keys=False, width=float("inf"))
    return f"---\n{text}---\n\n# {' '.join(title.split())}\n"


def _thought(record: dict[str, Any]) -> str:
    about = [record["created_at"][:19].replace("T", " "), record.get("author"), record.get("mode")]
    about += ["private" if record.get("is_private") else None]
    reason = record.get("redacted_reason") or "without a reason"
    text = record.get("content") or f"*Redacted: {reason}*"
    return f"\n## {' · '.join(str(each) for each in about if each)}\n\n{text.strip()}\n"
