"""Messages of a framework as the thoughts of a session, and back without loss."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, cast

from legacymind import Conflict, Mind, NotFound, ThinkResult, ThoughtInput
from legacymind.adapters.texts import data_of, recalled, with_data

MESSAGE: Final = "message"
"""Type of the thoughts of messages; a session may have others, which are no messages."""

_BATCH: Final = 100
_TOOLS: Final = frozenset(("tool", "function"))
"""Authors of messages that are the output of tools."""

AGENT: Final = "agent"
"""The origin of what an agent says."""

_SCALE: Final = 4
"""The scale of recall before a model call: of any time."""


class Message(NamedTuple):
    """A message: its text, who said it, all of it as JSON, and the id of the framework, if it has one.

    A message with an id is stored once, however often it is added.
    """

    text: str
    author: str
    data: dict[str, Any]
    id: str | None = None


class Said(NamedTuple):
    """A stored message: the id of its thought, and its JSON."""

    thought_id: str
    data: dict[str, Any]


class Conversation:
    """The messages of a session. ``plain`` makes the JSON of a message that is only an author and a text."""

    def __init__(
        self,
        mind: Mind,
        session_id: str,
        plain: Callable[[str, str], dict[str, Any]],
        *,
        chain_id: str | None = None,
    ) -> None:
        self._mind = mind
        self._session = session_id
        self._plain = plain
        self._chain = chain_id

    async def add(self, messages: Sequence[Message], *, again: bool = True) -> None:
        """Store messages; each follows the one before, and recalls what it brings to mind.

        A message with the id of one that was redacted, or had another text, is new; without ``again`` it is
        left out.
        """
        thoughts = [self._thought(message) for message in messages]
        for start in range(0, len(thoughts), _BATCH):
            batch = thoughts[start : start + _BATCH]
            try:
                await self._mind.think_batch(batch, session_id=self._session)
            except Conflict:
                await self._add_each(batch, again=again)

    async def read(self) -> list[Said]:
        """All messages, the oldest first."""
        said = list[Said]()
        try:
            async for step in self._mind.export_chain(self._session):
                content = step.get("content")
                if step.get("thought_type") == MESSAGE and content is not None:
                    data = data_of(content) or self._plain(step.get("author") or "", content)
                    said.append(Said(step["id"], data))
        except NotFound:  # nothing was said yet
            return []
        return said

    async def forget_last(self) -> dict[str, Any] | None:
        """Redact the latest message, and return it; None if there is none."""
        said = await self.read()
        if not said:
            return None
        await self._mind.forget(id=said[-1].thought_id, confirm=True, reason="taken back")
        return said[-1].data

    async def forget(self) -> None:
        """Redact all messages."""
        for one in await self.read():
            await self._mind.forget(id=one.thought_id, confirm=True, reason="cleared")

    async def recall(self, text: str) -> str | None:
        """What a text brings to mind of other sessions and of knowledge, set off as data; None if nothing."""
        if not text.strip():
            return None
        found = await self._mind.recall(text, injection_scale=_SCALE)
        own = {said.thought_id for said in await self.read()} if found.memories else set[str]()
        return recalled([memory for memory in found.memories if memory.id not in own])

    async def _add_each(self, thoughts: Sequence[ThoughtInput], *, again: bool) -> None:
        for thought in thoughts:
            try:
                await self._mind.think_batch([thought], session_id=self._session)
            except Conflict:
                if again:
                    new: ThoughtInput = {**thought, "idempotency_key": None}
                    await self._mind.think_batch([new], session_id=self._session)

    def _thought(self, message: Message) -> ThoughtInput:
        text, author, data, id = message
        is_plain = bool(text.strip()) and data_of(text) is None and self._plain(author, text) == data
        return {
            "content": text if is_plain else with_data(text, data),
            "author": author,
            "origin": "tool" if author in _TOOLS else AGENT,
            "hint": None if is_plain else "question",  # a conversational mode: the JSON is not embedded
            "thought_type": MESSAGE,
            "chain_id": self._chain,
            "idempotency_key": id and f"{self._session} {id}",
        }


async def agent_says(mind: Mind, content: str, session_id: str, author: str = "assistant") -> ThinkResult:
    """Store what an agent says as a thought."""
    return await mind.think(content, session_id=session_id, author=author, origin=AGENT)


def text_of(content: Any) -> str:
    """The text of a message whose content is a text, or a list of parts of which some have a text."""
    if isinstance(content, str):
        return content
    parts = cast("list[Any]", content) if isinstance(content, list) else []
    texts = [part if isinstance(part, str) else _text_of_part(part) for part in parts]
    return "\n".join(filter(None, texts))


def _text_of_part(part: Any) -> str:
    text = cast("dict[str, Any]", part).get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""
