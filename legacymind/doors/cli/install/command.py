"""The commands `install` and `uninstall`: LegacyMind in the settings of MCP clients."""

import contextlib
import errno
import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import click

from legacymind.doors.cli.commands.serve import profile_option
from legacymind.doors.cli.install import jsonc
from legacymind.doors.cli.install.clients import CLIENTS, NAME, Client, Unreadable, skill
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import program
from legacymind.errors import ConfigurationError

BACKUP: Final = ".legacymind-backup"
"""Ending of the first copy of a file as it was before a change; others have a number too."""

_MARK: Final = "\ufeff"
"""The byte order mark, which some editors of Windows write."""

_client = click.argument("client", type=click.Choice(list(CLIENTS)))
_print = click.option("--print", "only_print", is_flag=True, help="Print the new files; change nothing.")


@dataclass(frozen=True, slots=True)
class _Part:
    """A file of a client, and how installing and removing change its text; None removes the file."""

    file: Path
    added: Callable[[str], str]
    removed: Callable[[str], str | None]


class _Change(NamedTuple):
    """A file before and after; None if it does not exist."""

    file: Path
    before: str | None
    after: str | None


@click.command(epilog=examples("install claude-code --namespace work", "install cursor --print"))
@_client
@profile_option("core", "full")
@click.option(
    "--namespace", help="Namespace of the server and the hooks. Default: that of the entry, if any."
)
@click.option("--mcp-only", is_flag=True, help="Add the MCP server only, without hooks and skill.")
@_print
def install(client: str, profile: str, namespace: str | None, mcp_only: bool, only_print: bool) -> None:
    """Add LegacyMind to a client: the MCP server, and hooks and a skill if the client has them.

    Hooks give the agent its context when a session starts, and store its last answer and failed commands
    (docs/agents.md). Everything else in the files stays as it is: comments, the variables of an entry that is
    there, and an entry of that name that runs something else. A file as it was before is kept beside it, with
    the ending .legacymind-backup; later copies are numbered. Repeating the command changes nothing.
    """
    before = (_read(CLIENTS[client], CLIENTS[client].file()) or "").removeprefix(_MARK)
    arguments = ["mcp"] if profile == "core" else ["mcp", "--profile", profile]
    with _parsed(CLIENTS[client], CLIENTS[client].file()):
        namespace = namespace or CLIENTS[client].namespace(before)
        arguments += ["--namespace", namespace] if namespace else []
        path, *first = program()
        told = CLIENTS[client].told(before, path, [*first, *arguments])
    parts = [*_parts(client, arguments, namespace)]
    changes = _changes(CLIENTS[client], parts[:1] if mcp_only else parts, lambda part: part.added)
    changed = _finish(CLIENTS[client], changes, only_print, "Added LegacyMind to", "LegacyMind is in")
    if told:
        click.echo(told, err=only_print)
    if changed:
        click.echo(
            f"Restart {CLIENTS[client].title}, or reload its MCP servers. {CLIENTS[client].note}".strip()
        )


@click.command(epilog=examples("uninstall cursor"))
@_client
@_print
def uninstall(client: str, only_print: bool) -> None:
    """Remove LegacyMind from a client: the MCP server, the hooks and the skill.

    A file in which nothing else was changed is as it was before `install`, byte for byte. Everything else in
    the files stays as it is; folders that are empty then are removed. Stored data and the copies of the files
    are kept.
    """
    parts = [*_parts(client, [])]
    if _is_shared(client):
        parts.pop()  # the skill
    changes = _changes(CLIENTS[client], parts, lambda part: part.removed)
    changes = [_restored(change, [part for part in parts if part.file == change.file]) for change in changes]
    _finish(CLIENTS[client], changes, only_print, "Removed LegacyMind from", "LegacyMind is not in")


def _parts(name: str, arguments: list[str], namespace: str | None = None) -> Iterator[_Part]:
    """The files of a client: its MCP settings first, the skill last."""
    client, (path, *before) = CLIENTS[name], program()
    yield _Part(client.file(), lambda text: client.added(text, path, [*before, *arguments]), client.removed)
    if (hooks := client.hooks) is not None:
        yield _Part(hooks.file(), lambda text: hooks.added(text, [path, *before], namespace), hooks.removed)
    yield _Part(client.skills() / NAME / "SKILL.md", lambda text: skill(), lambda text: None)


def _is_shared(name: str) -> bool:
    """Whether another client, in which LegacyMind is installed, uses the same folder of skills."""
    for other, client in CLIENTS.items():
        if other != name and client.skills() == CLIENTS[name].skills():
            text = (_read(client, client.file()) or "").removeprefix(_MARK)
            with contextlib.suppress(Unreadable):
                if client.removed(text) != text:
                    return True
    return False


def _changes(
    client: Client, parts: list[_Part], change_of: Callable[[_Part], Callable[[str], str | None]]
) -> list[_Change]:
    """The changes of all files, before any is written. Two parts may be in one file."""
    before = {part.file: _read(client, part.file) for part in parts}
    after = dict(before)
    for part in parts:
        text = after[part.file]
        mark = _MARK if text and text.startswith(_MARK) else ""
        with _parsed(client, part.file):
            changed = change_of(part)((text or "").removeprefix(_MARK))
        # A file that does not exist is not created empty.
        after[part.file] = mark + changed if changed else (text and changed)
    return [_Change(file, before[file], after[file]) for file in before]


