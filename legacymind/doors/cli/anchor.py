"""The command `anchor`: prints an anchor's line, or appends it to a file."""

from pathlib import Path

import click

from legacymind.doors.answer import compact, jsonable
from legacymind.doors.cli.run import run
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.chain import Anchor


@click.command()
@click.option("--session-id", help="Session to anchor. Default: all sessions of the namespace.")
@click.option("--out", type=click.Path(path_type=Path), help="Append the line to this file, too.")
@click.option("--namespace", help="Namespace to anchor.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, as the MCP tool returns it.")
def anchor(session_id: str | None, out: Path | None, namespace: str | None, as_json: bool) -> None:
    """Anchor the chain heads of all sessions: one line to keep outside the database.

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
    click.echo(compact(jsonable(made)) if as_json else made.line)
    if made.headless:
        click.echo(
            f"Not anchored, since they have no head: {made.headless} sessions. "
            "Run `legacymind verify --all`.",
            err=True,
        )


async def _anchor(session_id: str | None, namespace: str | None) -> Anchor:
    async with Mind() as mind:
        return await mind.anchor(session_id=session_id, namespace=namespace)
