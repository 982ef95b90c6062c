"""detailed_help: every tool, and one in full, generated from the declarations of the operations."""

import inspect
from collections.abc import Mapping
from typing import Annotated, Any, Final

from legacymind.errors import NotFound
from legacymind.model.about import about
from legacymind.model.help import HelpResult, ParameterHelp, ToolExample, ToolHelp, ToolLine
from legacymind.model.values import MOST_TOKENS, whole
from legacymind.operations.coercion import known_name
from legacymind.operations.examples import examples, filters_of
from legacymind.operations.pages import Paged
from legacymind.operations.registry import Operation, operation
from legacymind.services.shared.service import OtherServices, Service, ServiceContext

_ENOUGH: Final = 4_000
"""Default token budget: the help of search takes 2,600, and the list 1,900."""


class GuideService(Service):
    """Explains the operations. ``operations`` returns all of them, by their Python names."""

    def __init__(self, context: ServiceContext, services: OtherServices) -> None:
        super().__init__(context, services)
        self._operations = services.operations

    @operation(tool="detailed_help", command="tool-help", writes=False, profile="full")
    async def detailed_help(
        self,
        tool: Annotated[
            str | None,
            about("Default: list all", "Tool, command or Python method to explain. Default: a list of all"),
        ] = None,
        max_tokens: Annotated[
            int | None,
            whole(100, MOST_TOKENS),
            about(
                "Token budget",
                "Token budget of a list of tools; `left_out` is the number of those that did not fit. "
                f"Default: {_ENOUGH:,}, which is enough for all",
            ),
        ] = None,
    ) -> Paged[HelpResult]:
        """List all tools, or explain one: its parameters with ranges and defaults, filters and examples.

        Raises NotFound when there is no such tool.
        """
        operations = self._operations()
        if tool is None:
            lines = [
                ToolLine(
                    tool=one.declaration.tool,
                    command=one.declaration.command,
                    purpose=one.description.partition(". ")[0].rstrip(".") + ".",
                )
                for one in operations.values()
            ]
            return Paged(result=HelpResult(tools=lines), lists=("tools",), tokens=_ENOUGH)
        names = {
            spelling: one
            for one in operations.values()
            for spelling in (one.declaration.command, one.name, one.declaration.tool)
        }
        found = names.get(known_name(tool.strip(), names))
        if found is None:
            raise NotFound(
                f"There is no tool {tool[:80]!r}.",
                hint="Call detailed_help without `tool` for a list of all.",
            )
        return Paged(result=HelpResult(detail=explained(found)), lists=("tools",), tokens=_ENOUGH)


def explained(one: Operation) -> ToolHelp:
    """The help of an operation in full."""
    schemas: dict[str, Any] = one.input_schema()["properties"]
    filters = filters_of({*schemas})
    listed = [
        ParameterHelp(
            name=parameter.name,
            type=_type(schemas[parameter.name]),
            required=parameter.required,
            text=parameter.help,
        )
        for parameter in one.parameters
    ]
    return ToolHelp(
        tool=one.declaration.tool,
        command=f"legacymind {one.declaration.command}",
        python=f"Mind.{one.name}",
        profile=one.declaration.profile,
        writes=one.declaration.writes,
        destructive=one.declaration.destructive,
        description=inspect.getdoc(one.method) or "",
        parameters=[parameter for parameter in listed if parameter.name not in filters],
        filters=[parameter for parameter in listed if parameter.name in filters],
        examples=[
            ToolExample(purpose=purpose, arguments={**arguments})
            for purpose, arguments in examples(one.name, {*schemas})
        ],
    )


def _type(schema: Mapping[str, Any]) -> str:
    """The type of a parameter in words, with its choices or its range."""
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    kind = schema.get("type")
    if kind == "array":
        return f"list of {_type(schema['items'])}"
    if kind == "object" and "properties" in schema:
        return f"objects with {', '.join(schema['properties'])}"
    words = {
        "string": "text",
        "integer": "whole number",
        "number": "number",
        "boolean": "true or false",
        "object": "object",
    }.get(str(kind), "any value")
    if "minimum" in schema and "maximum" in schema:
        return f"{words} from {schema['minimum']:,} to {schema['maximum']:,}"
    return words
