"""The console script: fixed commands, and one command per operation, listed by job.

A command is imported or built only when it is used, so that ``legacymind mcp`` starts quickly.
"""

import importlib
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from legacymind.calls import calling
from legacymind.characters import escaped, visible
from legacymind.doors.cli.exits import Exit, exit_of
from legacymind.doors.cli.listing import JOBS, NAMES
from legacymind.errors import InvalidInput, LegacyMindError
from legacymind.origins import AGENT, USER

_FIXED: Final = {
    "commands.browser": ("browser",),
    "commands.calibrate": ("calibrate",),
    "commands.demo": ("demo",),
    "commands.doctor": ("doctor",),
    "commands.engine": ("up", "down", "status", "logs"),
    "commands.key": ("key",),
    "commands.namespace": ("namespace",),
    "commands.serve": ("serve", "mcp"),
    "commands.sync": ("sync",),
    "commands.token": ("token",),
    "commands.trust": ("trust",),
    "commands.transfer": ("import", "export", "backup", "restore"),
    "commands.verify": ("verify",),
    "hooks.command": ("hook",),
    "install.command": ("install", "uninstall"),
}
"""The commands of each module: functions of their name, with an underscore after a name that Python has."""

_MODULES: Final = {name: module for module, names in _FIXED.items() for name in names}


class Commands(click.Group):
    """The group of all commands, listed by job."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name in _MODULES:
            module = importlib.import_module(f"legacymind.doors.cli.{_MODULES[cmd_name]}")
            return getattr(module, f"{cmd_name}_", None) or getattr(module, cmd_name)
        from legacymind.doors.cli import operations

        return operations.command(cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, and print the help if they ask for it."""
        with _reader_may_leave():
            return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments begin with. Raises UsageError that names the nearest ones."""
        if self.get_command(ctx, args[0]) is None:
            raise click.exceptions.NoSuchCommand(args[0], possibilities=NAMES, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line per command, with the job before the first of its commands."""
        rows: list[tuple[str, str]] = []
        for job, lines in JOBS.items():
            for place, line in enumerate(lines):
                names, _, summary = line.partition(": ")
                rows.append((f"{'' if place else job:<9}{names.partition(',')[0]}", summary))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the exit codes."""
        codes = "; ".join(f"{code.value} {code.meaning}" for code in Exit)
        formatter.write_paragraph()
        formatter.write_text(
            f"`legacymind COMMAND --help` shows options and examples. Exit codes: {codes}. More: "
            "docs/interfaces/cli.md."
        )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands and options that complete what was typed; no command is imported for it."""
        found = [CompletionItem(name) for name in NAMES if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _reader_may_leave():
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result


@contextmanager
def _reader_may_leave() -> Generator[None]:
    """End without an error if nobody reads the output any more: `head` has what it wanted."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(Exit.DONE) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="legacymind")
def cli() -> None:
    """A Neo4j graph-native memory for AI agents. New here? Run `legacymind demo`."""


def main() -> None:
    """Run the command line. An exception becomes one message and an exit code, without a traceback.

    The traceback of an exception outside the tree of ``LegacyMindError`` is written to a log file.
    """
    if "neo4j" not in sys.modules:
        # The driver would import them, which takes a second and 70 MB. db/gds.py does when they are needed.
        hidden: Any = dict.fromkeys(("pandas", "pyarrow"))
        sys.modules.update(hidden)
    # Characters that the terminal cannot encode are replaced instead of raising an error.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    code: int = Exit.FAILED
    try:
        with calling(door="command line", given=USER if _is_user() else AGENT):
            code = cli(standalone_mode=False)
    except LegacyMindError as error:
        _report(error)
        code = exit_of(error)
    except click.Abort as stopped:
        if isinstance(stopped.__cause__ or stopped.__context__, KeyboardInterrupt):
            code = Exit.INTERRUPTED
        else:
            print("Not confirmed; nothing was changed.", file=sys.stderr)
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
    sys.exit(code)


def _is_user() -> bool:
    """Whether the user types the command, or a script of theirs says so; an agent has no terminal."""
    return bool(os.environ.get("LEGACYMIND_USER")) or (sys.stdin.isatty() and sys.stdout.isatty())


def _report(error: LegacyMindError) -> None:
    if "--json" in sys.argv:
        import json

        print(escaped(json.dumps(error.envelope(), ensure_ascii=False)))
    else:
        print(f"Error: {visible(str(error))}", file=sys.stderr)


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
        path.touch(mode=0o600)  # A traceback may quote a text.
        file = logging.FileHandler(path, encoding="utf-8")
    except (LegacyMindError, OSError):
        return reported(raised)
    file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger("legacymind").addHandler(file)
    try:
        return reported(raised)
    finally:
        logging.getLogger("legacymind").removeHandler(file)
        file.close()
        print(f"The traceback is in {path}.", file=sys.stderr)


if __name__ == "__main__":
    main()
