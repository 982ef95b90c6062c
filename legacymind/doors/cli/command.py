"""What commands have in common: options, the parts of the help, and a call as a command."""

import json
import shlex
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Final, cast

import click

from legacymind.composition import declared_operations
from legacymind.operations.registry import Operation

ARGUMENTS: Final = frozenset({"query", "name", "id", "community", "session_id", "action", "tool", "what"})
"""First parameters of operations that are arguments and not options although they may be left out."""


json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
namespace_option = click.option(
    "--namespace", metavar="TEXT", help="Namespace to use. Default: the setting `namespace`."
)


class Command(click.Command):
    """A command whose help describes its arguments too, and lists seldom needed options after the others."""

    arguments: Mapping[str, str] = {"session_id": "The session."}  # replaced, not changed
    seldom: frozenset[str] = frozenset()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments, the options, and under a heading of their own those that are seldom needed."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], "Seldom needed": []}
        for each in self.get_params(ctx):
            if isinstance(each, click.Argument):
                if told := self.arguments.get(each.name or ""):
                    sections["Arguments"].append((each.make_metavar(ctx), told))
            elif record := each.get_help_record(ctx):
                sections["Seldom needed" if each.name in self.seldom else "Options"].append(record)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def flags(name: str, beside: Collection[str] = ()) -> list[str]:
    """The spellings of a parameter's option, that of help and messages first.

    ``beside`` are the other parameters: `--session` names the subject of a command if it has one, otherwise
    the caller's own session.
    """
    dashed = f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"
    if name == "session_id":
        return ["--session", dashed]
    if name == "own_session_id":
        own = ["--own-session", dashed]
        return own if "session_id" in beside else ["--session", *own]
    return [dashed]


def spelled(op: Operation) -> dict[str, str]:
    """How the command of an operation shows each parameter: its option, or the argument in capitals."""
    names = [each.name for each in op.parameters]
    arguments = {each.name for each in op.parameters if each.required} | (ARGUMENTS & {names[0]})
    return {name: name.upper() if name in arguments else flags(name, names)[0] for name in names}


def as_command(op: Operation, arguments: Mapping[str, Any]) -> str:
    """A call of an operation as its command, without the program's name."""
    typed = [op.declaration.command]
    for name, shown in spelled(op).items():
        given = arguments.get(name)
        if given is None:
            continue
        listed = cast("list[Any]", given) if isinstance(given, list) else [given]
        if any(isinstance(one, dict) for one in listed):
            listed = [json.dumps(listed, ensure_ascii=False)]
        values = [one if isinstance(one, str) else json.dumps(one) for one in listed]
        if not shown.startswith("-"):
            typed += values
        elif isinstance(given, bool):
            typed.append(shown if given else f"--no-{shown.removeprefix('--')}")
        else:
            typed += [shown, ",".join(values)]
    return shlex.join(typed)


declared: Final = cache(declared_operations)
"""All operations by name, to read their declarations."""
