"""An agent with the core tools over MCP, which counts its calls and the tokens of their answers."""

import json
from dataclasses import dataclass, field
from typing import Any

from mcp import Client

from legacymind.operations.budget import tokens


@dataclass(slots=True)
class Agent:
    """An agent with the core tools, and what its calls cost."""

    client: Client
    calls: int = 0
    tokens: int = 0
    largest: dict[str, int] = field(default_factory=dict[str, int])

    async def use(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The answer of a tool; that of a refused call has ``error``."""
        answer = await self.client.call_tool(tool, arguments)
        text = "".join(getattr(part, "text", "") for part in answer.content)
        self.calls += 1
        self.tokens += (size := tokens(text))
        if not arguments.keys() - {"content", "query", "session_id"}:
            self.largest[tool] = max(self.largest.get(tool, 0), size)
        return json.loads(text)

    async def think(self, content: str, session: str, **options: Any) -> dict[str, Any]:
        """Think in a session; the answer."""
        return await self.use("legacymind_think", content=content, session_id=session, **options)

    async def texts(self, query: str, **options: Any) -> list[str]:
        """The texts of the hits of a search."""
        return [hit["text"] for hit in (await self.use("legacymind_search", query=query, **options))["hits"]]

    async def context(self, session: str, query: str | None = None) -> str:
        """The context of a session, as text."""
        asked = {"query": query} if query else {}
        return json.dumps(await self.use("legacymind_context", session_id=session, **asked))

    async def remember(self, entity: str, *facts: str, **options: Any) -> dict[str, Any]:
        """Store facts about an entity."""
        observations = [{"entity": entity, "content": fact, **options} for fact in facts]
        return await self.use("legacymind_remember", observations=observations)
