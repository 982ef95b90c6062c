"""Resources of the MCP server: a thought, an entity or a fact by its address, in full, as JSON."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

import mcp_types as types
from mcp import MCPError

from legacymind.doors.answer import compact, envelope, jsonable
from legacymind.doors.mcp.readiness import GetOperations, ServerContext, signs_of_life
from legacymind.errors import NotFound
from legacymind.model.values import MOST_TOKENS

if TYPE_CHECKING:  # not imported to list tools
    from legacymind.operations.registry import Operation

_SCHEME: Final = "legacymind"

_TEMPLATES: Final = [
    types.ResourceTemplate(
        uri_template=f"{_SCHEME}://{name}",
        name=name.partition("/")[0],
        description=about,
        mime_type="application/json",
    )
    for name, about in (
        ("thought/{id}", "A thought in full, by its id"),
        ("entity/{name}", "An entity with its facts and relations, by its name or id"),
        ("observation/{id}", "A fact in full, by its id"),
    )
]


async def list_templates(
    context: ServerContext, parameters: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    """The response to ``resources/templates/list``."""
    return types.ListResourceTemplatesResult(resource_templates=_TEMPLATES)


def reader(
    operations: GetOperations,
) -> Callable[[ServerContext, types.ReadResourceRequestParams], Awaitable[types.ReadResourceResult]]:
    """The handler of ``resources/read``. An unknown address is an error of the protocol."""

    async def read(
        context: ServerContext, parameters: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(parameters.uri)
        try:
            async with signs_of_life(context, "Reading memory"):
                text = compact(jsonable(await _node(uri, await operations(context))))
        except Exception as raised:
            raise _protocol_error(raised) from raised
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type="application/json", text=text)]
        )

    return read


async def _node(uri: str, operations: Mapping[str, "Operation"]) -> Any:
    address = urlsplit(uri)
    name = unquote(uri.partition("://")[2].partition("/")[2])  # it may have a `?` or a `#`
    if address.scheme != _SCHEME or not name or address.netloc not in ("thought", "entity", "observation"):
        raise NotFound(
            f"There is no resource {uri[:200]!r}.",
            hint=f"Use {', '.join(each.uri_template for each in _TEMPLATES)}.",
        )
    if address.netloc != "entity":
        return await operations["get"].call(
            {"id": name, "max_tokens": MOST_TOKENS}
        )  # a resource has no pages
    try:
        return await operations["entity"].call({"name": name})
    except NotFound:
        return await operations["entity"].call({"id": name})


def _protocol_error(raised: Exception) -> MCPError:
    """An error as one of the protocol: invalid parameters, or an internal error."""
    error = envelope(raised)["error"]
    expected = error["code"] in ("invalid_input", "not_found")
    return MCPError(
        code=types.INVALID_PARAMS if expected else types.INTERNAL_ERROR,
        message=error["message"],
        data={key: value for key, value in error.items() if key != "message"},
    )
