"""Builds one command per operation: parameters become options, the result becomes text or JSON."""

import json
import re
import sys
from functools import cache
from itertools import islice
from typing import Any, Final, Literal, cast, get_args, get_origin

import click

from legacymind.doors.answer import compact, jsonable
from legacymind.doors.cli import show, show_analysis, show_knowledge, show_think
from legacymind.doors.cli.adoption import adopt
from legacymind.doors.cli.run import read_argument, run
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.values import words
from legacymind.operations.coercion import is_blank
from legacymind.operations.introspection import is_record, unwrap
from legacymind.operations.registry import Operation
from legacymind.operations.validation import Parameter

_HANDWRITTEN: Final = frozenset({"verify_chain", "anchor", "analyze"})
"""Operations with a command of their own.

`verify` compares heads and sets exit codes, `anchor` can write, `analyze` shows its progress.
"""


_ARGUMENTS: Final = frozenset({"query", "name", "community"})
"""First parameters that are arguments and not options although they may be left out."""

_PREVIEW: Final = "dry_run"
"""The parameter with which a destructive operation shows what it would do."""

_SHOWN: Final = (show_analysis, show_knowledge, show_think)
"""Modules that register outputs with ``show.result``."""

_NEGATIVE: Final = re.compile(r"-\.?\d.*")


class _Command(click.Command):
    """A command that accepts negative numbers as arguments. Click would parse them as options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Move the arguments behind ``--`` if one of them is a negative number."""
        if not any(map(_NEGATIVE.fullmatch, args)):
            return super().parse_args(ctx, args)
        valued = {
            name
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        options: list[str] = []
        others: list[str] = []
        rest = iter(args)
        for each in rest:
            if each == "--":
                others.extend(rest)
            elif each == "-" or not each.startswith("-") or _NEGATIVE.fullmatch(each):
                others.append(each)
            else:
                options.append(each)
                options.extend(islice(rest, 1 if each in valued else 0))
        return super().parse_args(ctx, [*options, "--", *others])


@cache
def commands() -> dict[str, click.Command]:
    """The commands of all operations, by command name."""
    mind = Mind()
    return {
        op.declaration.command: _command(mind, op)
        for op in mind.operations.values()
        if op.name not in _HANDWRITTEN
    }


def _command(mind: Mind, op: Operation) -> click.Command:
    def callback(as_json: bool, yes: bool = False, **given: Any) -> None:
        arguments = {
            parameter.name: _value(parameter, given[parameter.name])
            for parameter in op.parameters
            if given[parameter.name] not in (None, ())
            and (parameter.required or not is_blank(given[parameter.name]))
        }
        asks = op.declaration.destructive and not yes and _on_terminal()
        run(lambda: _call(mind, op, arguments, as_json=as_json, asks=asks))

    parameters: list[click.Parameter] = [_option(parameter) for parameter in op.parameters]
    if op.parameters[0].name in _ARGUMENTS:
        parameters[0] = click.Argument([op.parameters[0].name], required=False)
    parameters.append(
        click.Option(
            ["--json", "as_json"], is_flag=True, help="Print the result as JSON, as the MCP tool returns it."
        )
    )
    if op.declaration.destructive:
        parameters.append(
            click.Option(
                ["--yes"],
                is_flag=True,
                help="Do not ask for confirmation. Without a terminal, nothing is asked.",
            )
        )
    return _Command(
        op.declaration.command,
        params=parameters,
        callback=callback,
        help=op.description,
        short_help=op.description.partition(". ")[0].removesuffix("."),
    )


def _option(parameter: Parameter) -> click.Parameter:
    kind, _ = unwrap(parameter.annotation)
    if parameter.required:
        listed = get_origin(kind) is list and not is_record(get_args(kind)[0])
        return click.Argument([parameter.name], nargs=-1 if listed else 1, required=True)
    flag = f"--{parameter.name.replace('_', '-')}"
    shown = parameter.help
    if kind is bool:
        if parameter.default is False:
            return click.Option([flag, parameter.name], is_flag=True, help=shown)
        # A flag that is on by default, or decided by the operation, can be turned off.
        both = f"{flag}/--no-{flag.removeprefix('--')}"
        return click.Option([both, parameter.name], default=None, help=shown)
    if get_origin(kind) is list:
        (item,) = get_args(kind)
        if is_record(item):
            return click.Option(
                [flag, parameter.name],
                metavar="JSON",
                help=f"JSON list, @FILE, or - for standard input. {shown}",
            )
        return click.Option(
            [flag, parameter.name], multiple=True, metavar="WORD", help=shown or "May be repeated."
        )
    # The operation validates values, so that errors are the same at every door.
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    metavar = "|".join(choices) if choices else "TEXT"
    if kind in (int, float):
        metavar = "NUMBER"
    return click.Option([flag, parameter.name], metavar=metavar, help=shown)


def _value(parameter: Parameter, sent: Any) -> Any:
    kind, _ = unwrap(parameter.annotation)
    if get_origin(kind) is list and is_record(get_args(kind)[0]):
        try:
            return json.loads(read_argument(sent))
        except json.JSONDecodeError as reason:
            raise InvalidInput(
                f"--{parameter.name.replace('_', '-')} is not valid JSON: {reason.msg} at character "
                f"{reason.colno}.",
                hint="Pass a JSON list of objects.",
            ) from None
    if isinstance(sent, tuple) and parameter.required:
        return list(cast("tuple[str, ...]", sent))
    if isinstance(sent, tuple):
        return [word for one in cast("tuple[str, ...]", sent) for word in cast("list[str]", words(one))]
    return read_argument(sent) if isinstance(sent, str) else sent


def _on_terminal() -> bool:
    return sys.stdin.isatty()


async def _call(
    mind: Mind, op: Operation, arguments: dict[str, Any], *, as_json: bool, asks: bool = False
) -> None:
    async with mind:
        if asks and not arguments.get(_PREVIEW):
            if not as_json and any(parameter.name == _PREVIEW for parameter in op.parameters):
                show.result(await op.call({**arguments, _PREVIEW: True}))
            # Asked on standard error: standard output holds the result only.
            click.confirm("Continue?", abort=True, err=True)
        if op.accepts(arguments):  # a mistyped command starts no engine
            await adopt(mind)
        result = await op.call(arguments)
        if mind.settings.adopt_interval:
            await mind.services.adoption.settle()
    if as_json:
        print(compact(jsonable(result)))
    else:
        show.result(result)
