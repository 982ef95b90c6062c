"""The console script: fixed commands, and one command per operation, listed by job.

A command is imported or built only when it is used, so that ``legacymind mcp`` starts quickly.
"""

import importlib
import sys
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from legacymind.doors.cli.exits import MEANINGS, Exit, exit_of
from legacymind.doors.cli.jobs import ENTRIES, JOBS
from legacymind.errors import InvalidInput, LegacyMindError

_FIXED: Final = {
    "demo": "legacymind.doors.cli.demo:demo",
    "up": "legacymind.doors.cli.engine:up",
    "down": "legacymind.doors.cli.engine:down",
    "status": "legacymind.doors.cli.engine:status",
    "browser": "legacymind.doors.cli.browser:browser",
    "doctor": "legacymind.doors.cli.doctor:doctor",
    "logs": "legacymind.doors.cli.engine:logs",
    "backup": "legacymind.doors.cli.backup:backup",
    "restore": "legacymind.doors.cli.backup:restore",
    "import": "legacymind.doors.cli.data:import_",
    "export": "legacymind.doors.cli.data:export",
    "calibrate": "legacymind.doors.cli.calibrate:calibrate",
    "analyze": "legacymind.doors.cli.analyze:analyze",
    "map": "legacymind.doors.cli.map:map_",
    "reembed": "legacymind.doors.cli.reembed:reembed",
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
    """The group of all commands, listed by job."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the listed commands."""
        return list(ENTRIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name in _FIXED:
            module, name = _FIXED[cmd_name].split(":")
            command: click.Command | None = getattr(importlib.import_module(module), name)
        else:
            from legacymind.doors.cli import operations

            command = operations.commands().get(cmd_name)
        if command is not None and (entry := ENTRIES.get(cmd_name)):
            examples = "\n".join(f"  legacymind {example}" for example in entry.examples)
            command.epilog = f"\b\nExamples:\n{examples}"
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line per command, with the job before the first of its commands."""
        rows: list[tuple[str, str]] = []
        for job, entries in JOBS.items():
            listed = [(name, entry.summary) for name, entry in entries.items() if entry.of is None]
            for place, (name, summary) in enumerate(listed):
                rows.append((f"{'' if place else job:<9}{name}", summary))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the exit codes."""
        codes = "; ".join(f"{code.value} {meaning}" for code, meaning in MEANINGS.items())
        formatter.write_paragraph()
        formatter.write_text(
            f"`legacymind COMMAND --help` shows options and examples. Exit codes: {codes}. More: docs/cli.md."
        )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands and options that complete what was typed; no command is imported for it."""
        found = [
            CompletionItem(name, help=entry.summary)
            for name, entry in ENTRIES.items()
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Its errors name options and commands, not parameters and tools."""
        try:
            return super().invoke(ctx)
        except LegacyMindError as error:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            if command is not None:
                from legacymind.doors.cli.wording import reword

                reword(error, command)
            raise


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="legacymind")
def cli() -> None:
    """A Neo4j graph-native memory for AI agents. New here? Run `legacymind demo`."""


def main() -> None:
    """Run the command line. An exception becomes one message and an exit code, without a traceback.

    The traceback of an exception outside the tree of ``LegacyMindError`` is written to a log file.
    """
    # Characters that the terminal cannot encode are replaced instead of raising an error.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        code = cli(standalone_mode=False)
    except LegacyMindError as error:
        _report(error)
        code = exit_of(error)
    except click.Abort as stopped:
        if isinstance(stopped.__cause__ or stopped.__context__, KeyboardInterrupt):
            code = Exit.INTERRUPTED
        else:
            print("Not confirmed; nothing was changed.", file=sys.stderr)
            code = Exit.FAILED
    except click.ClickException as misused:
        if "--json" in sys.argv:
            _report(InvalidInput(misused.format_message()))
        else:
            misused.show()
        code = misused.exit_code
    except KeyboardInterrupt:
        code = Exit.INTERRUPTED
    except Exception as error:
        _report(_logged(error))
        code = Exit.FAILED
    sys.exit(code)


def _report(error: LegacyMindError) -> None:
    if "--json" in sys.argv:
        import json

        print(json.dumps({"error": {"code": error.code, "message": str(error)}}, ensure_ascii=False))
    else:
        print(f"Error: {error}", file=sys.stderr)


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
