"""Model providers accept the input schemas."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from legacymind.doors.mcp.server import Listing, read_catalogue

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
KEYWORDS = {
    "string": {"enum"},
    "integer": set[str](),
    "number": set[str](),
    "boolean": set[str](),
    "array": {"items"},
    "object": {"properties", "required"},
}
"""What OpenAI's strict mode, Gemini and Anthropic all accept, besides type and description."""


def parts(schema: dict[str, Any], depth: int = 1) -> Iterator[tuple[dict[str, Any], int]]:
    """The schema and those inside it, each with its depth."""
    yield schema, depth
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from parts(inner, depth + 1)


@pytest.mark.parametrize("listing", ["core", "full", "chatgpt"])
def test_input_schemas_follow_the_rules_of_all_model_providers(listing: Listing) -> None:
    for tool in read_catalogue(listing):
        assert NAME.fullmatch(tool.name)
        assert 0 < len(tool.description or "") <= 1024
        assert tool.input_schema["type"] == "object"
        inside = [*parts(tool.input_schema)]
        assert max(depth for _, depth in inside) <= 5  # OpenAI's limits: levels, properties, choices
        assert sum(len(part.get("properties", {})) for part, _ in inside) <= 100
        assert sum(len(part.get("enum", [])) for part, _ in inside) <= 500
        for part, _ in inside:
            kind = part["type"]
            assert part.keys() - {"type", "description", "default"} <= KEYWORDS[kind], (tool.name, part)
            assert all(isinstance(name, str) and name for name in part.get("enum", []))
            if kind == "object":  # One without properties would accept nothing in strict mode.
                assert part["properties"]
                assert set(part.get("required", [])) <= set(part["properties"])
                assert all(NAME.fullmatch(name) for name in part["properties"])
                assert all("description" in each for each in part["properties"].values())
            assert kind != "array" or "items" in part
