"""Messages in the forms of OpenAI, Anthropic, Gemini and LangChain: a list, an object, or a line each.

The messages of users and assistants become thoughts; system prompts, tool calls and their results do not. A
conversation is a session with the name of its file, and on several lines with the number of its line.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, Final, cast

from legacymind.services.knowledge.importers.chat import ChatOrder, author_of, moment, said, text_of
from legacymind.services.knowledge.importers.jsonl import documents, members
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    SkippedMessage,
    SourceFile,
    ThoughtLine,
)

_TIMES: Final = ("created_at", "timestamp", "create_time")


def read(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read the conversations of files."""
    for file in files:
        name = str(PurePosixPath(file.label or file.name).with_suffix(""))
        messages: list[tuple[LineNumber, Any]] = []
        for place, value, alone in documents(file):
            if isinstance(value, Fault):
                yield place, value
            elif members(value).keys() & {"role", "type"}:  # A message on each line.
                messages.append((place, value))
            else:
                own = _messages(value)
                if own is None:
                    yield place, Fault("it is neither a list of messages nor an object with messages")
                else:
                    found = [(place, message) for message in own]
                    yield from _conversation(found, name if alone else f"{name}-{place.line}", file)
        yield from _conversation(messages, name, file)


def _messages(value: Any) -> list[Any] | None:
    fields = members(value)
    messages = fields.get("messages", fields.get("contents", value))
    return cast("list[Any]", messages) if isinstance(messages, list) else None


def _conversation(
    messages: Sequence[tuple[LineNumber, Any]], session_id: str, file: SourceFile
) -> Iterator[ReadLine]:
    order = ChatOrder(file.modified, messages)
    for index, (place, message) in enumerate(messages):
        try:
            found = _message(message, index, session_id, order)
        except Fault as reason:
            yield place, Fault(f"message {index + 1}: {reason}")
        except SkippedMessage as reason:
            yield place, reason
        else:
            yield place, found


def _message(message: Any, index: int, session_id: str, order: ChatOrder) -> ThoughtLine:
    """The thought of a message. Raises Fault and SkippedMessage."""
    fields = members(message)
    if "role" not in fields and isinstance(fields.get("type"), str):  # LangChain's messages
        fields = {**fields, **members(fields.get("data")), "role": fields["type"]}
    role = author_of(fields.get("role"))
    text = text_of(fields.get("content", fields.get("parts")))
    name = fields.get("name")
    author = name if isinstance(name, str) and name.strip() else role
    time = next((fields[key] for key in _TIMES if fields.get(key) is not None), None)
    return said(
        order.key(session_id, author, text),
        session_id,
        author,
        text,
        order.time(index) if time is None else moment(time),
        human=role == "user",
    )
