"""Words messages and help as the command line does: `--as-of` and not ``as_of``, commands and not tools."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Final

import click

from legacymind.errors import LegacyMindError
from legacymind.mind import Mind
from legacymind.operations.registry import Operation
from legacymind.settings import Settings

_NAMES: Final = re.compile(
    r"(?P<kept>[Ss]ettings? `\w+`)|``?(?P<quoted>\w+)``?|"
    r"(?<![-\w])(?P<plain>[a-z]+(?:_[a-z]+)+|actionId)(?![-\w=])"
)
"""Names of parameters and tools: in backticks, or recognised by their underscore."""

ARGUMENTS: Final = frozenset({"query", "name", "community", "session_id", "action", "tool", "what"})
"""First parameters of operations that are arguments and not options although they may be left out."""

_IN_WORDS: Final = {
    "actionId": "--action-id",
    "next_cursor": "the next cursor",
    "next_offset": "the next offset",
    "next_start": "the next start",
    "nextAfter": "the next start",
    "childCount": "“+N below”",
}
"""What the text of a result shows for members of the result."""

_CALLED: Final = re.compile(r"(\w+) was called with (.*)\.", re.DOTALL)
_FINDING: Final = re.compile(r"(\w+)((?:\.\w+)*): (.*)", re.DOTALL)
_MISNAMED: Final = re.compile(r"(unknown|missing) parameter '([^']*)'")
_MEMBERS: Final = re.compile(r"Known parameters of (\w+): ([^.]*)\.")
_REQUIRED: Final = re.compile(r"([a-z]+) (?=(?:must|is|contains) )")
"""The name of a parameter at the beginning of a message."""


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
        if known := names.get(name) or _IN_WORDS.get(name):
            return known
        return _known().get(name, match[0]) if "_" in name else match[0]

    return _NAMES.sub(shown, text)


def reword(error: LegacyMindError, command: click.Command) -> None:
    """Reword an error of a command."""
    names = shown_names(command.params)
    if called := _CALLED.fullmatch(error.what):
        error.what = " ".join(_finding(one, names) for one in called[2].split("; "))
        if known := _MEMBERS.findall(error.hint):
            error.hint = " ".join(f"Members of {names.get(of, of)}: {members}." for of, members in known)
        elif error.hint.startswith(("Known parameters", "Correct the arguments")):
            error.hint = f"`legacymind {command.name} --help` describes the options."
        return
    if (first := _REQUIRED.match(error.what)) and first[1] in names:
        error.what = names[first[1]] + error.what[first.end(1) :]
    error.what, error.effect, error.hint = (
        worded(part, names) for part in (error.what, error.effect, error.hint)
    )


def _finding(finding: str, names: Mapping[str, str]) -> str:
    """One finding of the validation as a sentence: "--limit must be at least 1."."""
    if finding.startswith("both "):  # spellings of a member inside JSON
        return f"Both {finding.removeprefix('both ')} are given."
    parts = _FINDING.fullmatch(_MISNAMED.sub(r"\2: is \1", finding))
    if parts is None:
        return worded(f"{finding[:1].upper()}{finding[1:]}.", names)
    inside = [
        f"item {int(part) + 1}" if part.isdigit() else part for part in parts[2].removeprefix(".").split(".")
    ]
    where = ", ".join([names.get(parts[1], parts[1]), *filter(None, inside)])
    colon = "" if parts[3].startswith(("must ", "is ")) else ":"
    return f"{where}{colon} {worded(parts[3], names)}."


@cache
def declared() -> dict[str, Operation]:
    """All operations by name, to read their declarations; their settings are the defaults."""
    return Mind(Settings()).operations


@cache
def _known() -> dict[str, str]:
    """The commands of all tools, and the options of the parameters of all operations."""
    operations = declared().values()
    options = {each.name: flags(each.name)[0] for one in operations for each in one.parameters}
    return options | {one.declaration.tool: f"`legacymind {one.declaration.command}`" for one in operations}
