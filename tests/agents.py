"""An MCP server over a mind that is open already, for a client in the same process."""

from collections.abc import Mapping
from typing import Any

from mcp.server.lowlevel import Server

from legacymind.doors.mcp import chatgpt
from legacymind.doors.mcp.readiness import ServerContext
from legacymind.doors.mcp.server import Listing, describe, serve
from legacymind.mind import Mind
from legacymind.operations.registry import Operation


def build_server(mind: Mind, listing: Listing = "core") -> Server[Any]:
    """An MCP server for the mind's operations: those in the ``core`` profile, or all with ``full``."""

    async def operations(context: ServerContext) -> Mapping[str, Operation]:
        return mind.operations

    tools = chatgpt.TOOLS if listing == "chatgpt" else describe(mind.operations.values(), listing)
    return serve(listing, tools, operations)
