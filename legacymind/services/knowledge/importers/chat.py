"""What the readers of chats share: messages become the thoughts of a session."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

from legacymind.model import values
from legacymind.services.knowledge.importers.jsonl import members
from legacymind.services.knowledge.importers.records import Fault, SkippedMessage


def author_of(role: object) -> str:
    """The author by the role of a message: "user" or "assistant".

    Raises SkippedMessage for the role of a prompt or a tool, and Fault for an unknown one.
    """
    if not isinstance(role, str):
        raise Fault("its role is missing")
    author = _AUTHORS.get(role.lower())
    if author is not None:
        return author
    if role.lower() in _UNWRITTEN:
        raise SkippedMessage(_UNWRITTEN[role.lower()])
    raise Fault(f"its role {role[:80]!r} is unknown")


_ROLES: Final = {
    "user": "user human",
    "assistant": "assistant ai model bot gpt chatgpt bard bing claude gemini aimessagechunk",
}
_UNSAID: Final = {
    "prompt": "system developer",
    "tool call or result": "tool function function_call observation",
}
_AUTHORS: Final = {role: author for author, roles in _ROLES.items() for role in roles.split()}
"""The authors by the roles that tools give their messages."""

_UNWRITTEN: Final = {role: reason for reason, roles in _UNSAID.items() for role in roles.split()}


def text_of(content: object) -> str:
    """The text of a message: its text, or its text parts joined.

    Raises SkippedMessage if it has none, as images, reasoning, tool calls and results have none, and Fault
    for another form.
    """
    text = _joined(content)
    if not text:
        raise SkippedMessage("without text")
    return text


def _joined(content: object) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, list):
        raise Fault("its content is neither text nor a list of parts")
    texts: list[str] = []
    for part in cast("list[Any]", content):
        value: Any = part
        if isinstance(part, dict):
            fields = members(cast("object", part))
            value = fields.get("text") if _is_text(fields) else None
            value = members(value).get("value", value)  # OpenAI's threads have {"text": {"value": "…"}}.
        if isinstance(value, str) and value.strip():
            texts.append(value.strip())
    return "\n\n".join(texts)


def _is_text(part: dict[str, Any]) -> bool:
    """Whether a part is text. Gemini's parts have no type, and mark reasoning as a thought."""
    return part.get("type") in (None, "text", "input_text", "output_text") and not part.get("thought")


def moment(value: object) -> datetime:
    """The time of a message. Raises Fault."""
    try:
        return values.moment(value)
    except ValueError as reason:
        raise Fault(f"its time {reason}") from None


class ChatOrder:
    """Ids and times of messages that have none.

    An id is made of the author and the text, and of how often the session has them before, so that the
    messages of a list that has grown, or lost its beginning, keep their ids. Without a time, a message is one
    millisecond older than the next one, and the last one as old as the file.
    """

    def __init__(self, modified: datetime | None, messages: Sequence[object]) -> None:
        self._last = modified or datetime.now(UTC)
        self._count = len(messages)
        self._seen: Counter[str] = Counter()

    def key(self, session_id: str, author: str, text: str) -> str:
        """The id of the next message of this author and text."""
        digest = hashlib.sha256(f"{author}\0{text}".encode(errors="replace")).hexdigest()[:32]
        self._seen[digest] += 1
        return f"{session_id}:{digest}:{self._seen[digest]}"

    def time(self, index: int) -> datetime:
        """The time of the message at this index."""
        return self._last - timedelta(milliseconds=self._count - 1 - index)
