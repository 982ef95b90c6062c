"""Builds one command per operation: parameters become options, the result becomes text or JSON."""

import json
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final, Literal, cast, get_args, get_origin

import click

from legacymind.doors.cli import show
from legacymind.doors.cli.command import (
    ARGUMENTS,
    Command,
    as_command,
    declared,
    flags,
    json_option,
)
from legacymind.doors.cli.exits import Exit
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import in_mind, read_argument
from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.about import is_record, unwrap
from legacymind.model.chain import ActionThoughts, ReasoningTrail, ThoughtTree
from legacymind.model.maintenance import MaintenanceResult
from legacymind.model.progress import Progress, call_progress
from legacymind.model.trails import ThreadResult
from legacymind.model.values import words
from legacymind.operations.coercion import is_blank
from legacymind.operations.examples import examples as calls
from legacymind.operations.registry import Operation
from legacymind.operations.validation import Parameter

_HANDWRITTEN: Final = frozenset({"verify_chain"})
"""Operations with a command of their own: `verify` compares heads and sets exit codes."""

_ADAPTED: Final[dict[str, tuple[Any, str]]] = {
    "max_tokens": (
        100_000,
        "Cut the result to about this many tokens. Range: 100 to 10,000,000. Default: 100,000.",
    ),
    "include_content": (True, "Show whole texts, and not their first 100 characters. Default: true."),
    "include_children": (True, "Nest children under their parents. Default: true."),
}
"""Defaults and descriptions of parameters for people, who have no context window."""

_UNASKED: Final = frozenset({"reembed"})
"""Destructive operations that are not confirmed: the vectors that they remove can be made again."""

_PREVIEW: Final = "dry_run"
"""The parameter with which a destructive operation shows what it would do."""

_APPLY: Final = ("apply", "confirm")
"""The parameters without which an operation only shows what it would do."""


@cache
def command(name: str) -> click.Command | None:
    """The command of an operation, by the name of the command; None if no operation has it."""
    found = (op for op in declared().values() if op.declaration.command == name)
    return next((_command(op) for op in found if op.name not in _HANDWRITTEN), None)


def _command(op: Operation) -> click.Command:
    read = [_adapted(parameter) for parameter in op.parameters]
    pairs = zip(read, op.parameters, strict=True)
    defaults = {own.name: own.default for own, agents in pairs if own is not agents}
    confirmed = op.declaration.destructive and op.name not in _UNASKED

    def callback(as_json: bool, yes: bool = False, **given: Any) -> None:
        arguments = {
            parameter.name: _value(parameter, given[parameter.name])
            for parameter in read
            if given[parameter.name] not in (None, ())
            and (parameter.required or not is_blank(given[parameter.name]))
        }
        asks = confirmed and not yes and _on_terminal()
        _call(op, defaults | arguments, as_json=as_json, asks=asks)

    parameters = [_option(parameter, [each.name for each in read]) for parameter in read]
    if read[0].name in ARGUMENTS and not read[0].required:
        parameters[0] = click.Argument([read[0].name], required=False)
    if confirmed:
        told = "Skip confirmation (implied when standard input is not a terminal)."
        parameters.append(click.Option(["--yes"], is_flag=True, help=told))
    make = click.command(
        op.declaration.command,
        cls=Command,
        params=parameters,
        help=op.description,
        epilog=examples(*(as_command(op, arguments) for _, arguments in calls(op.name, set()))),
    )
    command = make(json_option(callback))
    command.arguments = {parameter.name: parameter.help for parameter in read}
    command.seldom = frozenset(parameter.name for parameter in read if parameter.tuning)
    return command


