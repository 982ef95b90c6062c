"""The console script: fixed commands, and one command per operation.

A command is imported or built only when it is used, so that ``legacymind mcp`` starts quickly.
"""

import importlib
import sys
from typing import Final

import click

from legacymind.errors import LegacyMindError

_FIXED: Final = {
    "demo": "legacymind.doors.cli.demo:demo",
    "up": "legacymind.doors.cli.engine:up",
    "down": "legacymind.doors.cli.engine:down",
    "status": "legacymind.doors.cli.engine:status",
    "logs": "legacymind.doors.cli.engine:logs",
    "import": "legacymind.doors.cli.data:import_",
    "export": "legacymind.doors.cli.data:export",
    "calibrate": "legacymind.doors.cli.calibrate:calibrate",
    "verify": "legacymind.doors.cli.verify:verify",
    "serve": "legacymind.doors.cli.serve:serve",
    "mcp": "legacymind.doors.cli.serve:mcp",
}


class Commands(click.Group):
    """The group of all commands: the fixed ones, then one per operation."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands; operations in the order of their declaration."""
        from legacymind.doors.cli import operations

        return [*_FIXED, *operations.commands()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name in _FIXED:
            module, name = _FIXED[cmd_name].split(":")
            command: click.Command = getattr(importlib.import_module(module), name)
            # The list of commands shows whole sentences; click would cut them after 45 characters.
            first_paragraph = " ".join((command.help or "").partition("\n\n")[0].split())
            command.short_help = first_paragraph.partition(". ")[0].removesuffix(".")
            return command
        from legacymind.doors.cli import operations

        return operations.commands().get(cmd_name)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="legacymind")
def cli() -> None:
    """A Neo4j graph-native memory for AI agents. Try `legacymind demo`."""


def main() -> None:
    """Run the command line. A LegacyMindError becomes one message and exit code 1, without a traceback."""
    # Characters that the terminal cannot encode are replaced instead of raising an error.
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


if __name__ == "__main__":
    main()
