"""Messages in the forms of many tools: conversations as a list, an object, or on lines of their own.

The messages of users and assistants become thoughts; system prompts, tool calls and their results do not. A
conversation is a session with its id, which several conversations of one file have, or with the name of its
file. ``_ROLE``, ``_TEXT`` and ``_TIME`` name the members of a message in each tool's form.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, Final, cast

from legacymind.services.knowledge.importers.chat import ChatOrder, author_of, moment, text_of
from legacymind.services.knowledge.importers.jsonl import documents, members
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    Record,
    SkippedMessage,
    SourceFile,
    record,
)

_CONVERSATION: Final = ("messages", "chat_messages", "contents", "conversations")
"""The member with the messages of a conversation: OpenAI, Anthropic and Zep; claude.ai; Gemini; ShareGPT."""

_ROLE: Final = ("role_type", "role", "sender", "from", "type")
"""The member with the role: Zep before version 3, whose ``role`` is a name; most; claude.ai; ShareGPT;
LangChain."""

_TEXT: Final = ("content", "parts", "text", "value")
"""The member with the text: most; Gemini; claude.ai, where blocks are missing; ShareGPT."""

_TIME: Final = ("created_at", "timestamp", "create_time", "createdAt")


def read(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read the conversations of files."""
    for file in files:
        name = str(PurePosixPath(file.label or file.name).with_suffix(""))
        loose: list[tuple[LineNumber, Any]] = []
        for place, value, alone in documents(file):
            if isinstance(value, Fault):
                yield place, value
            elif _held(value) is None and members(value).keys() & {*_ROLE}:  # A message on each line.
                loose.append((place, value))
            else:
                yield from _document(place, value, name if alone else f"{name}-{place.line}", file)
        yield from _conversation(loose, name, file)


def _document(place: LineNumber, value: Any, name: str, file: SourceFile) -> Iterator[ReadLine]:
    """The messages of one conversation, or of each of a list."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    listed = any(_held(item) is not None for item in items)
    for number, item in enumerate(items if listed else [value], start=1):
        fields, own = members(item), _held(item)
        if own is None and listed:
            yield place, Fault(f"conversation {number} has no messages")
        elif own is None:
            yield place, Fault("it is neither a list of messages nor an object with messages")
        else:
            session_id, where = name, ""
            if listed:
                session_id, where = f"{name}-{fields.get('id') or number}", f"conversation {number}, "
            if "chat_messages" in fields and isinstance(fields.get("uuid"), str):
                session_id = fields[
                    "uuid"
                ]  # Those of claude.ai are unique, those of others in their file only.
            yield from _conversation([(place, message) for message in own], session_id, file, where)


def _conversation(
    messages: Sequence[tuple[LineNumber, Any]], session_id: str, file: SourceFile, where: str = ""
) -> Iterator[ReadLine]:
    """The thoughts of messages, and why others are none. ``where`` begins a fault."""
    order = ChatOrder(file.modified, messages)
    for index, (place, message) in enumerate(messages):
        try:
            yield place, _message(message, index, session_id, order)
        except Fault as reason:
            yield place, Fault(f"{where}message {index + 1}: {reason}")
        except SkippedMessage as reason:
            yield place, reason


def _held(value: Any) -> list[Any] | None:
    fields = members(value)
    held = next((fields[name] for name in _CONVERSATION if name in fields), value)
    return _with_answers(cast("list[Any]", held)) if isinstance(held, list) else None


def _with_answers(messages: list[Any]) -> list[Any]:
    """The messages, each with its ``children`` after it: LibreChat's answers."""
    found, waiting = list[Any](), messages[::-1]
    while waiting:
        found.append(waiting.pop())
        children = members(found[-1]).get("children")
        waiting += cast("list[Any]", children)[::-1] if isinstance(children, list) else []
    return found


def _message(message: Any, index: int, session_id: str, order: ChatOrder) -> Record:
    """The thought of a message. Raises Fault and SkippedMessage."""
    fields = members(message)
    key = next((name for name in _ROLE if name in fields), "role")
    by_user = fields.get("isCreatedByUser")  # LibreChat's sender is the name of a model.
    written = ("assistant", "user")[by_user] if isinstance(by_user, bool) else fields.get(key)
    role = author_of(written)
    if key == "type":
        fields = {**fields, **members(fields.get("data"))}
    name = fields.get("role" if key == "role_type" else "name")
    author = name if isinstance(name, str) and name.strip() else role
    text = _text(fields)
    time = next((fields[name] for name in _TIME if fields.get(name) is not None), None)
    return record(
        "thought",
        id=order.key(session_id, author, text),
        session_id=session_id,
        author=author,
        content=text,
        created_at=order.time(index) if time is None else moment(time),
    )


def _text(fields: dict[str, Any]) -> str:
    """The text of a message, else that of its attachments: claude.ai makes one of a long text.

    Raises Fault and SkippedMessage.
    """
    try:
        return text_of(next((fields[name] for name in _TEXT if fields.get(name)), None))
    except SkippedMessage:
        attachments = fields.get("attachments")
        if not isinstance(attachments, list):
            raise
        return text_of([members(one).get("extracted_content") for one in cast("list[Any]", attachments)])
