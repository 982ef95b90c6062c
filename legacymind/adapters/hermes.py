"""Hermes Agent: ``MindMemoryProvider``, its external memory."""

# pyright: basic, reportMissingImports=false
import json
from contextlib import suppress
from typing import Any, Final

from agent.memory_provider import MemoryProvider

from legacymind import Mind
from legacymind.adapters.conversations import Conversation, Message, agent_says
from legacymind.adapters.loops import HomeLoop
from legacymind.adapters.texts import recalled
from legacymind.errors import LegacyMindError

_RECALL: Final = "legacymind_recall"
_THINK: Final = "legacymind_think"


def _tool(name: str, description: str, argument: str) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]}
    return {"name": name, "description": description, "parameters": parameters}


class MindMemoryProvider(MemoryProvider):
    """Recalls before each turn, stores each completed turn and has two tools.

    A session of Hermes is a session of LegacyMind. Scheduled runs and subagents recall, and store nothing.
    """

    def __init__(self, mind: Mind | None = None) -> None:
        self._mind = mind or Mind()
        self._home = HomeLoop()
        self._session = ""
        self._user = "user"
        self._writes = True

    @property
    def name(self) -> str:
        """The value of ``memory.provider`` in Hermes' configuration."""
        return "legacymind"

    def is_available(self) -> bool:
        """Whether nothing is missing: the first call starts what it needs."""
        return True

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        """Begin a session, and warm up: Hermes waits for the first recall only a few seconds."""
        self._session = session_id
        self._user = kwargs.get("user_name") or "user"
        self._writes = kwargs.get("agent_context", "primary") == "primary"
        with suppress(LegacyMindError):  # the first call reports it
            self._home.wait(self._mind.warm_up())

    def on_session_switch(self, new_session_id: str, **kwargs: Any) -> None:
        """Continue in another session."""
        self._session = new_session_id

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """What the message of the user brings to mind; Hermes sets it off, too."""
        return self._home.wait(self._conversation(session_id).recall(query)) or ""

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: list[dict[str, Any]] | None = None,
    ) -> None:
        """Store what the user and the assistant said."""
        if self._writes:
            turn = ((user_content, self._user), (assistant_content, "assistant"))
            said = [Message(text, author, _plain(author, text)) for text, author in turn]
            self._home.wait(self._conversation(session_id).add(said))

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """``legacymind_recall``, and ``legacymind_think`` where thoughts are stored."""
        recall = _tool(_RECALL, "Find what the memory has about something.", "query")
        what = "Store a thought, a conclusion or a plan, and read what it brings to mind."
        return [recall, _tool(_THINK, what, "content")] if self._writes else [recall]

    def handle_tool_call(self, tool_name: str, args: dict[str, Any], **kwargs: Any) -> str:
        """Run a tool; the result is JSON."""
        if tool_name == _RECALL:
            found = self._home.wait(self._mind.recall(args["query"], injection_scale=4)).memories
            nothing = "Nothing related was found."
        else:
            thought = agent_says(self._mind, args["content"], self._session)
            found = self._home.wait(thought).memories
            nothing = "Stored. It brings nothing to mind."
        return json.dumps({"result": recalled(found) or nothing}, ensure_ascii=False)

    def shutdown(self) -> None:
        """Close the connection."""
        self._home.wait(self._mind.close())

    def _conversation(self, session_id: str) -> Conversation:
        return Conversation(self._mind, session_id or self._session, _plain)


def _plain(author: str, text: str) -> dict[str, Any]:
    return {"author": author, "content": text}
