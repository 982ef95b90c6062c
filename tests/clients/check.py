"""Lists and calls the tools with clients in Python, and converts their schemas; see README.md."""

# pyright: basic, reportMissingImports=false, reportArgumentType=false, reportAttributeAccessIssue=false

import asyncio
import os
import sys

from agents.mcp import MCPServerStdio, MCPUtil
from anthropic.lib.tools.mcp import async_mcp_tool
from google.genai._mcp_utils import mcp_to_gemini_tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_mcp_adapters.client import MultiServerMCPClient
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PROGRAM = sys.argv[1]
ENV = {**os.environ, "LEGACYMIND_NAMESPACE": "clients"}
PATIENCE = 120
"""Seconds, for a cold engine."""


async def openai_agents(profile: str, search: str) -> None:
    """OpenAI Agents SDK, in strict mode."""
    parameters = {"command": PROGRAM, "args": ["mcp", "--profile", profile], "env": ENV}
    async with MCPServerStdio(params=parameters, client_session_timeout_seconds=PATIENCE) as server:
        for tool in await server.list_tools():
            made = MCPUtil.to_function_tool(tool, server, convert_schemas_to_strict=True)
            assert made.strict_json_schema, tool.name
        assert not (await server.call_tool(search, {"query": "kettle"})).isError


async def langchain(profile: str, search: str) -> None:
    """langchain-mcp-adapters, with OpenAI's strict tools."""
    server = {"transport": "stdio", "command": PROGRAM, "args": ["mcp", "--profile", profile], "env": ENV}
    tools = {tool.name: tool for tool in await MultiServerMCPClient({"legacymind": server}).get_tools()}
    for tool in tools.values():
        convert_to_openai_tool(tool, strict=True)
    assert "error" not in str(await tools[search].ainvoke({"query": "kettle"}))


async def gemini_and_anthropic(profile: str, search: str) -> None:
    """The converters of google-genai and anthropic, over version 1 of the MCP SDK."""
    server = StdioServerParameters(command=PROGRAM, args=["mcp", "--profile", profile], env=ENV)
    async with stdio_client(server) as (reads, writes), ClientSession(reads, writes) as session:
        await session.initialize()
        for tool in (await session.list_tools()).tools:
            mcp_to_gemini_tool(tool)
            async_mcp_tool(tool, session)
        result = await session.call_tool(search, {"query": "kettle"})
        assert not result.isError
        assert result.structuredContent


async def main() -> None:
    """Run all checks."""
    for profile in ("core", "full", "chatgpt"):
        for check in (openai_agents, langchain, gemini_and_anthropic):
            await check(profile, "search" if profile == "chatgpt" else "legacymind_search")
            print(f"{profile}: {check.__doc__}")


asyncio.run(main())
