"""One command for every operation: its parameters as options, its result for people or as JSON."""

import json
import re
from functools import cache
from itertools import islice
from typing import Any, Final, Literal, cast, get_args, get_origin

import click

from legacymind.doors.answer import compact, jsonable
from legacymind.doors.cli import show_think
from legacymind.doors.cli.run import configured, run, source
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.operations.coercion import words
from legacymind.operations.introspection import is_record, unwrap
from legacymind.operations.registry import Operation, Parameter

_OWN: Final = frozenset({"verify_chain"})
"""Operations whose command does more than the operation: cli_verify."""


_NEGATIVE: Final = re.compile(r"-\.?\d.*")


class _Command(click.Command):
    """A command whose arguments may be negative numbers, which click takes for options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Arguments behind ``--``, options before it, when a negative number is among them."""
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
    """Every operation as a click command, by its command name."""
    mind = Mind(configured())
    return {
        op.declaration.command: _command(mind, op) for op in mind.operations.values() if op.name not in _OWN
    }


def _command(mind: Mind, op: Operation) -> click.Command:
    def callback(as_json: bool, **given: Any) -> None:
        arguments = {
            parameter.name: _value(parameter, given[parameter.name])
            for parameter in op.parameters
            if given[parameter.name] not in (None, ())
        }
        run(lambda: _call(mind, op, arguments, as_json=as_json))

    parameters: list[click.Parameter] = [_option(parameter) for parameter in op.parameters]
    if op.parameters[0].name == "query":  # what nobody would write an option's name for
        parameters[0] = click.Argument(["query"], required=False)
    parameters.append(
        click.Option(["--json", "as_json"], is_flag=True, help="Print what the MCP tool answers.")
    )
    return _Command(
        op.declaration.command,
        params=parameters,
        callback=callback,
        help=op.description,
        short_help=op.description.split(". ")[0],
    )


def _option(parameter: Parameter) -> click.Parameter:
    kind, _ = unwrap(parameter.annotation)
    if parameter.required:
        return click.Argument([parameter.name])
    flag = f"--{parameter.name.replace('_', '-')}"
    shown = parameter.description
    if kind is bool:
        if parameter.default is False:
            return click.Option([flag, parameter.name], is_flag=True, help=shown)
        # What is on by itself, or decided by the operation, can be switched off.
        both = f"{flag}/--no-{flag.removeprefix('--')}"
        return click.Option([both, parameter.name], default=None, help=shown)
    if get_origin(kind) is list:
        (item,) = get_args(kind)
        if is_record(item):
            return click.Option(
                [flag, parameter.name], metavar="JSON", help=f"A JSON list, or @FILE, or -. {shown}"
            )
        return click.Option(
            [flag, parameter.name], multiple=True, metavar="WORD", help=shown or "May be repeated."
        )
    # Values are checked by the operation itself, so that every door says the same.
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    metavar = "|".join(choices) if choices else "TEXT"
    if kind in (int, float):
        metavar = "NUMBER"
    return click.Option([flag, parameter.name], metavar=metavar, help=shown)


def _value(parameter: Parameter, given: Any) -> Any:
    kind, _ = unwrap(parameter.annotation)
    if get_origin(kind) is list and is_record(get_args(kind)[0]):
        try:
            return json.loads(source(given))
        except json.JSONDecodeError as reason:
            raise InvalidInput(
                f"--{parameter.name} is not JSON: {reason.msg} at character {reason.colno}.",
                hint="Send a JSON list of objects.",
            ) from None
    if isinstance(given, tuple):
        return [word for one in cast("tuple[str, ...]", given) for word in cast("list[str]", words(one))]
    return source(given) if isinstance(given, str) else given


async def _call(mind: Mind, op: Operation, arguments: dict[str, Any], *, as_json: bool) -> None:
    async with mind:
        result = await op.call(arguments)
    if as_json:
        print(compact(jsonable(result)))
    else:
        show_think.result(result)
