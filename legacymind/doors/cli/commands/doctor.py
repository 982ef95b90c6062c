"""The command `doctor`: looks for problems, says what mends each, and mends what is safe."""

from typing import Final

import click
from rich.text import Text

from legacymind.doors.cli import output
from legacymind.doors.cli.command import json_option
from legacymind.doors.cli.exits import EXIT_OF_STATE, Exit
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import in_mind
from legacymind.model.health import CheckResult, CheckState, Diagnosis

_MARKS: Final[dict[CheckState, tuple[str, str]]] = {
    "ok": ("✓", "green"),
    "mended": ("✓", "green"),
    "warning": ("!", "yellow"),
    "problem": ("✗", "red"),
    "skipped": ("-", "dim"),
}

_WIDTH: Final = 14
"""Columns of the names of checks."""


@click.command(epilog=examples("doctor", "doctor --fix", "doctor --json"))
@click.option("--fix", is_flag=True, help="Fix problems that need no data loss.")
@json_option
@click.pass_context
def doctor(context: click.Context, fix: bool, as_json: bool) -> None:
    """Check the setup, the engine and the database, and say what mends each problem.

    Starts no engine, and changes nothing without --fix. Exit code 0: no problem, though there may be
    warnings; otherwise that of the worst problem (docs/interfaces/cli.md).
    """
    diagnosis = in_mind(lambda mind, _: mind.diagnose(fix=fix))
    if as_json:
        output.print_json(diagnosis)
    else:
        for check in diagnosis.checks:
            _show(check)
    context.exit(_exit(diagnosis))


def _show(check: CheckResult) -> None:
    mark, style = _MARKS[check.state]
    prefix = Text.assemble((mark, style), f" {check.name:<{_WIDTH}}")
    if not check.problems:
        output.wrapped(prefix, check.message, style="dim" if check.state == "skipped" else "")
    for place, problem in enumerate(check.problems):
        beginning = prefix if place == 0 else Text(" " * (_WIDTH + 2))
        output.wrapped(beginning, problem.what, style=style)
        output.wrapped(Text(" " * (_WIDTH + 2)), problem.mend)


def _exit(diagnosis: Diagnosis) -> Exit:
    severities = {problem.severity for check in diagnosis.checks for problem in check.problems}
    return next((code for severity, code in EXIT_OF_STATE.items() if severity in severities), Exit.DONE)
