"""LangChain: ``MindRetriever`` finds memories as documents, ``MindChatHistory`` keeps messages."""

from collections.abc import Sequence
from typing import Any, Final, cast

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, message_to_dict, messages_from_dict
from langchain_core.retrievers import BaseRetriever
from pydantic import Field, PrivateAttr

from legacymind import Filters, Hit, Mind
from legacymind.adapters.conversations import Conversation, Message, text_of
from legacymind.adapters.loops import HomeLoop
from legacymind.adapters.texts import shown

_AUTHORS: Final = {"human": "user", "ai": "assistant"}
_SHOWN: Final = ("kind", "author", "session_id", "created_at", "score", "revised_by", "contradicted_by")


class MindRetriever(BaseRetriever):
    """Finds at most ``k`` thoughts, entities and facts; ``filters`` are those of ``Mind.search``."""

    mind: Mind
    k: int = 5
    filters: dict[str, Any] = Field(default_factory=dict[str, Any])
    _home: HomeLoop = PrivateAttr(default_factory=HomeLoop)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return self._home.wait(self._find(query, k))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return await self._home.run(self._find(query, k))

    async def _find(self, query: str, k: int | None) -> list[Document]:
        limit = self.k if k is None else k
        found = await self.mind.search(
            query, limit=limit, max_tokens=1_000 * limit, **cast("Filters", self.filters)
        )
        return [_document(hit) for hit in found.hits]


class MindChatHistory(BaseChatMessageHistory):
    """The messages of a session, each a thought that recalls what it brings to mind."""

    def __init__(self, mind: Mind, session_id: str) -> None:
        self._conversation = Conversation(mind, session_id, _plain)
        self._home = HomeLoop()

    @property
    def messages(self) -> list[BaseMessage]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """All messages, the oldest first."""
        return self._home.wait(self._read())

    async def aget_messages(self) -> list[BaseMessage]:
        """All messages, the oldest first."""
        return await self._home.run(self._read())

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Store messages; one with an ``id`` is stored once."""
        self._home.wait(self._conversation.add(list(map(_message, messages))))

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Store messages; one with an ``id`` is stored once."""
        await self._home.run(self._conversation.add(list(map(_message, messages))))

    def clear(self) -> None:
        """Redact all messages; the chain of the session stays."""
        self._home.wait(self._conversation.forget())

    async def aclear(self) -> None:
        """Redact all messages; the chain of the session stays."""
        await self._home.run(self._conversation.forget())

    async def _read(self) -> list[BaseMessage]:
        return messages_from_dict([said.data for said in await self._conversation.read()])


def _document(hit: Hit) -> Document:
    metadata = {name: value for name in _SHOWN if (value := getattr(hit, name)) is not None}
    return Document(id=hit.id, page_content=shown(hit.text), metadata=metadata)


def _message(message: BaseMessage) -> Message:
    author = message.name or _AUTHORS.get(message.type, message.type)
    return Message(text_of(message.content), author, message_to_dict(message), message.id)  # pyright: ignore[reportUnknownMemberType]


def _plain(author: str, text: str) -> dict[str, Any]:
    return message_to_dict(AIMessage(text) if author == "assistant" else HumanMessage(text))
