"""The commands `import` and `export`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypedDict

import click

from legacymind.doors.cli import output, show, survey
from legacymind.doors.cli.connect import connected
from legacymind.doors.cli.exits import EXIT_OF_VERDICT, Exit
from legacymind.doors.cli.options import json_option, namespace_option
from legacymind.doors.cli.parsing import Command
from legacymind.doors.cli.run import run
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.progress import Progress
from legacymind.services.knowledge.importers.formats import FORMATS
from legacymind.services.knowledge.importers.graphs import GRAPHS
from legacymind.services.knowledge.importers.records import LineNumber, RefusedLine
from legacymind.services.knowledge.importing import Imported
from legacymind.services.transfer.restoration import Restoration
from legacymind.text.numbers import counted

_SHOWN_REFUSED: Final = 20
"""The most refused lines that are printed."""


@click.command("import")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_name",
    type=click.Choice([*FORMATS, *GRAPHS]),
    help=f"Default: recognised by the file. {', '.join(GRAPHS)} are graphs in the database and take no file.",
)
@click.option("--group", help="Group of Graphiti's to import, if there are several.")
@namespace_option
@click.option("--strict", is_flag=True, help="Store nothing if a line cannot be imported.")
@click.option("--dry-run", is_flag=True, help="Check the file and count its items, but store nothing.")
@click.option(
    "--map-ids",
    is_flag=True,
    help="Import an export into another namespace: with new ids, and with its chains hashed again.",
)
@json_option
@click.pass_context
def import_(
    context: click.Context,
    file: Path | None,
    format_name: str | None,
    group: str | None,
    namespace: str | None,
    strict: bool,
    dry_run: bool,
    map_ids: bool,
    as_json: bool,
) -> None:
    """Import a file, a folder or another tool's graph in the database (docs/importing.md).

    Importing again adds nothing. A line that cannot be imported is reported, all others are imported, and the
    exit code is 1. With --strict, such a line stops the import before anything is stored. An export of a
    namespace is always imported so; then every chain of the namespace is verified, and the exit code is that
    of `verify --all`.
    """

    async def work() -> None:
        async with connected() as mind:
            with output.progress() as progress:
                options: _Options = {
                    "namespace": namespace,
                    "progress": progress,
                    "strict": strict,
                    "dry_run": dry_run,
                }
                imported = await _imported(mind, file, format_name, group, options, map_ids=map_ids)
        if as_json:
            output.print_json(imported)
        elif isinstance(imported, Restoration):
            _report_restoration(imported)
        else:
            _report(imported, dry_run=dry_run)
        if isinstance(imported, Restoration):
            context.exit(EXIT_OF_VERDICT.get(imported.chains.verdict, Exit.DONE) if imported.chains else 0)
        if imported.refused:
            context.exit(Exit.FAILED)

    run(work)


def _report_restoration(restored: Restoration) -> None:
    counts = ", ".join(
        counted(count, noun)
        for noun, count in (
            ("entity", restored.entities),
            ("observation", restored.observations),
            ("thought", restored.thoughts),
            ("session", restored.sessions),
            ("link", restored.links),
        )
    )
    if restored.incomplete is not None:
        click.echo(restored.incomplete, err=True)
    if restored.chains is None:
        output.message(f"Found {counts}. Nothing was stored.")
        return
    output.message(f"New: {counts}. Already stored: {restored.known}.")
    if restored.left_out:
        output.message(
            f"{counted(restored.left_out, 'link')} to nodes that the file does not have were left out."
        )
    if restored.mapped:
        output.message("The ids are new, and the chains were hashed again: keep the file as their proof.")
    if restored.embedded_later:
        output.message(
            "Nodes without a vector of the configured model are found by their text only, until services and "
            "later calls have embedded them."
        )
    survey.report(restored.chains)


def _report(imported: Imported, *, dry_run: bool) -> None:
    counts = ", ".join(
        counted(count, noun)
        for noun, count in (
            ("entity", imported.entities),
            ("observation", imported.observations),
            ("relation", imported.relations),
            ("thought", imported.thoughts),
        )
    )
    if dry_run:
        output.message(f"Found {counts}. Nothing was stored.")
    else:
        output.message(f"New: {counts}. Already stored: {imported.known}.")
    show.dropped_tags(imported.dropped_tags)
    if imported.deferred:
        output.message(show.DEFERRED)
    if imported.refused:
        _report_refused(imported.refused, dry_run=dry_run)


class _Options(TypedDict):
    namespace: str | None
    progress: Progress
    strict: bool
    dry_run: bool


async def _imported(
    mind: Mind,
    file: Path | None,
    format_name: str | None,
    group: str | None,
    options: _Options,
    *,
    map_ids: bool,
) -> Imported | Restoration:
    """Import a file, or the graph of a format that has none. Raises InvalidInput."""
    if format_name in GRAPHS:
        if file is not None:
            raise InvalidInput(
                f"{format_name} is a graph in the database, and {file} is a file.", hint="Omit the file."
            )
        return await mind.import_graph(format_name, group=group, **options)
    if file is None or group is not None:
        raise InvalidInput(
            "There is no file to import." if file is None else "A file has no groups.",
            hint=f"Name a file or folder, or a graph with --format: {', '.join(GRAPHS)}.",
        )
    try:
        return await mind.import_file(file, format=format_name, map_ids=map_ids, **options)
    except OSError as reason:
        raise InvalidInput(f"{file} cannot be read: {reason.strerror}.", hint="Check the path.") from None


def _report_refused(lines: Sequence[RefusedLine], *, dry_run: bool) -> None:
    """Print the refused lines to standard error, at most ``_SHOWN_REFUSED`` of them."""
    for line in lines[:_SHOWN_REFUSED]:
        where = LineNumber(line.line, line.file)
        click.echo(
            f"{where} {'cannot be' if dry_run else 'was not'} imported: {line.reason}.",
            err=True,
        )
    if len(lines) > _SHOWN_REFUSED:
        click.echo(f"{len(lines) - _SHOWN_REFUSED:,} more lines cannot be imported.", err=True)
    click.echo("Correct these lines and import again; known items are skipped.", err=True)


@click.command(cls=Command)
@click.argument("session_id", required=False)
@click.option("--vectors", is_flag=True, help="Export vectors, too, so that an import embeds nothing.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a namespace to this new file. Interrupted, the same command goes on where it stopped.",
)
@namespace_option
def export(session_id: str | None, vectors: bool, out: Path | None, namespace: str | None) -> None:
    """Export a namespace as JSON Lines, which `import` stores as it was (docs/import-format.md).

    Private and redacted thoughts are included. With SESSION_ID, only the hash chain of that session;
    docs/chain.md shows how to verify it independently.
    """
    if session_id is not None and (vectors or out is not None):
        option = "--vectors" if vectors else "--out"
        raise click.UsageError(f"{option} exports a namespace; omit SESSION_ID.")
    if out is not None and not out.absolute().parent.is_dir():
        raise click.BadParameter(f"{out.parent} is no folder.", param_hint="--out")

    async def work() -> None:
        async with connected() as mind:
            if session_id is not None:
                async for line in mind.export_chain(session_id, namespace):
                    # ASCII, so that the terminal's encoding cannot change a hashed text.
                    print(json.dumps(line))
                return
            if out is not None:
                with output.progress() as progress:
                    lines = await mind.export_file(
                        out, namespace=namespace, vectors=vectors, progress=progress
                    )
                output.message(f"Wrote {counted(lines, 'line')} to {out}.")
                return
            with output.waiting() as progress:
                async for text in mind.export(namespace, vectors=vectors, progress=progress):
                    print(text)

    run(work)
