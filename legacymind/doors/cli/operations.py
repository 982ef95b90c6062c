"""Builds one command per operation: parameters become options, the result becomes text or JSON."""

import json
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final, Literal, cast, get_args, get_origin

import click

from legacymind.doors.cli import (
    output,
    show,
    show_analysis,
    show_chain,
    show_knowledge,
    show_maintenance,
    show_reembed,
    show_search,
    show_think,
)
from legacymind.doors.cli.adoption import adopt
from legacymind.doors.cli.connect import connected
from legacymind.doors.cli.missing import check_found
from legacymind.doors.cli.options import json_option, pager_option
from legacymind.doors.cli.parsing import Command
from legacymind.doors.cli.run import read_argument, run
from legacymind.doors.cli.wording import ARGUMENTS, declared, flags, shown_names, worded
from legacymind.errors import InvalidInput
from legacymind.model.progress import call_progress
from legacymind.model.values import words
from legacymind.operations.coercion import is_blank
from legacymind.operations.introspection import is_record, unwrap
from legacymind.operations.registry import Operation
from legacymind.operations.validation import Parameter
from legacymind.services.shared.budget import whole_texts

_HANDWRITTEN: Final = frozenset({"verify_chain", "anchor", "analyze", "reembed"})
"""Operations with a command of their own.

`verify` compares heads and sets exit codes, `anchor` can write, `analyze` and `reembed` show their progress.
"""

_ADAPTED: Final[dict[str, tuple[Any, str]]] = {
    "max_tokens": (
        100_000,
        "Cut the result to about this many tokens. Range: 100 to 100,000. Default: 100,000.",
    ),
    "include_content": (True, "Show whole texts, and not their first 100 characters. Default: true."),
    "include_children": (True, "Nest children under their parents. Default: true."),
}
"""Defaults and descriptions of parameters for people, who have a pager and no context window."""

_PREVIEW: Final = "dry_run"
"""The parameter with which a destructive operation shows what it would do."""

_APPLY: Final = "apply"
"""The parameter without which an operation only shows what it would do."""

_SHOWN: Final = (
    show_analysis,
    show_chain,
    show_knowledge,
    show_maintenance,
    show_reembed,
    show_search,
    show_think,
)
"""Modules that register outputs with ``show.result``."""


@cache
def commands() -> dict[str, click.Command]:
    """The commands of all operations, by command name."""
    return {op.declaration.command: _command(op) for op in declared().values() if op.name not in _HANDWRITTEN}


def _command(op: Operation) -> click.Command:
    read = [_adapted(op, parameter) for parameter in op.parameters]
    pairs = zip(read, op.parameters, strict=True)
    defaults = {own.name: own.default for own, agents in pairs if own is not agents}

    def callback(as_json: bool, yes: bool = False, **given: Any) -> None:
        arguments = {
            parameter.name: _value(parameter, given[parameter.name])
            for parameter in read
            if given[parameter.name] not in (None, ())
            and (parameter.required or not is_blank(given[parameter.name]))
        }
        asks = op.declaration.destructive and not yes and _on_terminal()
        run(lambda: _call(op, defaults | arguments, as_json=as_json, asks=asks))

    parameters = [_option(parameter, [each.name for each in read]) for parameter in read]
    if read[0].name in ARGUMENTS and not read[0].required:
        parameters[0] = click.Argument([read[0].name], required=False)
    if op.declaration.destructive:
        parameters.append(
            click.Option(
                ["--yes"],
                is_flag=True,
                help="Do not ask for confirmation. Without a terminal, nothing is asked.",
            )
        )
    names = shown_names(parameters)
    for option in parameters:
        if isinstance(option, click.Option):
            option.help = worded(option.help or "", names)
    make = click.command(
        op.declaration.command, cls=Command, params=parameters, help=worded(op.description, names)
    )
    command = make(json_option(pager_option(callback)))
    command.arguments = {parameter.name: worded(parameter.help, names) for parameter in read}
    command.seldom = frozenset(parameter.name for parameter in read if parameter.tuning)
    return command


