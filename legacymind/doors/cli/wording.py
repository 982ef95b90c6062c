"""Words messages and help as the command line does: `--as-of` and not ``as_of``, commands and not tools."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Final

import click

from legacymind.composition import declared_operations
from legacymind.errors import InvalidInput, LegacyMindError
from legacymind.operations.registry import Operation

_NAMES: Final = re.compile(
    r"(?P<kept>[Ss]ettings? `\w+`)|``?(?P<quoted>\w+)``?|"
    r"(?<![-\w])(?P<plain>[a-z]+(?:_[a-z]+)+)(?![-\w=])"
)
"""Names of parameters and tools: in backticks, or recognised by their underscore."""

ARGUMENTS: Final = frozenset({"query", "name", "community", "session_id", "action", "tool", "what"})
"""First parameters of operations that are arguments and not options although they may be left out."""


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


def reword(error: LegacyMindError, command: click.Command) -> None:
    """Word an error of a command."""
    names = shown_names(command.params)
    if isinstance(error, InvalidInput) and error.findings:
        error.reword(lambda name: names.get(name, name))
        if not any(each.allowed for each in error.findings) and error.hint.startswith("Correct the"):
            error.hint = f"`legacymind {command.name} --help` describes the options."
        return
    error.what, error.effect, error.hint = (
        worded(part, names) for part in (error.what, error.effect, error.hint)
    )


@cache
def declared() -> dict[str, Operation]:
    """All operations by name, to read their declarations."""
    return declared_operations()


@cache
def _known() -> dict[str, str]:
    """The commands of all tools, and the options of the parameters of all operations."""
    operations = declared().values()
    options = {each.name: flags(each.name)[0] for one in operations for each in one.parameters}
    return options | {one.declaration.tool: f"`legacymind {one.declaration.command}`" for one in operations}
