"""Pydantic AI: ``MindCapability`` recalls before a run, stores its messages and has tools."""

from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai import AgentRunResult, FunctionToolset, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelRequest, UserPromptPart
from pydantic_ai.models import ModelRequestContext

from legacymind import EntityInput, Mind, ObservationInput
from legacymind.adapters.conversations import AGENT, Conversation, Message, agent_says, text_of
from legacymind.adapters.loops import HomeLoop
from legacymind.adapters.texts import recalled


class MindToolset(FunctionToolset[Any]):
    """Tools over a Mind: ``recall``, ``think`` and ``remember``."""

    def __init__(
        self, mind: Mind, session_id: str, *, author: str = "assistant", home: HomeLoop | None = None
    ) -> None:
        home = home or HomeLoop()

        async def recall(query: str) -> str:
            """Find what the memory has about something."""
            found = await home.run(mind.recall(query, injection_scale=4))
            return recalled(found.memories) or "Nothing related was found."

        async def think(content: str) -> str:
            """Store a thought, a conclusion or a plan, and read what it brings to mind."""
            result = await home.run(agent_says(mind, content, session_id, author))
            return recalled(result.memories) or "Stored. It brings nothing to mind."

        async def remember(entity: str, fact: str) -> str:
            """Store a fact about a person, a place or a thing."""
            result = await home.run(
                mind.remember(
                    entities=[EntityInput(name=entity)],
                    observations=[ObservationInput(entity=entity, content=fact)],
                    origin=AGENT,
                )
            )
            return "Stored." if result.created else "This was known."

        super().__init__([recall, think, remember], id="legacymind")


@dataclass
class MindCapability(AbstractCapability[Any]):
    """Memory of an agent in one session.

    Before a run, what the prompt brings to mind is added to the request as data. After it, each message is
    stored as a thought. ``history`` returns them for ``message_history``.
    """

    mind: Mind
    session_id: str
    _home: HomeLoop = field(default_factory=HomeLoop, repr=False)
    _found: str | None = field(default=None, repr=False)

    def get_toolset(self) -> MindToolset:
        """The tools."""
        return MindToolset(self.mind, self.session_id, home=self._home)

    async def for_run(self, ctx: RunContext[Any]) -> "MindCapability":
        """Recall for the prompt of a run."""
        prompt = ctx.prompt if isinstance(ctx.prompt, str) else text_of(list(ctx.prompt or ()))
        return replace(self, _found=await self._home.run(self._conversation.recall(prompt)))

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Add what was recalled to this request, but not to the history."""
        if self._found is None:
            return request_context
        memories = ModelRequest([UserPromptPart(self._found)])
        return replace(request_context, messages=[memories, *request_context.messages])

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Store the messages of the run, once for each run."""
        agent = (ctx.agent and ctx.agent.name) or "assistant"
        messages = [
            _message(message, agent, f"{ctx.run_id} {number}" if ctx.run_id else None)
            for number, message in enumerate(result.new_messages())
        ]
        await self._home.run(self._conversation.add(messages))
        return result

    async def history(self) -> list[ModelMessage]:
        """The messages of the session, the oldest first."""
        said = await self._home.run(self._conversation.read())
        return ModelMessagesTypeAdapter.validate_python([one.data for one in said])

    @property
    def _conversation(self) -> Conversation:
        return Conversation(self.mind, self.session_id, lambda author, text: {})


def _message(message: ModelMessage, agent: str, id: str | None) -> Message:
    data: dict[str, Any] = ModelMessagesTypeAdapter.dump_python([message], mode="json")[0]
    parts: list[dict[str, Any]] = data["parts"]
    asked = any(part["part_kind"] == "user-prompt" for part in parts)
    texts = [
        text_of(part.get("content")) or str(part.get("tool_name") or "")
        for part in parts
        if part["part_kind"] not in ("system-prompt", "thinking")
    ]
    author = agent if data["kind"] == "response" else "user" if asked else "tool"
    return Message("\n".join(filter(None, texts)), author, data, id)
