"""Writes docs/reference/operations.md, the reference of all operations, from their declarations."""

from pathlib import Path
from typing import Any, get_args, get_origin

from legacymind.doors.cli.listing import NAMES
from legacymind.doors.graphql.schema import field_name
from legacymind.mind import Mind
from legacymind.model.about import unwrap
from legacymind.operations.registry import Operation
from legacymind.operations.validation import Parameter
from legacymind.settings import Settings

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference/operations.md"

_HEAD = """\
# Operations

<!-- Written by `python -m scripts.update_docs` from the declarations; do not edit. -->

Each operation is declared once. MCP, GraphQL, the command line and Python offer it under the names below,
with the same parameters, which GraphQL writes in camelCase and the command line as options (`session_id` is
`--session`). The [schema](../../graphql/schema.graphql) describes the results. [Parameters](parameters.md)
says which other spellings are accepted.
"""


def reference() -> str:
    """The whole page."""
    # Nothing is connected: the address is never used.
    mind = Mind(Settings(neo4j_uri="bolt://127.0.0.1:1"))
    operations = sorted(mind.operations.values(), key=lambda operation: operation.declaration.tool)
    return "\n".join([_HEAD, *map(_section, operations)])


def _section(operation: Operation) -> str:
    declared = operation.declaration
    kind = "writes" if declared.writes else "reads"
    if declared.destructive:
        kind = "writes, and may remove data"
    elif declared.writes and declared.idempotent:
        kind = "writes; repeating it changes nothing"
    command = f"`legacymind {declared.command}`" if declared.command in NAMES else "none"
    lines = [
        f"## {declared.tool}",
        "",
        operation.description,
        "",
        f"- MCP: `{declared.tool}`, profile `{declared.profile}`; {kind}",
        f"- GraphQL: `{field_name(operation.name)}`; command: {command}; Python: `Mind.{operation.name}`",
        f"- Result: `{unwrap(operation.returns)[0].__name__}`",
        "",
        "| parameter | type | description |",
        "|---|---|---|",
        *map(_row, operation.parameters),
        "",
    ]
    return "\n".join(lines)


def _row(parameter: Parameter) -> str:
    required = "**required**; " if parameter.required else ""
    description = parameter.help.replace("|", "\\|").replace("\n", " ")
    return f"| `{parameter.name}` | {_type(parameter.annotation)} | {required}{description} |"


def _type(annotation: Any) -> str:
    """The type in a few words: a closed list by its values, a record by its name."""
    kind, _ = unwrap(annotation)
    inner = get_args(kind)
    if get_origin(kind) is list:
        return f"list of {_type(inner[0])}"
    if inner and all(isinstance(value, str) for value in inner):
        return ", ".join(f"`{value}`" for value in inner)
    names = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false"}
    name = getattr(kind, "__name__", str(kind))
    return names.get(name, f"`{name}`" if name[:1].isupper() else name)


def write() -> None:
    """Write the page."""
    PAGE.write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    write()
