"""What a coding agent's transcript says: the task, and the last answer.

A transcript is one JSON object, or one on each line. Claude Code, Cursor, Codex and Gemini CLI write one; its
format is theirs and may change. What is not recognised is left out.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

_HEAD: Final = 256 * 1024
"""Bytes read at the beginning of a transcript, for the task, and at its end, for the result."""

_LINE: Final = 16 * 1024 * 1024
"""Bytes in which the line begins that is read whole at the end: the last answer may be long."""

_USERS: Final = ("user", "human")
_ASSISTANTS: Final = ("assistant", "gemini", "model", "agent")
_COMMANDS: Final = (
    "<command-", "<local-command-", "<bash-", "<system", "[Request interrupted", "Caveat:",
    "<environment_context>", "<user_instructions>", "# AGENTS.md", "<session_context>", "<state_snapshot>",
)  # fmt: skip
"""Beginnings of what a client writes in the user's name."""

_CONTEXT: Final = "<hook_context>", "</hook_context>"
"""What Gemini CLI puts before a prompt and after it: the answers of our own hooks."""


def first_and_last(transcript: str | None) -> tuple[str, str]:
    """The first text of the user and the last one of the agent in a transcript; blank if there is none."""
    head, tail = _ends(transcript)
    said = list(_said(head))
    asked = (without_context(text).strip() for role, text in said if role in _USERS)
    task = next((text for text in asked if text and not text.startswith(_COMMANDS)), "")
    answers = [text for role, text in (*said, *_said(tail)) if role in _ASSISTANTS]
    return task, answers[-1] if answers else ""


def members(value: object) -> dict[str, Any]:
    """Return the members of a JSON object; none for any other value."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _ends(transcript: str | None) -> tuple[bytes, bytes]:
    """The beginning of a file, and what of its end is not in it; empty if the file cannot be read."""
    try:
        if not transcript:
            return b"", b""
        with Path(transcript).expanduser().open("rb") as file:
            head = file.read(_HEAD)
            size = file.seek(0, 2)
            if size > len(head):
                head = head[: head.rfind(b"\n") + 1]
            file.seek(max(len(head), size - _LINE))
            tail = file.read()
            return head, tail[tail.rfind(b"\n", 0, max(len(tail) - _HEAD, 0)) + 1 :]
    except (OSError, RuntimeError):  # RuntimeError: no home
        return b"", b""


def _said(content: bytes) -> Iterator[tuple[str, str]]:
    """The role and the text of each message of a transcript."""
    for value in _objects(content):
        if value.get("isMeta") or value.get("isSidechain") or value.get("isCompactSummary"):
            continue
        inner = value.get("message") or value.get("payload")
        message = members(inner) or value
        role = message.get("role") or value.get("role") or value.get("type")
        if isinstance(role, str) and (text := _text(message.get("content"))):
            yield role, text


def _objects(content: bytes) -> Iterator[dict[str, Any]]:
    """The objects of a transcript: the messages of one JSON object, or one on each line."""
    text = content.decode("utf-8", "replace")
    whole = _parsed(text)
    messages = [*map(_parsed, text.split("\n"))] if whole is None else members(whole).get("messages", [whole])
    if isinstance(messages, list):
        yield from filter(None, map(members, cast("list[Any]", messages)))


def _parsed(text: str) -> Any:
    """The value of a JSON text; None if it is blank, or was cut where the reading began or ended."""
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