def _parsed(client: Client, file: Path) -> contextlib.AbstractContextManager[None]:
    by_hand = "Correct the file, or add the server by hand: `legacymind demo` prints its entry."
    return _unchanged(client, file, "parsed", by_hand)


def _restored(change: _Change, parts: list[_Part]) -> _Change:
    """The change to the file as it was before LegacyMind was added, if nothing else was changed since.

    The kept copies of the file, the latest first, and no file at all are what it may have been.
    """
    if change.before is None or change.after == change.before:
        return change
    copies = [
        copy.read_bytes().decode(errors="replace") for copy in reversed([*_copies(change.file.resolve())])
    ]
    for was in [*copies, None]:
        for added in (parts, parts[:1]):  # with hooks, and without
            with contextlib.suppress(Unreadable, jsonc.NotJson):
                text = (was or "").removeprefix(_MARK)
                if any(part.removed(text) != text for part in parts) and text:
                    continue  # a copy that has LegacyMind already
                for part in added:
                    text = part.added(text)
                for part in parts:
                    text = part.removed(text) or ""
                if text == (change.after or "").removeprefix(_MARK):
                    return change._replace(after=was)
    return change


def _copies(file: Path) -> Iterator[Path]:
    """The kept copies of a file, the earliest first."""
    for number in itertools.count(1):
        copy = file.with_name(f"{file.name}{BACKUP}{f'-{number}' if number > 1 else ''}")
        if not copy.exists():
            return
        yield copy


def _read(client: Client, file: Path) -> str | None:
    with _unchanged(client, file, "read", "Check the file."):
        # Bytes: the newlines of the file stay as they are.
        return file.read_bytes().decode() if file.exists() else None


@contextlib.contextmanager
def _unchanged(client: Client, file: Path, how: str, hint: str) -> Generator[None]:
    """Raise ConfigurationError if a file cannot be "read", "parsed" or "written"."""
    try:
        yield
    except (OSError, UnicodeDecodeError, Unreadable, jsonc.NotJson) as reason:
        why = getattr(reason, "strerror", None) or reason
        raise ConfigurationError(
            f"The settings of {client.title} in {file} cannot be {how}: {why}.",
            effect="They were not changed.",
            hint=hint,
        ) from None


def _finish(client: Client, changes: list[_Change], only_print: bool, done: str, unchanged: str) -> bool:
    """Write or print the changes, and return whether a file was changed."""
    changed = False
    by_hand = "Make the file writable, or add the server by hand (--print shows it)."
    for change in changes:  # all are checked before one is written
        if not only_print and change.after != change.before and change.before is not None:
            with _unchanged(client, change.file, "written", by_hand):
                _check_writable(change.file)
    for change in changes:
        if only_print:
            click.echo(f"--- {change.file}\n{change.after or ''}".rstrip("\n"))
        elif change.after == change.before:
            click.echo(f"{unchanged} {change.file}; nothing was changed.")
        else:
            with _unchanged(client, change.file, "written", by_hand):
                _write(change)
            click.echo(f"{done} {change.file}.")
            changed = True
    return changed


def _check_writable(file: Path) -> None:
    """Raise PermissionError for a file that is read-only: replacing it needs rights of the folder only."""
    if not file.stat().st_mode & 0o222:
        raise PermissionError(errno.EACCES, "it is read-only")


def _write(change: _Change) -> None:
    """Replace the file, or the file that it links to, in one step; keep its mode and a backup."""
    real = change.file.resolve()
    if change.after is None:
        real.unlink()
        if real.parent.name == NAME:  # the folder of the skill, which is ours
            for copy in real.parent.glob(f"{real.name}{BACKUP}*"):
                copy.unlink()
        _remove_empty(change.file)
        return
    real.parent.mkdir(parents=True, exist_ok=True)
    if change.before is not None:
        _back_up(real)
    handle, temporary = tempfile.mkstemp(dir=real.parent, prefix=".legacymind-")
    try:
        with os.fdopen(handle, "wb") as output:
            output.write(change.after.encode())
        if change.before is not None:
            shutil.copymode(real, temporary)
        Path(temporary).replace(real)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def _back_up(file: Path) -> None:
    """Copy the file, unless an earlier copy is the same. Earlier copies stay: one of them is the original."""
    copies = [*_copies(file)]
    if file.read_bytes() not in [copy.read_bytes() for copy in copies]:
        number = len(copies) + 1
        shutil.copy2(file, file.with_name(f"{file.name}{BACKUP}{f'-{number}' if number > 1 else ''}"))


def _remove_empty(file: Path) -> None:
    """Remove the folders of a file that are empty without it, up to the user's home."""
    home = Path.home()
    for folder in file.parents:
        if folder == home or not folder.is_relative_to(home):
            return
        try:
            folder.rmdir()
        except OSError:  # it has other files
            return
