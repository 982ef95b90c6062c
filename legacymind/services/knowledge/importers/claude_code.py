"""Transcripts of Claude Code: one JSON object on each line, and a file for each session.

What users and assistants wrote becomes thoughts; thinking, tool calls and their results, commands and
summaries do not. A message that does not continue the last one, after the conversation was rewound, branches
from the one that it continues. A subagent's messages are a session of their own.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

from legacymind.services.knowledge.importers.chat import moment, text_of
from legacymind.services.knowledge.importers.jsonl import documents, members
from legacymind.services.knowledge.importers.records import (
    Fault,
    ReadLine,
    Record,
    SkippedMessage,
    SourceFile,
    record,
)

_HIDDEN: Final = ("isMeta", "isCompactSummary", "isApiErrorMessage")
_COMMANDS: Final = ("<command-", "<local-command-", "<bash-", "[Request interrupted")


def read(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read the sessions of files."""
    for file in files:
        conversation = _Conversation()
        for place, value, _ in documents(file):
            try:
                if isinstance(value, Fault):
                    raise value
                if not isinstance(value, dict):
                    raise Fault("it must be an object")
                thought = conversation.next(members(cast("object", value)))
            except (Fault, SkippedMessage) as reason:
                yield place, reason
                continue
            if thought is not None:
                yield place, thought


class _Conversation:
    """The tree of a file's messages: ``_message`` has, for each line, the nearest message at or above it."""

    def __init__(self) -> None:
        self._message: dict[str, str | None] = {}
        self._latest: dict[str, str] = {}

    def next(self, line: dict[str, Any]) -> Record | None:
        """The thought of a line, None if it is no message. Raises Fault and SkippedMessage."""
        own, parent = line.get("uuid"), line.get("parentUuid")
        above = self._message.get(parent) if isinstance(parent, str) else None
        if isinstance(own, str):
            self._message[own] = above
        if line.get("type") not in ("user", "assistant"):
            return None
        if any(line.get(flag) for flag in _HIDDEN):
            raise SkippedMessage("hidden")
        message = line.get("message")
        if not isinstance(own, str) or not isinstance(line.get("sessionId"), str):
            raise Fault("its uuid or sessionId is missing")
        if not members(message):
            raise Fault("its message is missing")
        text = text_of(members(message).get("content"))
        if text.startswith(_COMMANDS):
            raise SkippedMessage("command")
        session, role = _session(line), str(line["type"])
        latest = self._latest.get(session)
        thought = record(
            "thought",
            id=own,
            session_id=session,
            author=role,
            content=text,
            created_at=moment(line.get("timestamp")),
            chain_id=str(line["sessionId"]),
            branch_from=above if above != latest else None,
        )
        self._message[own] = self._latest[session] = own
        return thought


def _session(line: dict[str, Any]) -> str:
    if not line.get("isSidechain"):
        return str(line["sessionId"])
    return f"{line['sessionId']}/{line.get('agentId') or 'subagent'}"
