"""The commands `import` and `export` of a namespace, and `backup` and `restore` of the whole database."""

import json
import shutil
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from legacymind.doors.cli import output, show
from legacymind.doors.cli.command import Command, json_option, namespace_option
from legacymind.doors.cli.exits import EXIT_OF_STATE, Exit
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import accessed, in_mind
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.progress import Progress
from legacymind.model.sync import Restoration
from legacymind.services.knowledge.importers.formats import FORMATS
from legacymind.services.knowledge.importers.graphs import GRAPHS
from legacymind.services.knowledge.importers.records import LineNumber, RefusedLine
from legacymind.services.knowledge.importing import Imported
from legacymind.settings import load_settings
from legacymind.text.numbers import counted

_SHOWN_REFUSED: Final = 20
"""The most refused lines that are printed."""

_NOUNS: Final = {
    "entities": "entity",
    "observations": "observation",
    "relations": "relation",
    "thoughts": "thought",
}


@click.command(
    "import",
    epilog=examples(
        "import memory.jsonl --dry-run", "import notes/ --namespace notes", "import --format graphiti"
    ),
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_name",
    type=click.Choice([*FORMATS, *GRAPHS]),
    help=f"Default: recognised by the file. {', '.join(GRAPHS)} are graphs in the database and take no file.",
)
@click.option("--group", help="Group of Graphiti's to import, if there are several.")
@click.option("--trust", is_flag=True, help="Only your own homes wrote this export: trust it as this one.")
@namespace_option
@click.option("--dry-run", is_flag=True, help="Check the file and count its items, but store nothing.")
@json_option
@click.pass_context
def import_(
    context: click.Context,
    file: Path | None,
    format_name: str | None,
    group: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Import a file, folder, ZIP or another tool's graph in the database (docs/memory/importing.md).

    FILE - reads standard input. Importing again adds nothing. A line that cannot be imported is reported, all
    others are imported, and the exit code is 1; --dry-run shows them before. After an export of a namespace,
    every chain of the namespace is verified, and the exit code is that of `verify --all`.
    """
    graph = format_name is not None and format_name in GRAPHS
    if graph and file is not None:
        raise InvalidInput(
            f"{format_name} is a graph in the database, and {file} is a file.", hint="Omit the file."
        )
    trust = options.pop("trust")
    if not graph and (file is None or group is not None):
        raise InvalidInput(
            "There is no file to import." if file is None else "A file has no groups.",
            hint=f"Name a file or folder, or a graph with --format: {', '.join(GRAPHS)}.",
        )

    async def work(mind: Mind, progress: Progress) -> Imported | Restoration:
        if file is None:
            return await mind.import_graph(str(format_name), group=group, progress=progress, **options)
        with accessed(file, "read"), _read(file) as source:
            result = await mind.import_file(
                source, format=format_name, trust=trust, progress=progress, **options
            )
        if isinstance(result, Restoration) and result.stored:
            progress("embedding", 0, 1)
            await mind.catch_up()
        return result

    imported = in_mind(work, staged=True)
    if as_json:
        output.print_json(imported)
    else:
        _report(imported, dry_run=options["dry_run"])
    if imported.refused or (isinstance(imported, Restoration) and imported.incomplete):
        context.exit(Exit.FAILED)
    if isinstance(imported, Imported):
        return
    context.exit(EXIT_OF_STATE.get(imported.chains.verdict, Exit.DONE) if imported.chains else Exit.DONE)


@contextmanager
def _read(file: Path) -> Generator[Path]:
    """The file; a temporary copy of standard input for ``-``, since an import reads a file several times."""
    if file != Path("-"):
        yield file
        return
    with TemporaryDirectory(prefix="legacymind-") as folder:
        copy = Path(folder, "stdin")
        with copy.open("wb") as target:
            shutil.copyfileobj(sys.stdin.buffer, target)
        yield copy


def _report(imported: Imported | Restoration, *, dry_run: bool) -> None:
    if isinstance(imported, Restoration):
        show.result(replace(imported, refused=imported.refused[:_SHOWN_REFUSED]))
        _report_more(imported.refused)
        return
    counts = ", ".join(counted(getattr(imported, name), noun) for name, noun in _NOUNS.items())
    if dry_run:
        output.message(f"Found {counts}. Nothing was stored.")
    else:
        output.message(f"New: {counts}. Already stored: {imported.known}.")
    show.parts.remarks(imported)
    if imported.skipped:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in imported.skipped.items())
        output.message(f"Skipped {counted(sum(imported.skipped.values()), 'message')}: {reasons}.")
    _report_refused(imported.refused, dry_run=dry_run)


def _report_refused(lines: Sequence[RefusedLine], *, dry_run: bool) -> None:
    """Print the refused lines to standard error, at most ``_SHOWN_REFUSED`` of them."""
    for line in lines[:_SHOWN_REFUSED]:
        where = LineNumber(line.line, line.file)
        output.remark(f"{where} {'cannot be' if dry_run else 'was not'} imported: {line.reason}.")
    _report_more(lines)
    if lines:
        output.remark("Correct these lines and import again; known items are skipped.")


def _report_more(refused: Sequence[object]) -> None:
    if len(refused) > _SHOWN_REFUSED:
        output.remark(f"{len(refused) - _SHOWN_REFUSED:,} more lines cannot be imported.")


@click.command(
    cls=Command,
    epilog=examples("export --out memory.jsonl", "export deploys"),
)
@click.argument("session_id", required=False)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a namespace to this new file.",
)
@click.option(
    "--bundle",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write entities and their facts as Markdown, in Google's Open Knowledge Format.",
)
@namespace_option
def export(session_id: str | None, out: Path | None, bundle: Path | None, namespace: str | None) -> None:
    """Export a namespace as JSON Lines, which `import` stores as it was (docs/memory/importing.md).

    Private and redacted thoughts are included. With SESSION_ID, only the hash chain of that session;
    docs/trust/chain.md shows how to verify it independently.
    """
    options = {"SESSION_ID": session_id, "--out": out, "--bundle": bundle}
    given = [name for name, value in options.items() if value]
    if len(given) > 1:
        raise click.UsageError(f"{given[0]} and {given[1]} cannot be used together.")
    if out is not None and not out.absolute().parent.is_dir():
        raise click.BadParameter(f"{out.parent} is not a folder.", param_hint="--out")

    async def work(mind: Mind, progress: Progress) -> None:
        if session_id is not None:
            async for line in mind.export_chain(session_id, namespace):
                # ASCII, so that the terminal's encoding cannot change a hashed text.
                print(json.dumps(line))
        elif bundle is not None:
            entities = await mind.export_bundle(bundle, namespace)
            output.message(f"Wrote {counted(entities, 'entity')} to {bundle}.")
        elif out is not None:
            lines = await mind.export_file(out, namespace=namespace, progress=progress)
            output.message(f"Wrote {counted(lines, 'line')} to {out}.")
        else:
            async for text in mind.export(namespace, progress=progress):
                print(text)

    in_mind(work, staged=out is not None)


@click.command(
    epilog=examples("backup legacymind.backup", "backup legacymind.backup --force --json"),
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@json_option
def backup(file: Path, force: bool, as_json: bool) -> None:
    """Back up the managed Neo4j's database to a file. Clients may go on: their calls wait while it is copied.

    The file has all namespaces, tokens for `serve` included, but neither the password of Neo4j nor the keys
    of hash chains. It is not encrypted: whoever can read it can read every thought
    (docs/operation/backup.md).
    """
    settings = load_settings()
    done = in_mind(
        lambda mind, progress: mind.backup(file, force=force, progress=progress), settings, staged=True
    )
    show.told(done, as_json)
    if settings.chain_key:
        output.remark("The key of the hash chains is not in the file. Keep it elsewhere, too.")


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
    show.told({"restored": restored, "chains": chains}, as_json)
    context.exit(EXIT_OF_STATE.get(chains.verdict, 0))
