"""The operations as MCP tools.

A tool's input schema is the operation's, and only ``Operation.call`` judges arguments. A call always
answers: with the result as structured content and the same JSON as text, or with ``is_error`` and
the error envelope. ``legacymind.doors.mcp.stdio`` serves this over stdio.
"""

import json
from collections.abc import Awaitable, Callable, Iterable
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from legacymind.doors.answer import Envelope, compact, envelope, jsonable
from legacymind.errors import NotFound

if TYPE_CHECKING:  # not imported to list tools: see CATALOGUE
    from legacymind.mind import Mind
    from legacymind.operations.registry import Operation, Profile

NAME: Final = "legacymind"
INSTRUCTIONS: Final = (
    "A memory that outlives this conversation. Think into it with legacymind_think: every thought is stored, "
    "linked and brings related memories back. Look things up with legacymind_search, keep facts with "
    "legacymind_remember, follow how a thought came about with walk_trail. Thoughts are never changed."
)
CATALOGUE: Final = Path(__file__).with_name("tools.json")
"""The tools of each profile as ``tools/list`` sends them; written by ``legacymind.doors.export``.

Reading it takes a millisecond. Making it takes the services, and with them the database driver:
half of the second that an agent's client may wait for its tools.
"""

Context = ServerRequestContext[Any]
GetMind = Callable[[], Awaitable["Mind"]]
"""Where the mind comes from; may be slow the first time."""


def build_server(mind: "Mind", profile: "Profile" = "core") -> Server[Any]:
    """An MCP server of a mind's operations: those of the ``core`` profile, or with ``full`` all of them."""

    async def get_mind() -> "Mind":
        return mind

    return serve(describe(mind.operations.values(), profile), get_mind)


def serve(tools: list[types.Tool], get_mind: GetMind) -> Server[Any]:
    """An MCP server that lists ``tools`` at once and asks for the mind when one is called."""
    listed = types.ListToolsResult(tools=tools)
    names = [tool.name for tool in tools]

    async def list_tools(
        context: Context, parameters: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return listed

    async def call_tool(context: Context, parameters: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            if parameters.name not in names:
                raise NotFound(
                    f"There is no tool {parameters.name[:80]!r}.",
                    hint=f"Tools: {', '.join(names)}.",
                )
            operation = find((await get_mind()).operations.values(), parameters.name)
            result = jsonable(await operation.call(parameters.arguments or {}))
        except Exception as raised:  # every failure is an answer, or the agent waits for nothing
            return failure(envelope(raised))
        return types.CallToolResult(content=[_text(result)], structured_content=result)

    return Server(
        NAME,
        version=version(),
        title="LegacyMind",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def find(operations: Iterable["Operation"], tool: str) -> "Operation":
    """The operation behind a tool; StopIteration when there is none."""
    return next(operation for operation in operations if operation.declaration.tool == tool)


def failure(refused: Envelope) -> types.CallToolResult:
    """An error envelope as the answer to a call."""
    return types.CallToolResult(content=[_text(refused)], structured_content=dict(refused), is_error=True)


def describe(operations: Iterable["Operation"], profile: "Profile") -> list[types.Tool]:
    """What ``tools/list`` says about the operations of a profile."""
    return [
        types.Tool(
            name=operation.declaration.tool,
            description=operation.description,
            input_schema=operation.input_schema(),
            annotations=types.ToolAnnotations(
                read_only_hint=not operation.declaration.writes,
                # The next two say nothing of what only reads; not idempotent is what a client assumes.
                destructive_hint=operation.declaration.destructive if operation.declaration.writes else None,
                idempotent_hint=(operation.declaration.writes and operation.declaration.idempotent) or None,
                # Nothing reaches beyond the one database.
                open_world_hint=False,
            ),
        )
        for operation in operations
        if profile == "full" or operation.declaration.profile == "core"
    ]


def catalogue(operations: Iterable["Operation"]) -> str:
    """The text of ``tools.json``: of each tool its profile and what ``tools/list`` says."""
    entries = [
        {"profile": operation.declaration.profile, "tool": tool.model_dump(by_alias=True, exclude_none=True)}
        for operation in operations
        for tool in describe([operation], "full")
    ]
    return json.dumps(entries, ensure_ascii=False, indent=1) + "\n"


def read_catalogue(profile: "Profile") -> list[types.Tool]:
    """The tools of a profile, from ``tools.json``."""
    entries = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    return [
        types.Tool.model_validate(entry["tool"])
        for entry in entries
        if profile == "full" or entry["profile"] == "core"
    ]


def version() -> str:
    """The installed version; ``0`` in a checkout that was never installed."""
    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return "0"


def _text(value: Any) -> types.TextContent:
    return types.TextContent(type="text", text=compact(value))
