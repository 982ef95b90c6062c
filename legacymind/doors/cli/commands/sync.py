"""The command `sync`."""

import asyncio
from typing import Final

import click

from legacymind.doors.cli import output, show
from legacymind.doors.cli.command import Command, json_option, namespace_option
from legacymind.doors.cli.exits import Exit
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import in_mind
from legacymind.errors import EngineError
from legacymind.mind import Mind
from legacymind.model.progress import Progress
from legacymind.model.sync import SyncResult

_PAUSE: Final = 30.0
"""Seconds between two synchronisations of `--watch`."""


@click.command(
    cls=Command,
    epilog=examples("sync ~/Sync/memory --trust", "sync https://memory.example.com --watch", "sync --status"),
)
@click.argument("place", required=False)
@click.option("--token", envvar="LEGACYMIND_SYNC_TOKEN", show_envvar=True, help="Token of a server.")
@click.option("--trust", is_flag=True, help="Only homes of your own write there: trust them as this one.")
@click.option("--private", is_flag=True, help="Send private sessions, too; without it, they stay home.")
@click.option("--dry-run", is_flag=True, help="Show what would come and go, and change nothing.")
@click.option("--watch", is_flag=True, help="Synchronise every half minute until it is interrupted.")
@click.option("--status", is_flag=True, help="Show how far this and other homes are, at PLACE or everywhere.")
@click.option("--new-replica", is_flag=True, help="Give a copied or restored home an id of its own.")
@namespace_option
@json_option
@click.pass_context
def sync(
    context: click.Context,
    place: str | None,
    token: str | None,
    trust: bool,
    private: bool,
    dry_run: bool,
    watch: bool,
    status: bool,
    new_replica: bool,
    namespace: str | None,
    as_json: bool,
) -> None:
    """Make a namespace the same on several machines, through a folder or a server.

    PLACE is a folder that anything may carry, or the https address of another `legacymind serve`. It stores
    what other homes wrote there, and writes what changed here (docs/operation/sync.md). --trust and --private
    are remembered for the place.
    """
    if status:
        show.told(in_mind(lambda mind, _: mind.sync_status(place, namespace)), as_json)
        return
    if place is None:
        raise click.UsageError("Missing argument 'PLACE': the folder or server to synchronise with.")

    async def work(mind: Mind, progress: Progress) -> SyncResult:
        first = True
        while True:
            try:
                result = await mind.sync(
                    place,
                    namespace,
                    token=token,
                    trust=trust,
                    private=private,
                    dry_run=dry_run,
                    new_replica=new_replica and first,
                    progress=progress,
                )
            except EngineError as reason:
                if first:
                    raise
                output.remark(str(reason))  # a laptop goes on when it has its network again
            else:
                if result.stored:
                    progress("embedding", 0, 1)
                    await mind.catch_up()
                if not watch:
                    return result
                if first or result.written or result.stored or result.removed or result.problems:
                    _print(result, as_json)
            first = False
            await asyncio.sleep(_PAUSE)

    result = in_mind(work, staged=True)
    _print(result, as_json)
    context.exit(Exit.FAILED if result.problems else 0)


def _print(result: SyncResult, as_json: bool) -> None:
    show.told(result, as_json)
    for problem in result.problems:
        output.remark(problem)