def _adapted(parameter: Parameter) -> Parameter:
    """The parameter with the default of the command line, which may be another one than an agent's."""
    if parameter.name not in _ADAPTED:
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
            told = f"JSON list or JSON Lines, @FILE, or - for standard input. {shown}"
            return click.Option(spellings, metavar="JSON", help=told)
        return click.Option(spellings, multiple=True, metavar="WORD", help=shown or "May be repeated.")
    # The operation validates values, so that errors are the same at every door.
    choices: tuple[str, ...] = get_args(kind) if get_origin(kind) is Literal else ()
    metavar = "|".join(choices) if choices else "NUMBER" if kind in (int, float) else "TEXT"
    return click.Option(spellings, metavar=metavar, help=shown, shell_complete=partial(_completed, choices))


def _completed(
    choices: Sequence[str], context: click.Context, option: click.Parameter, typed: str
) -> list[str]:
    """The choices that complete what was typed, for the shell."""
    return [each for each in choices if each.startswith(typed)]


def _value(parameter: Parameter, sent: Any) -> Any:
    kind, _ = unwrap(parameter.annotation)
    if get_origin(kind) is list and is_record(get_args(kind)[0]):
        return _records(parameter, sent)
    if isinstance(sent, tuple) and parameter.required:
        return list(cast("tuple[str, ...]", sent))
    if isinstance(sent, tuple):
        return [word for one in cast("tuple[str, ...]", sent) for word in cast("list[str]", words(one))]
    return read_argument(sent) if isinstance(sent, str) else sent


def _records(parameter: Parameter, sent: str) -> Any:
    """The objects of a JSON list, or of JSON Lines."""
    text = read_argument(sent)
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        return [*map(json.loads, lines)] if text.lstrip().startswith("{") and lines[1:] else json.loads(text)
    except json.JSONDecodeError as reason:
        if text == sent and sent.startswith("@"):
            raise InvalidInput(f"There is no file {sent[1:]}.", hint="Check the path.") from None
        raise InvalidInput(
            f"{parameter.name} is not valid JSON: {reason.msg} at character {reason.colno}.",
            hint="Pass a JSON list of objects.",
        ) from None


def _on_terminal() -> bool:
    return sys.stdin.isatty()


def _call(op: Operation, arguments: dict[str, Any], *, as_json: bool, asks: bool) -> None:
    async def work(mind: Mind, progress: Progress) -> Any:
        called = mind.operations[op.name]
        call_progress.set(progress)
        if asks:
            await _confirm(called, arguments, as_json=as_json)
        return await called.call(arguments)

    result = in_mind(work)
    _check_found(result, arguments)
    show.told(result, as_json)
    if isinstance(result, MaintenanceResult) and result.subcommand == "verify" and result.items:
        click.get_current_context().exit(Exit.FAILED)  # each item is a chain that is not intact


async def _confirm(op: Operation, arguments: dict[str, Any], *, as_json: bool) -> None:
    """Show what the operation would do, if it can tell, and ask. Raises Abort."""
    names = {parameter.name for parameter in op.parameters}
    apply = next((name for name in _APPLY if name in names), None)
    if arguments.get(_PREVIEW) or (apply and not arguments.get(apply)):
        return
    preview = {_PREVIEW: True} if _PREVIEW in names else {apply: False} if apply else None
    if preview is not None and not as_json:
        show.result(await op.call(arguments | preview))
    # Asked on standard error: standard output holds the result only.
    click.confirm("Continue?", abort=True, err=True)


def _check_found(result: Any, arguments: Mapping[str, Any]) -> None:
    """Raise NotFound if a result is empty because there is nothing of the name that was asked for."""
    match result:
        case ThoughtTree(count=0) | ThreadResult(thoughts=[]) if "after" not in arguments:
            names = [arguments[name] for name in ("session_id", "chain_id") if name in arguments]
            raise NotFound(
                f"There is no thought of {' and '.join(names)} that you may read.",
                hint="Check the name and --namespace; `legacymind heads` lists the sessions.",
            )
        case ActionThoughts(count=0) | ReasoningTrail(trail_count=0):
            raise NotFound(
                f"No thought led to the action {arguments['action_id']}.",
                hint="Check the id and --namespace: thoughts name their action when they are stored.",
            )
        case _:
            return
