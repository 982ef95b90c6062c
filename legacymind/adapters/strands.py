"""Strands Agents: ``MindMemoryStore``, a store of the memory manager."""

# pyright: basic, reportMissingImports=false
from typing import Any

from strands.memory.types import AddMessagesContext, MemoryEntry, MemoryStore, SearchOptions

from legacymind import Mind
from legacymind.adapters.conversations import Conversation, Message, agent_says, text_of
from legacymind.adapters.loops import HomeLoop
from legacymind.adapters.texts import shown


class MindMemoryStore(MemoryStore):
    """Searches thoughts, entities and facts, and stores what the agent and its messages say."""

    def __init__(
        self,
        mind: Mind,
        session_id: str,
        *,
        name: str = "legacymind",
        description: str | None = "Everything that was thought and learned before.",
        max_search_results: int | None = 5,
        extraction: Any = True,
    ) -> None:
        self.name = name
        self.description = description
        self.max_search_results = max_search_results
        self.writable = True
        self.extraction = extraction
        self._mind = mind
        self._session = session_id
        self._home = HomeLoop()

    async def search(self, query: str, options: SearchOptions | None = None) -> list[MemoryEntry]:
        """Find memories, the most relevant first."""
        limit = (options or {}).get("max_search_results") or self.max_search_results or 5
        found = await self._home.run(self._mind.search(query, limit=limit, max_tokens=1_000 * limit))
        return [
            MemoryEntry(content=shown(hit.text), metadata={"id": hit.id, "author": hit.author or ""})
            for hit in found.hits
        ]

    async def add(self, content: str, metadata: Any = None) -> Any:
        """Store a text as a thought."""
        result = await self._home.run(agent_says(self._mind, content, self._session))
        return result.delegated_result.thought_id

    async def add_messages(self, messages: list[Any], context: AddMessagesContext | None = None) -> Any:
        """Store messages, each as a thought."""
        said = [(message["role"], text_of(list(message["content"]))) for message in messages]
        conversation = Conversation(self._mind, self._session, _plain)
        await self._home.run(
            conversation.add([Message(text, role, _plain(role, text)) for role, text in said if text])
        )


def _plain(author: str, text: str) -> dict[str, Any]:
    return {"role": author, "content": text}
