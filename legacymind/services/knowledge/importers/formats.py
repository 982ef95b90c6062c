"""The table of formats, and the recognition of a file's format."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from legacymind.errors import InvalidInput
from legacymind.services.knowledge.importers import (
    chatgpt,
    claude_code,
    csv_tables,
    locomo,
    markdown,
    mcp_memory,
    native,
    openai_chat,
)
from legacymind.services.knowledge.importers.jsonl import members
from legacymind.services.knowledge.importers.records import FormatReader

OWN: Final = "legacymind"
"""The name of LegacyMind's own format."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files. ``suffixes`` are the endings of the files that are read from a folder.

    ``derives_ids``: the ids of thoughts in the file are unique in it, and stored ids derive from them.
    """

    title: str
    suffixes: tuple[str, ...]
    read: FormatReader
    derives_ids: bool = True


FORMATS: Final = {
    OWN: Format("LegacyMind's import format", (".jsonl",), native.read, derives_ids=False),
    "mcp-memory": Format(
        "memory.jsonl of MCP's reference memory server", (".jsonl", ".json"), mcp_memory.read
    ),
    "csv": Format("CSV of entities, observations or relations", (".csv", ".tsv"), csv_tables.read),
    "markdown": Format("Markdown notes of basic-memory or Obsidian", (".md",), markdown.read),
    "openai": Format("messages in the form of OpenAI's API", (".json", ".jsonl"), openai_chat.read),
    "chatgpt": Format("conversations.json of ChatGPT's data export", (".json",), chatgpt.read),
    "claude-code": Format("transcripts of Claude Code", (".jsonl",), claude_code.read),
    "locomo": Format("conversations in the form of LoCoMo", (".json",), locomo.read),
}
"""Every format of files by its name."""

_SUFFIXES: Final = ("csv", "markdown")
"""The formats that the ending of a file decides."""

_OBJECTS: Final[Sequence[tuple[str, frozenset[str]]]] = (
    (OWN, frozenset({"kind"})),
    ("mcp-memory", frozenset({"type", "entityType"})),
    ("mcp-memory", frozenset({"type", "relationType"})),
    ("claude-code", frozenset({"type", "sessionId"})),
    ("claude-code", frozenset({"type", "leafUuid"})),
    ("claude-code", frozenset({"type", "isSnapshotUpdate"})),
    ("locomo", frozenset({"conversation"})),
    ("chatgpt", frozenset({"mapping"})),
    ("openai", frozenset({"messages"})),
    ("openai", frozenset({"role", "content"})),
)
"""The members by which an object on a line of its own shows its format."""

_DOCUMENTS: Final = (
    ("chatgpt", re.compile(r'"mapping"\s*:\s*\{')),
    ("locomo", re.compile(r'"(?:sample_id|speaker_a|dia_id|evidence)"\s*:')),
    ("openai", re.compile(r'"role"\s*:')),
)
"""The members by which the beginning of a longer document shows its format."""


def format_named(name: str) -> Format:
    """The format of that name. Raises InvalidInput."""
    try:
        return FORMATS[name]
    except KeyError:
        raise InvalidInput(
            f"There is no import format {name!r}.", hint=f"Use one of {', '.join(FORMATS)}."
        ) from None


def recognised(name: str, head: bytes) -> str:
    """The name of the format of a file by its name and its first bytes. Raises InvalidInput if none fits."""
    suffix, text = PurePath(name).suffix.lower(), head.decode(errors="replace")
    for format_name in _SUFFIXES:
        if suffix in FORMATS[format_name].suffixes:
            return format_name
    for line in text.splitlines():
        members = _members(line)
        for format_name, shown_by in _OBJECTS:
            if shown_by <= members:
                return format_name
    if text.lstrip().startswith(("[", "{")):
        for format_name, member in _DOCUMENTS:
            if member.search(text):
                return format_name
    raise InvalidInput(
        f"The format of {name} is not recognised.",
        hint=f"Name it with --format: {', '.join(FORMATS)}.",
    )


def _members(line: str) -> frozenset[str]:
    """The names of the members if the line is a JSON object."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return frozenset()
    return frozenset(members(value))
