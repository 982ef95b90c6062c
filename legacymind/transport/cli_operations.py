"""One command for every operation: its parameters as options, its result for people or as JSON."""

import json
from functools import cache
from typing import Any, Final, Literal, cast, get_args, get_origin

import click

from legacymind.annotations import is_record, plain
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.operation import Operation, Parameter
from legacymind.transport import show_think
from legacymind.transport.answer import compact, jsonable
from legacymind.transport.cli import configured, run, source

_OWN: Final = frozenset({"verify_chain"})
"""Operations whose command does more than the operation: cli_verify."""


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
            if given[parameter.name] not in (None, (), False)
        }
        run(lambda: _call(mind, op, arguments, as_json=as_json))

    parameters: list[click.Parameter] = [_option(parameter) for parameter in op.parameters]
    if op.parameters[0].name == "query":  # what nobody would write an option's name for
        parameters[0] = click.Argument(["query"], required=False)
    parameters.append(
        click.Option(["--json", "as_json"], is_flag=True, help="Print what the MCP tool answers.")
    )
    return click.Command(
        op.declaration.command,
        params=parameters,
        callback=callback,
        help=op.description,
        short_help=op.description.split(". ")[0],
    )


def _option(parameter: Parameter) -> click.Parameter:
    kind, _ = plain(parameter.annotation)
    if parameter.required:
        return click.Argument([parameter.name])
    flag = f"--{parameter.name.replace('_', '-')}"
    shown = parameter.description
    if kind is bool:
        return click.Option([flag, parameter.name], is_flag=True, help=shown)
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
    kind, _ = plain(parameter.annotation)
    if get_origin(kind) is list and is_record(get_args(kind)[0]):
        try:
            return json.loads(source(given))
        except json.JSONDecodeError as reason:
            raise InvalidInput(
                f"--{parameter.name} is not JSON: {reason.msg} at character {reason.colno}.",
                do="Send a JSON list of objects.",
            ) from None
    if isinstance(given, tuple):
        given_words = cast("tuple[str, ...]", given)
        return [word for words in given_words for word in words.split(",")]
    return source(given) if isinstance(given, str) else given


async def _call(mind: Mind, op: Operation, arguments: dict[str, Any], *, as_json: bool) -> None:
    async with mind:
        result = await op.call(arguments)
    if as_json:
        print(compact(jsonable(result)))
    else:
        show_think.result(result)
