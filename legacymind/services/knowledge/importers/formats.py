"""The table of formats, and the recognition of a file's format."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from legacymind.errors import InvalidInput
from legacymind.services.knowledge.importers import (
    chatgpt,
    claude_code,
    csv_tables,
    markdown,
    mcp_memory,
    mem0,
    messages,
    native,
)
from legacymind.services.knowledge.importers.records import FormatReader, beginning

OWN: Final = "legacymind"
"""The name of LegacyMind's own format."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files. ``suffixes`` are the endings of the files that are read from a folder.

    ``derives_ids``: the ids of thoughts in the file are unique in it, and stored ids derive from them.
    ``together``: files are read together, because they name what others have.
    """

    title: str
    suffixes: tuple[str, ...]
    read: FormatReader
    derives_ids: bool = True
    together: bool = False


FORMATS: Final = {
    OWN: Format("LegacyMind's import format", (".jsonl",), native.read, derives_ids=False),
    "mcp-memory": Format(
        "memory.jsonl of MCP's reference memory server", (".jsonl", ".json"), mcp_memory.read, together=True
    ),
    "csv": Format(
        "CSV of entities, observations or relations", (".csv", ".tsv"), csv_tables.read, together=True
    ),
    "markdown": Format("Markdown notes of basic-memory or Obsidian", (".md",), markdown.read, together=True),
    "messages": Format(
        "messages of chats, such as claude.ai's data export", (".json", ".jsonl"), messages.read
    ),
    "chatgpt": Format("conversations.json of ChatGPT's data export", (".json",), chatgpt.read),
    "claude-code": Format("transcripts of Claude Code", (".jsonl",), claude_code.read),
    "mem0": Format("memories of mem0", (".json", ".jsonl"), mem0.read),
}
"""Every format of files by its name."""

_SUFFIXES: Final = ("csv", "markdown")
"""The formats that the ending of a file decides."""

_OBJECTS: Final[Sequence[tuple[str, frozenset[str]]]] = (
    (OWN, frozenset({"kind"})),
    ("mcp-memory", frozenset({"name", "entityType"})),
    ("mcp-memory", frozenset({"from", "relationType"})),
    ("mcp-memory", frozenset({"entities", "relations"})),
    ("claude-code", frozenset({"type", "sessionId"})),
    ("claude-code", frozenset({"type", "leafUuid"})),
    ("claude-code", frozenset({"type", "isSnapshotUpdate"})),
    ("chatgpt", frozenset({"mapping"})),
    ("mem0", frozenset({"id", "memory"})),
    ("messages", frozenset({"messages"})),
    ("messages", frozenset({"chat_messages"})),
    ("messages", frozenset({"contents"})),
    ("messages", frozenset({"conversations"})),
    ("messages", frozenset({"role", "content"})),
    ("messages", frozenset({"role", "parts"})),
    ("messages", frozenset({"type", "data"})),
    ("messages", frozenset({"from", "value"})),
    ("messages", frozenset({"sender", "text"})),
    ("mem0", frozenset({"results"})),
)
"""The members by which an object, or the objects of a list, show the format."""

_TOKEN: Final = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)(?:"(\s*:)?|\\?\Z)|[{}]', re.DOTALL)
"""A JSON string, which the end may cut off, with the colon after the name of a member; or a brace."""


def format_named(name: str) -> Format:
    """The format of that name. Raises InvalidInput."""
    try:
        return FORMATS[name]
    except KeyError:
        raise InvalidInput(
            f"There is no import format {name!r}.", hint=f"Use one of {', '.join(FORMATS)}."
        ) from None


def recognised(name: str, head: bytes) -> str | None:
    """The name of the format of a file by its name and its first bytes, None if no format fits."""
    suffix = PurePath(name).suffix.lower()
    for format_name in _SUFFIXES:
        if suffix in FORMATS[format_name].suffixes:
            return format_name
    text = beginning(head).lstrip()
    # A line may be broken, so each line that begins like JSON is read by itself, too.
    for part in (text, *text.splitlines()):
        for names in _objects(part):
            for format_name, shown_by in _OBJECTS:
                if shown_by <= names:
                    return format_name
    return None


def _objects(text: str) -> Iterator[Set[str]]:
    """The names of the members of each outermost JSON object, also of a last one that the text cuts off."""
    if not text.startswith(("{", "[")):
        return
    depth = 0
    names: set[str] = set()
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth -= 1
        elif depth == 1 and token[2]:
            names.add(token[1])
        if depth == 0 and names:
            yield names
            names = set()
    yield names
