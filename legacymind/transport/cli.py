"""The command line: the engine's commands, and one command for every operation.

Commands are made when they are asked for, so that ``legacymind mcp`` starts without importing
what it does not need.
"""

import asyncio
import importlib
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import click

from legacymind import settings as settings_module
from legacymind.errors import LegacyMindError
from legacymind.settings import Settings

_FIXED: Final = {
    "demo": "legacymind.transport.cli_demo:demo",
    "up": "legacymind.transport.cli_engine:up",
    "down": "legacymind.transport.cli_engine:down",
    "status": "legacymind.transport.cli_engine:status",
    "logs": "legacymind.transport.cli_engine:logs",
    "import": "legacymind.transport.cli_data:import_",
    "export": "legacymind.transport.cli_data:export",
    "calibrate": "legacymind.transport.cli_calibrate:calibrate",
    "verify": "legacymind.transport.cli_verify:verify",
    "serve": "legacymind.transport.cli_serve:serve",
    "mcp": "legacymind.transport.cli_serve:mcp",
}


class Commands(click.Group):
    """The fixed commands, then one for each operation."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, the operations in the order of their declaration."""
        from legacymind.transport import cli_operations

        return [*_FIXED, *cli_operations.commands()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One command, imported or made now."""
        if cmd_name in _FIXED:
            module, name = _FIXED[cmd_name].split(":")
            return getattr(importlib.import_module(module), name)
        from legacymind.transport import cli_operations

        return cli_operations.commands().get(cmd_name)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="legacymind")
def cli() -> None:
    """A Neo4j graph-native memory for AI agents. Try `legacymind demo`."""


def configured() -> Settings:
    """The settings of this process."""
    return settings_module.load()


def run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a command's coroutine to its end."""
    return asyncio.run(work())


def main() -> None:
    """The console script: errors of ours are one message and exit code 1, never a traceback."""
    # A terminal that cannot show a character shows a replacement instead of failing.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        cli(standalone_mode=True)
    except LegacyMindError as error:
        _report(error)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _report(error: LegacyMindError) -> None:
    if "--json" in sys.argv:
        import json

        print(json.dumps(error.envelope(), ensure_ascii=False))
    else:
        print(f"Error: {error}", file=sys.stderr)


def source(value: str) -> str:
    """An argument's text: ``-`` is standard input, ``@FILE`` a file, anything else itself."""
    if value == "-":
        raw = sys.stdin.buffer.read()
    elif value.startswith("@") and Path(value[1:]).is_file():
        raw = Path(value[1:]).read_bytes()
    else:
        return value
    try:
        return raw.decode()
    except UnicodeDecodeError:
        from legacymind.errors import InvalidInput

        raise InvalidInput("The input is not UTF-8.", do="Convert it to UTF-8.") from None


if __name__ == "__main__":
    main()
