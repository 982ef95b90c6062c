"""Google ADK: ``MindMemoryService``, the memory of the sessions of a user in an app."""

# pyright: basic, reportMissingImports=false
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

from legacymind import Hit, Mind, NotFound
from legacymind.adapters.conversations import Conversation, Message
from legacymind.adapters.loops import HomeLoop
from legacymind.adapters.texts import shown


class MindMemoryService(BaseMemoryService):
    """Keeps the events of sessions as thoughts, and searches those of one user in one app.

    An event is stored once, however often its session is added, and one that was deleted stays so.
    """

    def __init__(self, mind: Mind, *, limit: int = 10) -> None:
        self._mind = mind
        self._limit = limit
        self._home = HomeLoop()

    async def add_session_to_memory(self, session: Session) -> None:
        """Store the events of a session that have a text."""
        await self._add(session.app_name, session.user_id, session.id, session.events)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Store some events of a session."""
        await self._add(app_name, user_id, session_id or "", events)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Store texts of no session."""
        messages = [_message(each.content, each.author, getattr(each, "id", None)) for each in memories]
        await self._store(app_name, user_id, "", messages)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Find what was said in the sessions of a user in an app, the most relevant first."""
        found = await self._home.run(
            self._mind.search(
                query,
                limit=self._limit,
                order="relevance",
                max_tokens=1_000 * self._limit,
                chain_id=_scope(app_name, user_id),
            )
        )
        return SearchMemoryResponse(memories=list(map(_entry, found.hits)))

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Redact a memory of this user in this app. Raises NotFound for one of another user."""
        await self._home.run(self._delete(_scope(app_name, user_id), memory_id or ""))

    async def _delete(self, scope: str, id: str) -> None:
        thought = (await self._mind.get(id)).thought
        if thought is None or thought.chain_id != scope:
            raise NotFound(f"This user has no memory {id} in this app.", effect="Nothing was deleted.")
        await self._mind.forget(id=id, confirm=True, reason="deleted")

    async def _add(self, app: str, user: str, session: str, events: Sequence[Event]) -> None:
        messages = [_message(event.content, event.author, event.id) for event in events if event.content]
        await self._store(app, user, session, messages)

    async def _store(self, app: str, user: str, session: str, messages: Sequence[Message]) -> None:
        scope = _scope(app, user)
        conversation = Conversation(self._mind, f"{scope}/{quote(session, safe='')}", _plain, chain_id=scope)
        said = [message for message in messages if message.text.strip()]
        await self._home.run(conversation.add(said, again=False))


def _scope(app: str, user: str) -> str:
    return f"adk:{quote(app, safe='')}/{quote(user, safe='')}"


def _message(content: types.Content, author: str | None, id: str | None) -> Message:
    text = "\n".join(part.text for part in content.parts or () if part.text)
    author = author or content.role or "user"
    return Message(text, author, _plain(author, text), id or None)


def _plain(author: str, text: str) -> dict[str, Any]:
    return {"author": author, "text": text}


def _entry(hit: Hit) -> MemoryEntry:
    content = types.Content(role="user", parts=[types.Part(text=shown(hit.text))])
    at = hit.created_at.isoformat() if hit.created_at else None
    return MemoryEntry(content=content, id=hit.id, author=hit.author, timestamp=at)
