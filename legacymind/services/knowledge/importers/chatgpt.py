"""ChatGPT's data export: ``conversations.json``, a list of conversations.

``mapping`` of a conversation has its messages by id, each with its parent. An edited prompt and its earlier
form have the same parent, as have several answers to one prompt; all are read, in order of time. The texts
of users and assistants become thoughts; system prompts, hidden messages, tool calls and their results do not.
A conversation is a session with its id.
"""

import heapq
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final, cast

from legacymind.services.knowledge.importers.chat import author_of, moment, text_of
from legacymind.services.knowledge.importers.jsonl import documents, members
from legacymind.services.knowledge.importers.records import (
    Fault,
    ReadLine,
    Record,
    SkippedMessage,
    SourceFile,
    record,
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
                for found in _conversation(members(conversation), file):
                    yield (
                        place,
                        Fault(f"conversation {number}: {found}") if isinstance(found, Fault) else found,
                    )


def _conversation(
    conversation: dict[str, Any], file: SourceFile
) -> Iterator[Record | Fault | SkippedMessage]:
    """The thoughts of a conversation in order of time, and why its other messages are none."""
    nodes = {key: members(node) for key, node in members(conversation.get("mapping")).items()}
    session_id = conversation.get("conversation_id") or conversation.get("id")
    if not nodes or not isinstance(session_id, str):
        yield Fault("it has no mapping or no id")
        return
    children: dict[str, list[str]] = {}
    for key, node in nodes.items():
        parent = node.get("parent")
        children.setdefault(parent if isinstance(parent, str) and parent in nodes else "", []).append(key)
    # Messages wait for their parents and are taken in order of time; one without a time has its parent's.
    # ``above`` is the nearest thought above a message, ``followed`` has those that another one follows.
    time, key, above = _when(conversation, file.modified or datetime.now(UTC)), "", ""
    waiting: list[tuple[datetime, int, str, str]] = []
    order, followed = count(), set[str]()
    while True:
        for child in children.pop(key, []):
            when = _when(members(nodes[child].get("message")), time)
            heapq.heappush(waiting, (when, next(order), child, above))
        if not waiting:
            break
        time, _, key, above = heapq.heappop(waiting)
        message = members(nodes[key].get("message"))
        if not message:  # The root has none.
            continue
        try:
            if message.get("create_time") is not None:
                time = moment(message["create_time"])
            text, role = _text(message)
        except Fault as reason:
            yield Fault(f"message {key}: {reason}")
            continue
        except SkippedMessage as reason:
            yield reason
            continue
        own = f"{session_id}:{key}"
        yield record(
            "thought",
            id=own,
            session_id=session_id,
            author=role,
            content=text,
            created_at=time,
            branch_from=above if above in followed else None,
        )
        followed |= {above} - {""}
        above = own
    for cyclic in (key for keys in children.values() for key in keys):
        yield Fault(f"message {cyclic}: its parents form a cycle")


def _when(fields: dict[str, Any], default: datetime) -> datetime:
    time = fields.get("create_time")
    try:
        return default if time is None else moment(time)
    except Fault:
        return default


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
