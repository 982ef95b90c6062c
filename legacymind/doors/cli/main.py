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
    "analyze": "legacymind.doors.cli.analyze:analyze",
    "map": "legacymind.doors.cli.map:map_",
    "verify": "legacymind.doors.cli.verify:verify",
    "anchor": "legacymind.doors.cli.anchor:anchor",
    "serve": "legacymind.doors.cli.serve:serve",
    "mcp": "legacymind.doors.cli.serve:mcp",
    "token": "legacymind.doors.cli.token:token",
    "install": "legacymind.doors.cli.install:install",
    "uninstall": "legacymind.doors.cli.install:uninstall",
    "hook": "legacymind.doors.cli.hook:hook",
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
    """Run the command line. An exception becomes one message and exit code 1, without a traceback.

    The traceback of an exception outside the tree of ``LegacyMindError`` is written to a log file.
    """
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
    except Exception as error:
        _report(_logged(error))
        sys.exit(1)


def _report(error: LegacyMindError) -> None:
    message = _with_commands(str(error))
    if "--json" in sys.argv:
        import json

        print(json.dumps({"error": {"code": error.code, "message": message}}, ensure_ascii=False))
    else:
        print(f"Error: {message}", file=sys.stderr)


def _with_commands(message: str) -> str:
    """The message with commands instead of the names of MCP tools."""
    if "_" not in message:
        return message
    import re

    from legacymind.mind import Mind
    from legacymind.settings import Settings

    declared = [operation.declaration for operation in Mind(Settings()).operations.values()]
    commands = {each.tool: f"`legacymind {each.command}`" for each in declared}
    return re.sub(r"\w+", lambda word: commands.get(word[0], word[0]), message)


def _logged(raised: Exception) -> LegacyMindError:
    """The InternalError for an unexpected exception, after its traceback was written to the log file.

    Without a log file, the traceback goes to standard error, as Python's default logging writes it there.
    """
    import logging

    from legacymind.doors.answer import reported
    from legacymind.settings import load_settings

    try:
        path = load_settings().home_path / "legacymind.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        file = logging.FileHandler(path, encoding="utf-8")
    except (LegacyMindError, OSError):
        return reported(raised)
    file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("legacymind")
    logger.addHandler(file)
    try:
        return reported(raised)
    finally:
        logger.removeHandler(file)
        file.close()
        print(f"The traceback is in {path}.", file=sys.stderr)


if __name__ == "__main__":
    main()
