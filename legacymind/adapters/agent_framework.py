"""Microsoft Agent Framework: ``MindContextProvider`` recalls before a run and stores what was said."""

# pyright: basic, reportMissingImports=false, reportGeneralTypeIssues=false, reportCallIssue=false
# pyright: reportAttributeAccessIssue=false
from typing import Any

from agent_framework import ContextProvider, Message

from legacymind import Mind
from legacymind.adapters import conversations
from legacymind.adapters.conversations import Conversation
from legacymind.adapters.loops import HomeLoop


class MindContextProvider(ContextProvider):
    """Memory of an agent: each session of the framework is a session of LegacyMind.

    Before a run, what the input brings to mind is added as a message, set off as data. After it, the input
    and the response are stored.
    """

    def __init__(self, mind: Mind, source_id: str = "legacymind") -> None:
        super().__init__(source_id)
        self._mind = mind
        self._home = HomeLoop()

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Add memories of other sessions and of knowledge."""
        text = "\n".join(message.text for message in context.input_messages if message.text)
        found = await self._home.run(self._conversation(context, session).recall(text))
        if found is not None:
            context.extend_messages(self, [Message("user", [found])])

    async def after_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Store the messages of the run."""
        response = context.response.messages if context.response else ()
        name = getattr(agent, "name", None) or "assistant"
        said = [_message(message, name) for message in (*context.input_messages, *response) if message.text]
        await self._home.run(self._conversation(context, session).add(said))

    def _conversation(self, context: Any, session: Any) -> Conversation:
        return Conversation(self._mind, context.session_id or session.session_id, _plain)


def _message(message: Message, agent: str) -> conversations.Message:
    author = agent if message.role == "assistant" else str(message.role)
    return conversations.Message(message.text, author, _plain(author, message.text), message.message_id)


def _plain(author: str, text: str) -> dict[str, Any]:
    return {"author": author, "text": text}
