"""OpenAI Agents SDK: ``MindSession``, a session of an agent as a session of LegacyMind."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from agents.items import TResponseInputItem
from agents.run import CallModelData, ModelInputData

from legacymind import Mind
from legacymind.adapters.conversations import Conversation, Message, text_of
from legacymind.adapters.loops import HomeLoop

if TYPE_CHECKING:
    from agents.memory.session_settings import SessionSettings

_NO_ID: Final = "__fake_id__"
"""The id of all items of models that give none."""


class MindSession:
    """The items of a session, each a thought that recalls what it brings to mind.

    ``recall`` as ``call_model_input_filter`` of a ``RunConfig`` adds what the last message of the user brings
    to mind.
    """

    def __init__(
        self, mind: Mind, session_id: str, session_settings: "SessionSettings | None" = None
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._conversation = Conversation(mind, session_id, _plain)
        self._home = HomeLoop()

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The items, the oldest first; with ``limit``, the latest ones."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        said = await self._home.run(self._conversation.read())
        kept = said if limit is None else said[-limit:] if limit > 0 else []
        return [cast("TResponseInputItem", one.data) for one in kept]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Store items, all or none up to a hundred; an item with an id is stored once."""
        await self._home.run(
            self._conversation.add([_message(cast("dict[str, Any]", item)) for item in items])
        )

    async def pop_item(self) -> TResponseInputItem | None:
        """Redact the latest item, and return it."""
        return cast("TResponseInputItem | None", await self._home.run(self._conversation.forget_last()))

    async def clear_session(self) -> None:
        """Redact all items; the chain of the session stays."""
        await self._home.run(self._conversation.forget())

    async def recall(self, data: CallModelData[Any]) -> ModelInputData:
        """Add what the last message of the user brings to mind, set off as data, before that message."""
        sent = data.model_data
        asked = [n for n, item in enumerate(sent.input) if cast("dict[str, Any]", item).get("role") == "user"]
        if not asked:
            return sent
        text = text_of(cast("dict[str, Any]", sent.input[asked[-1]]).get("content"))
        found = await self._home.run(self._conversation.recall(text))
        if found is None:
            return sent
        memories = cast("TResponseInputItem", {"role": "user", "content": found})
        return replace(sent, input=[*sent.input[: asked[-1]], memories, *sent.input[asked[-1] :]])


def _message(item: dict[str, Any]) -> Message:
    author = str(item.get("role") or item.get("type") or "item")
    text = text_of(item.get("content")) or text_of(item.get("output")) or str(item.get("name") or "")
    id = item.get("id")
    return Message(text, author, item, None if id == _NO_ID else id)


def _plain(author: str, text: str) -> dict[str, Any]:
    return {"role": author, "content": text}