def _adapted(op: Operation, parameter: Parameter) -> Parameter:
    """The parameter with the default of the command line, which may be another one than an agent's."""
    if op.name == "get" or parameter.name not in _ADAPTED:  # `get` has no token budget unless one is given
        return parameter
    default, description = _ADAPTED[parameter.name]
    return replace(parameter, default=default, help=description)


def _option(parameter: Parameter, beside: Collection[str]) -> click.Parameter:
    kind, _ = unwrap(parameter.annotation)
    if parameter.required:
        listed = get_origin(kind) is list and not is_record(get_args(kind)[0])
        return click.Argument([parameter.name], nargs=-1 if listed else 1, required=True)
    spellings = [*flags(parameter.name, beside), parameter.name]
    shown = parameter.help
    if kind is bool:
        if parameter.default is False:
            return click.Option(spellings, is_flag=True, help=shown)
        # A flag that is on by default, or decided by the operation, can be turned off.
        both = f"{spellings[0]}/--no-{spellings[0].removeprefix('--')}"
        return click.Option([both, parameter.name], default=None, help=shown)
    if get_origin(kind) is list:
        (item,) = get_args(kind)
        if is_record(item):
            return click.Option(
                spellings, metavar="JSON", help=f"JSON list, @FILE, or - for standard input. {shown}"
            )
        return click.Option(spellings, multiple=True, metavar="WORD", help=shown or "May be repeated.")
    # The operation validates values, so that errors are the same at every door.
    choices: tuple[str, ...] = get_args(kind) if get_origin(kind) is Literal else ()
    metavar = "|".join(choices) if choices else "NUMBER" if kind in (int, float) else "TEXT"
    return click.Option(
        spellings,
        metavar=metavar,
        help=shown,
        shell_complete=partial(_completed, choices),
    )


def _completed(
    choices: Sequence[str], context: click.Context, option: click.Parameter, typed: str
) -> list[str]:
    """The choices that complete what was typed, for the shell."""
    return [each for each in choices if each.startswith(typed)]


def _value(parameter: Parameter, sent: Any) -> Any:
    kind, _ = unwrap(parameter.annotation)
    if get_origin(kind) is list and is_record(get_args(kind)[0]):
        text = read_argument(sent)
        try:
            return json.loads(text)
        except json.JSONDecodeError as reason:
            if text == sent and sent.startswith("@"):
                raise InvalidInput(f"There is no file {sent[1:]}.", hint="Check the path.") from None
            shown = parameter.name.upper() if parameter.required else flags(parameter.name)[0]
            raise InvalidInput(
                f"{shown} is not valid JSON: {reason.msg} at character {reason.colno}.",
                hint="Pass a JSON list of objects.",
            ) from None
    if isinstance(sent, tuple) and parameter.required:
        return list(cast("tuple[str, ...]", sent))
    if isinstance(sent, tuple):
        return [word for one in cast("tuple[str, ...]", sent) for word in cast("list[str]", words(one))]
    return read_argument(sent) if isinstance(sent, str) else sent


def _on_terminal() -> bool:
    return sys.stdin.isatty()


async def _reporting(op: Operation, arguments: dict[str, Any]) -> Any:
    """The result of a call, whose progress a terminal shows."""
    with output.waiting() as progress:
        outer = call_progress.set(progress)
        try:
            with whole_texts():
                return await op.call(arguments)
        finally:
            call_progress.reset(outer)


async def _call(op: Operation, arguments: dict[str, Any], *, as_json: bool, asks: bool = False) -> None:
    async with connected() as mind:
        op = mind.operations[op.name]
        names = {parameter.name for parameter in op.parameters}
        if asks and not arguments.get(_PREVIEW) and (_APPLY not in names or arguments.get(_APPLY)):
            preview = {_PREVIEW: True} if _PREVIEW in names else {_APPLY: False} if _APPLY in names else None
            if preview is not None and not as_json:
                show.result(await _reporting(op, arguments | preview))
            # Asked on standard error: standard output holds the result only.
            click.confirm("Continue?", abort=True, err=True)
        if op.accepts(arguments):  # a mistyped command starts no engine
            await adopt(mind)
        result = await _reporting(op, arguments)
        if mind.settings.adopt_interval:
            await mind.services.adoption.settle()
    check_found(result, arguments)
    if as_json:
        output.print_json(result)
    else:
        with output.paged():
            show.result(result)
