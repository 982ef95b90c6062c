"""The commands `backup` and `restore` of the managed engine's database."""

from pathlib import Path

import click

from legacymind.doors.cli import output, show
from legacymind.doors.cli.command import json_option
from legacymind.doors.cli.exits import EXIT_OF_STATE
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import in_mind
from legacymind.settings import load_settings


@click.command(
    epilog=examples("backup legacymind.backup", "backup legacymind.backup --force --json"),
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@json_option
def backup(file: Path, force: bool, as_json: bool) -> None:
    """Back up the managed Neo4j's database to a file. Clients may go on: their calls wait while it is copied.

    The file has all namespaces, tokens for `serve` included, but neither the password of Neo4j nor the keys
    of hash chains. It is not encrypted: whoever can read it can read every thought (docs/backup.md).
    """
    settings = load_settings()
    done = in_mind(
        lambda mind, progress: mind.backup(file, force=force, progress=progress), settings, staged=True
    )
    if as_json:
        output.print_json(done)
        return
    output.address(f"Backup: {done.file}, {_size(done.size)} ({_size(done.database_size)} uncompressed).")
    if done.stopped_for:
        output.message(f"Neo4j was stopped for {done.stopped_for:g} s and runs again.")
    if settings.chain_key:
        output.message(
            f"The key {settings.chain_key_id} of the hash chains is not in the file. Keep it elsewhere, too."
        )


@click.command(
    epilog=examples("restore legacymind.backup", "restore legacymind.backup --force"),
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Replace the database of this home, which is kept aside.")
@json_option
@click.pass_context
def restore(context: click.Context, file: Path, force: bool, as_json: bool) -> None:
    """Restore a backup into this home, start Neo4j, and verify every chain.

    The exit code is that of `verify --all`: 0 if every chain is intact.
    """

    restored, chains = in_mind(
        lambda mind, progress: mind.restore(file, force=force, progress=progress), staged=True
    )
    if as_json:
        output.print_json({"restored": restored, "chains": chains})
    else:
        output.message(
            f"Restored the backup of {restored.created_at}: {_size(restored.database_size)}. Neo4j runs."
        )
        if restored.replaced is not None:
            output.address(f"The database before is in {restored.replaced}; delete it when it is not needed.")
        show.result(chains)
    context.exit(EXIT_OF_STATE.get(chains.verdict, 0))


def _size(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"
