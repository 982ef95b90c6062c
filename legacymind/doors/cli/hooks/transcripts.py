"""What a coding agent's transcript says: the task, the last answer, and which commands were mended.

A transcript is one JSON object, or one on each line. Claude Code, Cursor, Codex and Gemini CLI write one; its
format is theirs and may change. What is not recognised is left out.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, cast

_LARGEST: Final = 256 * 1024 * 1024
"""Bytes of a transcript that is read; a longer one says nothing."""

_USERS: Final = ("user", "human")
_ASSISTANTS: Final = ("assistant", "gemini", "model", "agent")
_COMMANDS: Final = (
    "<command-", "<local-command-", "<bash-", "<system", "[Request interrupted", "Caveat:",
    "<environment_context>", "<user_instructions>", "# AGENTS.md", "<session_context>", "<state_snapshot>",
)  # fmt: skip
"""Beginnings of what a client writes in the user's name."""

_MENDED: Final = 3
"""Failures that one conclusion solves."""

_CONTEXT: Final = "<hook_context>", "</hook_context>"
"""What Gemini CLI puts before a prompt and after it: the answers of our own hooks."""


def last_turn(transcript: str | None) -> tuple[str, str]:
    """The last text of the user and the last one of the agent in a transcript; blank if there is none."""
    lines = _messages(transcript)
    asked = (without_context(text).strip() for role, text in _said(reversed(lines)) if role in _USERS)
    task = next((text for text in asked if text and not is_clients(text)), "")
    return task, next((text for role, text in _said(reversed(lines)) if role in _ASSISTANTS), "")


def is_clients(text: str) -> bool:
    """Whether a client wrote a text in the user's name."""
    return text.startswith(_COMMANDS)


def mended(transcript: str | None) -> list[str]:
    """The ids of calls that failed and whose command succeeded later, in the last turn; at most three.

    Only Claude Code's transcripts say whether a command failed.
    """
    commands: dict[str, str] = {}
    failed: dict[str, list[str]] = {}
    found: list[str] = []
    for line in _messages(transcript):
        value = members(_parsed(line) if isinstance(line, str) else line)
        content = members(value.get("message")).get("content")
        if isinstance(content, str) and value.get("type") in _USERS and not value.get("isMeta"):
            found = []  # a turn begins
        for part in map(members, cast("list[Any]", content) if isinstance(content, list) else []):
            command, call = members(part.get("input")).get("command"), str(part.get("tool_use_id"))
            if part.get("type") == "tool_use" and isinstance(command, str):
                commands[str(part.get("id"))] = command
            elif part.get("type") == "tool_result" and call in commands:
                if part.get("is_error") is True:
                    failed.setdefault(commands[call], []).append(call)
                else:
                    found += failed.pop(commands[call], [])
    return found[-_MENDED:]


def members(value: object) -> dict[str, Any]:
    """Return the members of a JSON object; none for any other value."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _messages(transcript: str | None) -> list[Any]:
    """The messages of one JSON object, or the lines of a file; none if it cannot be read."""
    try:
        file = Path(transcript or "").expanduser()
        text = file.read_text("utf-8", "replace") if file.stat().st_size <= _LARGEST else ""
    except (OSError, RuntimeError):  # RuntimeError: no home
        return []
    whole = members(_parsed(text))
    return whole.get("messages", [whole]) if whole else text.split("\n")


def _said(lines: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """The role and the text of each message."""
    for line in lines:
        value = members(_parsed(line) if isinstance(line, str) else line)
        if value.get("isMeta") or value.get("isSidechain") or value.get("isCompactSummary"):
            continue
        inner = value.get("message") or value.get("payload")
        message = members(inner) or value
        role = message.get("role") or value.get("role") or value.get("type")
        if isinstance(role, str) and (text := _text(message.get("content"))):
            yield role, text


def _parsed(text: str) -> Any:
    """The value of a JSON text; None if it is blank, or the client is still writing it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _text(content: object) -> str:
    """A text, or the texts of the parts of a message; tool calls and results have none."""
    parts: list[Any] = cast("list[Any]", content) if isinstance(content, list) else [content]
    texts = [
        each.get("text") if str(each.get("type", "text")).endswith("text") else None
        for each in (members(part) or {"text": part} for part in parts)
    ]
    return "\n\n".join(text.strip() for text in texts if isinstance(text, str) and text.strip())


def without_context(text: str) -> str:
    """A text without what other hooks added to it between tags."""
    begin, end = _CONTEXT
    kept: list[str] = []
    for n, part in enumerate(text.split(begin)):
        told, closed, rest = part.partition(end)
        kept.append(part if n == 0 else rest.lstrip() if closed else f"{begin}{told}")
    return "".join(kept)
