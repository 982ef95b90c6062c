"""What commands have in common: options, negative numbers, the session as argument or option, and words.

Messages and help name what a person types: `--as-of` and not ``as_of``, commands and not tools.
"""

import json
import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any, Final, cast

import click

from legacymind.composition import declared_operations
from legacymind.errors import InvalidInput, LegacyMindError
from legacymind.operations.registry import Operation

_NEGATIVE: Final = re.compile(r"-\.?\d.*")
_SESSION: Final = "session_id"
_PAGER: Final = "legacymind.pager"
_BY_OPTION: Final = "legacymind.session"
_NAMESPACE: Final = "legacymind.namespace"
_COMMAND: Final = re.compile(r"`legacymind (?P<name>[\w-]+)(?P<rest>[^`]*)`")
"""A command in a hint."""
_NAMES: Final = re.compile(
    r"(?P<kept>[Ss]ettings? `\w+`)|``?(?P<quoted>\w+)``?|"
    r"(?<![-\w])(?P<plain>[a-z]+(?:_[a-z]+)+)(?![-\w=])"
)
"""Names of parameters and tools: in backticks, or recognised by their underscore."""

ARGUMENTS: Final = frozenset({"query", "name", "id", "community", "session_id", "action", "tool", "what"})
"""First parameters of operations that are arguments and not options although they may be left out."""


def _no_pager(context: click.Context, option: click.Parameter, given: bool) -> None:
    if given:
        context.meta[_PAGER] = False


def pager_wanted() -> bool:
    """Whether the running command may show long output in a pager."""
    context = click.get_current_context(silent=True)
    return context is None or context.meta.get(_PAGER, True)


json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
pager_option = click.option(
    "--no-pager",
    is_flag=True,
    expose_value=False,
    callback=_no_pager,
    help="Print long output at once. Default: in a terminal, in the pager that PAGER names, or less.",
)
namespace_option = click.option(
    "--namespace", metavar="TEXT", help="Namespace to use. Default: the setting `namespace`."
)


class Command(click.Command):
    """A command that accepts negative numbers as arguments, which click would parse as options.

    A command with the argument ``session_id`` takes the session with `--session`, too.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.arguments: Mapping[str, str] = {_SESSION: "The session."}
        """What the help says of arguments."""
        self.seldom: frozenset[str] = frozenset()
        """The names of options that the help lists after the others."""
        if any(each.name == _SESSION and isinstance(each, click.Argument) for each in self.params):
            option = click.Option(
                [*flags(_SESSION), "in_place"],
                metavar="SESSION",
                expose_value=False,
                callback=_in_place,
                help="The session, in place of the argument.",
            )
            self.params.insert(0, option)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, without the argument for the session if an option names it."""
        dropped = _SESSION if ctx.meta.get(_BY_OPTION) else None
        return [
            each
            for each in super().get_params(ctx)
            if each.name != dropped or not isinstance(each, click.Argument)
        ]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; those that are negative numbers are marked meanwhile."""
        ctx.meta[_BY_OPTION] = any(each.partition("=")[0] in flags(_SESSION) for each in args)
        rest = super().parse_args(ctx, [f"\0{each}" if _NEGATIVE.fullmatch(each) else each for each in args])
        ctx.params = {name: _unmarked(value) for name, value in ctx.params.items()}
        ctx.meta[_NAMESPACE] = ctx.params.get("namespace")
        return rest

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


def _in_place(context: click.Context, option: click.Parameter, given: str | None) -> None:
    if given is not None:
        context.params[_SESSION] = given


def _unmarked(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_unmarked, cast("tuple[Any, ...]", value)))
    return value.removeprefix("\0") if isinstance(value, str) else value


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


def shown_names(parameters: Iterable[click.Parameter]) -> dict[str, str]:
    """How the command line shows each parameter: its first spelling, or the argument in capitals."""
    return {
        each.name: each.opts[0] if isinstance(each, click.Option) else each.name.upper()
        for each in parameters
        if each.name
    }


def worded(text: str, names: Mapping[str, str]) -> str:
    """A text with the names that the command line shows; ``names`` are those of the command."""

    def shown(match: re.Match[str]) -> str:
        if match["kept"]:
            return match[0]
        name = match["quoted"] or match["plain"]
        if known := names.get(name):
            return known
        return _known().get(name, match[0]) if "_" in name else match[0]

    return _NAMES.sub(shown, text)


def in_namespace(text: str) -> str:
    """A hint whose commands name the namespace of the running command, if it was given one."""
    context = click.get_current_context(silent=True)
    namespace = context and context.meta.get(_NAMESPACE)
    if context is None or namespace is None:
        return text
    root = cast("click.Group", context.find_root().command)

    def named(match: re.Match[str]) -> str:
        command = root.get_command(context, match["name"])
        if "--namespace" in match["rest"] or not any(
            each.name == "namespace" for each in (command.params if command else [])
        ):
            return match[0]
        return f"{match[0][:-1]} --namespace {shlex.quote(namespace)}`"

    return _COMMAND.sub(named, text)


def reword(error: LegacyMindError, command: click.Command) -> None:
    """Word an error of a command."""
    names = shown_names(command.params)
    if isinstance(error, InvalidInput) and error.findings:
        error.reword(lambda name: names.get(name, name))
        if not any(each.allowed for each in error.findings) and error.hint.startswith("Correct the"):
            error.hint = f"`legacymind {command.name} --help` describes the options."
        return
    error.what, error.effect, error.hint = (
        in_namespace(worded(part, names)) for part in (error.what, error.effect, error.hint)
    )


declared: Final = cache(declared_operations)
"""All operations by name, to read their declarations."""


@cache
def _known() -> dict[str, str]:
    """The commands of all tools, and the options of the parameters of all operations."""
    operations = declared().values()
    options = {each.name: flags(each.name)[0] for one in operations for each in one.parameters}
    return options | {one.declaration.tool: f"`legacymind {one.declaration.command}`" for one in operations}
