"""ChatGPT's pair of tools, `search` and `fetch`, which its connectors and deep research ask for.

Names, parameters and results are OpenAI's. They translate to the operations ``search`` and ``get``; a ``url``
is the address of a resource of this server.
"""

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import mcp_types as types

from legacymind.doors.answer import jsonable
from legacymind.model.values import MOST_TOKENS
from legacymind.text.excerpts import excerpt

if TYPE_CHECKING:  # not imported to list tools
    from legacymind.model.base import Hit, SearchResult
    from legacymind.model.nodes import NodeResult
    from legacymind.operations.registry import Operation

INSTRUCTIONS: Final = (
    "Long-term memory across conversations: thoughts, entities and facts. Before you answer from memory, use "
    "search, and read the results that matter in full with fetch. Cite a memory by its url."
)

_TITLE: Final = 80


def _tool(name: str, description: str, parameter: str, about: str) -> types.Tool:
    return types.Tool(
        name=name,
        title=name.capitalize(),
        description=description,
        input_schema={
            "type": "object",
            "properties": {parameter: {"type": "string", "description": about}},
            "required": [parameter],
        },
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )


TOOLS: Final = [
    _tool(
        "search",
        "Search the memory: thoughts, entities and facts. fetch reads a result in full.",
        "query",
        "What to search for",
    ),
    _tool("fetch", "Read a thought, entity or fact in full.", "id", "The id of a search result"),
]


async def _search(operations: Mapping[str, "Operation"], arguments: Mapping[str, Any]) -> dict[str, Any]:
    found: SearchResult = await operations["search"].call(arguments)
    return {"results": [_result(hit) for hit in found.hits]}


def _result(hit: "Hit") -> dict[str, str]:
    return {"id": hit.id, "title": _title(hit.text), "url": _url(hit.kind, hit.id)}


async def _fetch(operations: Mapping[str, "Operation"], arguments: Mapping[str, Any]) -> dict[str, Any]:
    # The tool has no pages.
    node: NodeResult = await operations["get"].call({**arguments, "max_tokens": MOST_TOKENS})
    name = node.entity.name if node.entity else node.text
    metadata: dict[str, Any] = jsonable(node)
    for member in ("id", "text"):
        del metadata[member]
    return {
        "id": node.id,
        "title": _title(name),
        "text": node.text,
        "url": _url(node.kind, node.id),
        "metadata": metadata,
    }


PAIR: Final[
    Mapping[
        str, Callable[[Mapping[str, "Operation"], Mapping[str, Any]], Coroutine[Any, Any, dict[str, Any]]]
    ]
] = {"search": _search, "fetch": _fetch}
"""The calls of the tools, by name."""


def _title(text: str) -> str:
    return excerpt(" ".join(text.split()), _TITLE)


def _url(kind: str, id: str) -> str:
    return f"legacymind://{kind}/{quote(id, safe='')}"
