"""Resources of the MCP server: a thought, an entity or a session by its address, and the help.

legacymind://help                   the tools of the profile, with their parameters (Markdown)
legacymind://thought/{id}           a thought in full (JSON)
legacymind://entity/{name}          an entity with its facts and relations, by its name or id
legacymind://observation/{id}       a fact in full (JSON)
legacymind://session/{session_id}   the thoughts of a session in order of time
legacymind://schema/{tool}          the JSON schema of a tool's results, which the list of tools leaves out
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

import mcp_types as types

from legacymind.doors.answer import compact, jsonable
from legacymind.doors.mcp.errors import protocol_error
from legacymind.doors.mcp.readiness import GetOperations, ServerContext, ToolCall
from legacymind.errors import NotFound
from legacymind.model.values import MOST_TOKENS

if TYPE_CHECKING:  # not imported to list tools
    from legacymind.operations.registry import Operation

_SCHEME: Final = "legacymind"
_KINDS: Final = ("thought", "entity", "observation", "session")
_JSON: Final = "application/json"
_MARKDOWN: Final = "text/markdown"

_HELP: Final = types.Resource(
    uri=f"{_SCHEME}://help",
    name="help",
    title="Help",
    description="The tools with their parameters, ranges and defaults",
    mime_type=_MARKDOWN,
)

_TEMPLATES: Final = [
    types.ResourceTemplate(
        uri_template=f"{_SCHEME}://{name}",
        name=title.lower(),
        title=title,
        description=about,
        mime_type=_JSON,
    )
    for name, title, about in (
        ("thought/{id}", "Thought", "A thought in full, by its id"),
        ("entity/{name}", "Entity", "An entity with its facts and relations, by its name or id"),
        ("observation/{id}", "Observation", "A fact in full, by its id"),
        ("session/{session_id}", "Session", "The thoughts of a session in order of time"),
        ("schema/{tool}", "Schema", "The JSON schema of a tool's results"),
    )
]


async def list_resources(
    context: ServerContext, parameters: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    """The response to ``resources/list``."""
    return types.ListResourcesResult(resources=[_HELP])


async def list_templates(
    context: ServerContext, parameters: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    """The response to ``resources/templates/list``."""
    return types.ListResourceTemplatesResult(resource_templates=_TEMPLATES)


def reader(
    tools: Sequence[types.Tool],
    operations: GetOperations,
    schemas: Callable[[], Mapping[str, Mapping[str, Any]]],
) -> Callable[[ServerContext, types.ReadResourceRequestParams], Awaitable[types.ReadResourceResult]]:
    """The handler of ``resources/read``. An unknown address is an error of the protocol."""

    async def read(
        context: ServerContext, parameters: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(parameters.uri)
        try:
            if uri.rstrip("/") == _HELP.uri:
                kind, text = _MARKDOWN, help_text(tools)
            elif schema := schemas().get(uri.removeprefix(f"{_SCHEME}://schema/")):
                kind, text = _JSON, compact(schema)
            else:
                kind, text = _JSON, compact(jsonable(await _read(uri, ToolCall(context), operations)))
        except Exception as raised:
            raise protocol_error(raised) from raised
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=text)]
        )

    return read


def help_text(tools: Sequence[types.Tool]) -> str:
    """The tools and their parameters as Markdown."""
    parts: list[str] = ["# LegacyMind"]
    for tool in tools:
        parts.append(f"## {tool.name}\n\n{tool.description}")
        required = tool.input_schema.get("required", [])
        lines = [
            f"- `{name}`{' (required)' if name in required else ''}: {schema.get('description', '')}"
            for name, schema in tool.input_schema["properties"].items()
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(part for part in parts if part) + "\n"


async def _read(uri: str, call: ToolCall, operations: GetOperations) -> Any:
    address = urlsplit(uri)
    kind, name = address.netloc, unquote(address.path.removeprefix("/"))
    if address.scheme != _SCHEME or kind not in _KINDS or not name:
        raise NotFound(
            f"There is no resource {uri[:200]!r}.",
            hint=f"Use {_HELP.uri} or {', '.join(each.uri_template for each in _TEMPLATES)}.",
        )
    return await call.reporting(_node(await operations(call), kind, name), "Reading memory")


async def _node(known: Mapping[str, "Operation"], kind: str, name: str) -> Any:
    if kind in ("thought", "observation"):
        return await known["get"].call({"id": name, "max_tokens": MOST_TOKENS})  # a resource has no pages
    if kind == "session":
        return await known["thoughts_thread"].call({"session_id": name})
    try:
        return await known["entity"].call({"name": name})
    except NotFound:
        return await known["entity"].call({"id": name})
