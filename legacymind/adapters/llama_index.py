"""LlamaIndex: ``MindMemoryBlock``, a block of long-term memory."""

# pyright: basic, reportMissingImports=false
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field, PrivateAttr

from legacymind import Mind
from legacymind.adapters.conversations import Conversation, Message
from legacymind.adapters.loops import HomeLoop


class MindMemoryBlock(BaseMemoryBlock[str]):
    """Stores the messages that leave the short-term memory, and recalls for the last message."""

    name: str = "legacymind"
    mind: Mind = Field(exclude=True)
    session_id: str
    _home: HomeLoop = PrivateAttr(default_factory=HomeLoop)

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = [message.content for message in messages or () if message.role.value == "user"]
        if not asked or not asked[-1]:
            return ""
        return await self._home.run(self._recall(asked[-1], {message.content for message in messages or ()}))

    async def _aput(self, messages: list[ChatMessage]) -> None:
        conversation = Conversation(self.mind, self.session_id, _plain)
        await self._home.run(conversation.add([_message(one) for one in messages if one.content]))

    async def _recall(self, text: str, known: set[str | None]) -> str:
        from legacymind.adapters.texts import recalled

        found = await self.mind.recall(text, injection_scale=4)
        return recalled([memory for memory in found.memories if memory.text not in known]) or ""


def _message(message: ChatMessage) -> Message:
    author, text = message.role.value, message.content or ""
    return Message(text, author, _plain(author, text), message.additional_kwargs.get("id"))


def _plain(author: str, text: str) -> dict[str, Any]:
    return {"role": author, "content": text}
