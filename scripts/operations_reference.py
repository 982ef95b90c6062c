"""Writes docs/reference/operations.md, the reference of all operations, from their declarations."""

from collections import Counter
from pathlib import Path
from typing import Any, get_args, get_origin

from legacymind.doors.cli.listing import NAMES
from legacymind.doors.graphql.schema import ELSEWHERE
from legacymind.mind import Mind
from legacymind.model.about import unwrap
from legacymind.operations.registry import Operation
from legacymind.operations.validation import Parameter
from legacymind.settings import Settings

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference/operations.md"

_HEAD = """\
# Operations

<!-- Written by `python -m scripts.update_docs` from the declarations; do not edit. -->

Each operation is declared once, and has the same parameters at each door.
A parameter is a text unless another type is named, and a boolean is false by default.
GraphQL writes all names in camelCase, and the command line as options (`session_id` is `--session`).
The [schema](../../graphql/schema.graphql) describes the results.
Unless it says otherwise, an operation reads, is in the profile `full` of MCP, and has the name of its tool
without `legacymind_` in Python, in GraphQL and on the command line.
[Parameters](parameters.md) says which other spellings are accepted.
An operation also takes those of these parameters that it names:
"""
_COMMON = 6
"""A parameter that so many operations describe in the same words is described once."""


def reference() -> str:
    """The whole page."""
    # Nothing is connected: the address is never used.
    mind = Mind(Settings(neo4j_uri="bolt://127.0.0.1:1"))
    operations = sorted(mind.operations.values(), key=lambda operation: operation.declaration.tool)
    operations.sort(key=lambda operation: operation.declaration.tool != "legacymind_think")
    uses = Counter(_row(each) for operation in operations for each in operation.parameters)
    told = {row: "" for row, times in uses.items() if times >= _COMMON}
    return "\n".join([_HEAD, *sorted(told), "", *(_section(operation, told) for operation in operations)])


def _section(operation: Operation, told: dict[str, str]) -> str:
    """An operation; ``told`` has the descriptions so far, each with the operation that has it."""
    declared = operation.declaration
    name = declared.tool.removeprefix("legacymind_")
    notes = ["profile `core`"] * (declared.profile == "core")
    notes += [f"Python `{operation.name}`"] * (operation.name != name)
    if declared.command in NAMES and declared.command != name.replace("_", "-"):
        notes.append(f"command `{declared.command}`")
    notes += ["not GraphQL"] * (operation.name in ELSEWHERE)
    if declared.destructive:
        notes.append("writes, and may remove data")
    elif declared.writes:
        notes.append("writes; repeating it changes nothing" if declared.idempotent else "writes")
    noted = "; ".join(notes)
    lines = [f"## {declared.tool}", "", operation.description]
    lines += [f"{noted[:1].upper()}{noted[1:]}.", ""] if notes else [""]
    known: dict[str, list[str]] = {}
    for parameter in operation.parameters:
        row = _row(parameter)
        if row in told:
            known.setdefault(told[row], []).append(f"`{parameter.name}`")
        else:
            told[row] = declared.tool
            lines.append(row)
    for tool, names in known.items():
        of = f", as [{tool}](#{tool})" if tool else ""
        lines.append(f"- {', '.join(names)}{of}")
    return "\n".join([*lines, ""])


def _row(parameter: Parameter) -> str:
    kind = _type(parameter.annotation)
    notes = [kind] * (kind != "text") + ["**required**"] * parameter.required
    told = f" ({', '.join(notes)})" if notes else ""
    description = (
        parameter.help.replace("\n", " ").removesuffix(" Default: none.").removesuffix(" Default: false.")
    )
    return f"- `{parameter.name}`{told}: {description}"


def _type(annotation: Any) -> str:
    """The type in a few words: a closed list by its values, a record by its name."""
    kind, _ = unwrap(annotation)
    inner = get_args(kind)
    if get_origin(kind) is list:
        return f"list of {_type(inner[0])}"
    if inner and all(isinstance(value, str) for value in inner):
        return ", ".join(f"`{value}`" for value in inner)
    names = {"str": "text", "int": "integer", "float": "number", "bool": "boolean"}
    name = getattr(kind, "__name__", str(kind))
    return names.get(name, f"`{name}`" if name[:1].isupper() else name)


def write() -> None:
    """Write the page."""
    PAGE.write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    write()
