"""ChatGPT's data export: ``conversations.json``, a list of conversations.

``mapping`` of a conversation has its messages by id, each with its parent. An edited prompt and its earlier
form have the same parent, as have several answers to one prompt; all are read, in order of time. The texts
of users and assistants become thoughts; system prompts, hidden messages, tool calls and their results do not.
A conversation is a session with its id.
"""

import heapq
import math
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final, cast

from legacymind.services.knowledge.importers.chat import author_of, moment, said, text_of
from legacymind.services.knowledge.importers.jsonl import documents, members
from legacymind.services.knowledge.importers.records import (
    Fault,
    ReadLine,
    Record,
    SkippedMessage,
    SourceFile,
)

_READ: Final = frozenset({"text", "multimodal_text"})
"""The types of content that somebody wrote; others are code, reasoning, quotations and instructions."""

_SPOKEN: Final = "audio_transcription"
"""The type of a part with the words of a spoken message."""


def read(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read the conversations of files."""
    for file in files:
        for place, value, _ in documents(file):
            if isinstance(value, Fault):
                yield place, value
                continue
            conversations: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [value]
            for number, conversation in enumerate(conversations, 1):
                try:
                    found = _conversation(members(conversation), file)
                except Fault as reason:
                    yield place, Fault(f"conversation {number}: {reason}")
                    continue
                for thought in found:
                    if isinstance(thought, Fault):
                        yield place, Fault(f"conversation {number}: {thought}")
                    else:
                        yield place, thought


def _conversation(conversation: dict[str, Any], file: SourceFile) -> list[Record | Fault | SkippedMessage]:
    """The thoughts of a conversation in order of time, and why its other messages are none. Raises Fault."""
    nodes = {key: members(node) for key, node in members(conversation.get("mapping")).items()}
    session_id = conversation.get("conversation_id") or conversation.get("id")
    if not nodes or not isinstance(session_id, str):
        raise Fault("it has no mapping or no id")
    begun = conversation.get("create_time")
    fallback = (file.modified or datetime.now(UTC)) if begun is None else moment(begun)
    times: dict[str, datetime] = {}
    branches: dict[str, str] = {}
    followed: set[str] = set()
    found: list[Record | Fault | SkippedMessage] = []
    # Messages without a time have that of their parent, which comes first. ``branches`` has the nearest
    # thought at or above each message, ``followed`` the thoughts that another one already follows.
    ordered = _in_order(nodes)
    for key in ordered:
        parent = nodes[key].get("parent")
        message = members(nodes[key].get("message"))
        before = branches.get(parent, "") if isinstance(parent, str) else ""
        branches[key] = before
        try:
            times[key] = _time(message, times.get(str(parent), fallback))
            if not message:  # The root has none.
                continue
            text, role = _text(message)
        except Fault as reason:
            times.setdefault(key, fallback)
            found.append(Fault(f"message {key}: {reason}"))
            continue
        except SkippedMessage as reason:
            found.append(reason)
            continue
        id = f"{session_id}:{key}"
        found.append(
            said(
                id,
                session_id,
                role,
                text,
                times[key],
                human=role == "user",
                branch_from=before if before in followed else None,
            )
        )
        if before:
            followed.add(before)
        branches[key] = id
    cyclic = nodes.keys() - {*ordered}
    return found + [Fault(f"message {key}: its parents form a cycle") for key in nodes if key in cyclic]


def _in_order(nodes: dict[str, dict[str, Any]]) -> list[str]:
    """The keys of the messages: each after its parent, else in order of time; without those of a cycle."""
    children: dict[str, list[str]] = {}
    for key, node in nodes.items():
        parent = node.get("parent")
        children.setdefault(parent if isinstance(parent, str) and parent in nodes else "", []).append(key)
    ordered: list[str] = []
    waiting: list[tuple[float, int, str]] = []
    key, reached = "", 0.0
    while True:
        for child in children.get(key, []):
            heapq.heappush(waiting, (_seconds(nodes[child], reached), len(ordered), child))
        if not waiting:
            return ordered
        reached, _, key = heapq.heappop(waiting)
        ordered.append(key)


def _seconds(node: dict[str, Any], default: float) -> float:
    time = members(node.get("message")).get("create_time")
    return float(time) if isinstance(time, int | float) and math.isfinite(time) else default


def _time(message: dict[str, Any], default: datetime) -> datetime:
    time = message.get("create_time")
    return default if time is None else moment(time)


def _text(message: dict[str, Any]) -> tuple[str, str]:
    """The text of a message, and the role of its author. Raises Fault and SkippedMessage."""
    role = author_of(members(message.get("author")).get("role"))
    content = members(message.get("content"))
    hidden = members(message.get("metadata")).get("is_visually_hidden_from_conversation") is True
    addressed = message.get("recipient", "all") in (None, "all")
    if hidden:
        raise SkippedMessage("hidden")
    if not addressed:
        raise SkippedMessage("tool call or result")
    if content.get("content_type", "text") not in _READ:
        raise SkippedMessage("without text")
    parts = content.get("parts")
    if isinstance(parts, list):
        parts = [
            fields.get("text") if (fields := members(part)).get("content_type") == _SPOKEN else part
            for part in cast("list[Any]", parts)
        ]
    return text_of(parts), role
