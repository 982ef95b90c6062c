"""The command `anchor`: prints an anchor's line, or appends it to a file."""

from pathlib import Path

import click

from legacymind.doors.cli import output
from legacymind.doors.cli.connect import connected
from legacymind.doors.cli.options import json_option, namespace_option
from legacymind.doors.cli.parsing import Command
from legacymind.doors.cli.run import run
from legacymind.errors import InvalidInput
from legacymind.model.chain import Anchor


@click.command(cls=Command)
@click.argument("session_id", required=False)
@click.option("--out", type=click.Path(path_type=Path), help="Append the line to this file, too.")
@namespace_option
@json_option
def anchor(session_id: str | None, out: Path | None, namespace: str | None, as_json: bool) -> None:
    """Anchor the chain heads of a session, or of all: one line to keep outside the database.

    Keep the line where nobody can change it: in a git commit, a ticket or with a timestamping service.
    `legacymind verify --anchor` later proves each session against it. Nothing is verified before.
    """
    made: Anchor = run(lambda: _anchor(session_id, namespace))
    if out is not None:
        try:
            with out.open("a", encoding="utf-8") as file:
                file.write(made.line + "\n")
        except OSError as reason:
            raise InvalidInput(
                f"{out} cannot be written: {reason.strerror}.",
                effect="The anchor was made, but its line is not in the file.",
                hint=f"Keep this line: {made.line}",
            ) from None
    if as_json:
        output.print_json(made)
    else:
        output.address(made.line)
    if made.headless:
        click.echo(
            f"Not anchored, since they have no head: {made.headless} sessions. "
            "Run `legacymind verify --all`.",
            err=True,
        )


async def _anchor(session_id: str | None, namespace: str | None) -> Anchor:
    async with connected() as mind:
        return await mind.anchor(session_id=session_id, namespace=namespace)
