"""CrewAI: ``MindRecallTool`` and ``MindThinkTool``, tools of an agent."""

# pyright: basic, reportMissingImports=false
from crewai.tools import BaseTool
from pydantic import Field, PrivateAttr

from legacymind import Mind
from legacymind.adapters.conversations import agent_says
from legacymind.adapters.loops import HomeLoop
from legacymind.adapters.texts import recalled


class MindRecallTool(BaseTool):
    """Recalls what a text brings to mind."""

    name: str = "recall"
    description: str = "Find what the memory has about something."
    mind: Mind = Field(exclude=True)
    _home: HomeLoop = PrivateAttr(default_factory=HomeLoop)

    def _run(self, query: str) -> str:
        found = self._home.wait(self.mind.recall(query, injection_scale=4))
        return recalled(found.memories) or "Nothing related was found."


class MindThinkTool(BaseTool):
    """Stores a thought in a session, and recalls what it brings to mind."""

    name: str = "think"
    description: str = "Store a thought, a conclusion or a plan, and read what it brings to mind."
    mind: Mind = Field(exclude=True)
    session_id: str
    author: str = "crew"
    _home: HomeLoop = PrivateAttr(default_factory=HomeLoop)

    def _run(self, content: str) -> str:
        result = self._home.wait(agent_says(self.mind, content, self.session_id, self.author))
        return recalled(result.memories) or "Stored. It brings nothing to mind."
