"""The commands `install` and `uninstall`: LegacyMind in the settings of MCP clients."""

import contextlib
import itertools
import json
import shutil
import subprocess
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, Final, cast

import click

from legacymind.doors.cli.commands.serve import profile_option
from legacymind.doors.cli.install.clients import CLIENTS, NAME, Client, skill
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import program
from legacymind.errors import ConfigurationError

BACKUP: Final = ".legacymind-backup"
"""Ending of the copy of a file as it was before the last change."""

_TIMEOUT: Final = 60.0
"""Seconds for a command of a client."""

_client = click.argument("client", type=click.Choice(list(CLIENTS)))


@click.command(epilog=examples("install claude-code --namespace work", "install cursor --print"))
@_client
@profile_option("core", "full")
@click.option(
    "--namespace", help="Namespace of the server and the hooks. Default: that of the entry, if any."
)
@click.option("--mcp-only", is_flag=True, help="Add the MCP server only, without hooks and skill.")
@click.option("--print", "only_print", is_flag=True, help="Print the entry and the hooks; change nothing.")
def install(client: str, profile: str, namespace: str | None, mcp_only: bool, only_print: bool) -> None:
    """Add LegacyMind to a client: the MCP server, and hooks and a skill if the client has them.

    The client's own command adds the server; without one, the entry to paste is printed. An entry of that
    name stays as it is. Hooks give the agent its context when a session starts, and store its last answer and
    failed commands (docs/interfaces/agents.md). A file as it was before is kept beside it, with the ending
    .legacymind-backup.
    """
    target, (path, *before) = CLIENTS[client], program()
    held = target.held()
    namespace = namespace or _namespace(held or {})
    arguments = ["mcp"] if profile == "core" else ["mcp", "--profile", profile]
    arguments += ["--namespace", namespace] if namespace else []
    entry = target.entry(path, [*before, *arguments])
    hooks = None if mcp_only else target.hooks

    def added(held: dict[str, Any]) -> dict[str, Any]:
        assert hooks is not None
        return hooks.added(held, [path, *before], namespace)

    if only_print:
        click.echo(f"--- {target.file()}\n{target.pasted(entry)}")
        if hooks is not None:
            click.echo(f"--- {hooks.file()}\n{json.dumps(added({}), indent=2)}")
        return
    if hooks is not None:
        _read(target, hooks.file())  # a file that cannot be parsed stops all
    if held is not None:
        click.echo(f"{target.title} has an entry {NAME} in {target.file()}, which stays as it is.")
    elif target.add is not None and _done(target.add(entry)):
        if target.toml:
            _name_variables(target, entry)
        click.echo(f"Added LegacyMind to {target.title}.")
    else:
        click.echo(f"Add this to {target.file()}:\n{target.pasted(entry)}")
    if hooks is not None:
        _change(target, hooks.file(), added)
    if not mcp_only:
        _write(target.skills() / NAME / "SKILL.md", skill())
    click.echo(f"Restart {target.title}, or reload its MCP servers. {target.note}".strip())


@click.command(epilog=examples("uninstall cursor"))
@_client
def uninstall(client: str) -> None:
    """Remove LegacyMind from a client: the MCP server, the hooks and the skill.

    Everything else in the files stays. Stored data is kept.
    """
    target = CLIENTS[client]
    held = target.held()
    if held is None:
        click.echo(f"{target.title} has no entry {NAME}.")
    elif not target.runs_us(held):
        click.echo(f"The entry {NAME} in {target.file()} runs something else, and stays.")
    elif (target.remove and _done(target.remove)) or _removed(target):
        click.echo(f"Removed LegacyMind from {target.title}.")
    else:
        click.echo(f"Remove the entry {NAME} from {target.file()}.")
    if target.hooks is not None:
        _change(target, target.hooks.file(), target.hooks.removed)
    others = (each for name, each in CLIENTS.items() if name != client)
    file = target.skills() / NAME / "SKILL.md"
    if file.exists() and not any(each.skills() == target.skills() and each.held() for each in others):
        file.unlink()
        with contextlib.suppress(OSError):  # it has files of the user's
            file.parent.rmdir()


def _namespace(entry: dict[str, Any]) -> str | None:
    """The namespace in the arguments of an entry, for its hooks."""
    arguments: list[Any] = entry.get("args") or []
    return dict(itertools.pairwise(arguments)).get("--namespace")


def _done(command: Sequence[str]) -> bool:
    """Run a client's command, and return whether it succeeded; its errors are shown."""
    found = shutil.which(command[0])
    if found is None:
        return False
    try:
        ended = subprocess.run(
            [found, *command[1:]], capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as reason:
        click.echo(f"{command[0]}: {reason}", err=True)
        return False
    if ended.returncode:
        click.echo(f"{command[0]}: {(ended.stderr or ended.stdout).strip()}", err=True)
    return not ended.returncode


def _name_variables(client: Client, entry: dict[str, Any]) -> None:
    """Add the variables to the entry that Codex' command made, which has no option for their names."""
    header, names = f"[{client.servers}.{NAME}]\n", f"env_vars = {json.dumps(entry['env_vars'])}\n"
    with _as_error(client, client.file(), "changed"):
        text = client.file().read_text("utf-8")
        _write(client.file(), text.replace(header, header + names, 1))


def _removed(client: Client) -> bool:
    """Remove the entry from a file of plain JSON, and return whether that was possible."""

    def without(held: dict[str, Any]) -> dict[str, Any]:
        servers = {name: each for name, each in held[client.servers].items() if name != NAME}
        return {**held, client.servers: servers}

    with contextlib.suppress(ConfigurationError):
        _change(client, client.file(), without)
        return True
    return False


def _change(client: Client, file: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Change a file of plain JSON; one in which nothing is left is removed."""
    held = _read(client, file)
    with _as_error(client, file, "changed"):
        after = change(held)
        if after == held:
            return
        if client.hooks is not None and after in ({}, dict(client.hooks.base)):
            file.unlink()
        else:
            _write(file, json.dumps(after, indent=2, ensure_ascii=False) + "\n")
    click.echo(f"Changed {file}.")


def _read(client: Client, file: Path) -> dict[str, Any]:
    with _as_error(client, file, "read"):
        text = file.read_text("utf-8-sig") if file.exists() else ""
        held: Any = json.loads(text) if text.strip() else {}
        hooks: Any = cast("dict[str, Any]", held).get("hooks", {}) if isinstance(held, dict) else None
        if not isinstance(hooks, dict):
            raise ValueError("it has another form")
        return cast("dict[str, Any]", held)


@contextlib.contextmanager
def _as_error(client: Client, file: Path, how: str) -> Generator[None]:
    try:
        yield
    except (OSError, ValueError, AttributeError, TypeError) as reason:
        raise ConfigurationError(
            f"The settings of {client.title} in {file} cannot be {how}: "
            f"{getattr(reason, 'strerror', None) or reason}.",
            effect="They were not changed.",
            hint="It must be plain JSON, which you may write. `--print` shows what to add by hand.",
        ) from None


def _write(file: Path, text: str) -> None:
    """Write a file, which may be a link; of JSON, keep what was there beside it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.exists() and file.read_text("utf-8") == text:
        return
    if file.exists() and file.suffix == ".json":
        shutil.copy2(file, file.with_name(f"{file.name}{BACKUP}"))
    file.write_text(text, "utf-8")
