"""Verifying from the command line: one chain or all of them, for people and for CI."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from legacymind.doors.answer import compact, jsonable
from legacymind.doors.cli import show
from legacymind.doors.cli.run import configured, run
from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.chain import ChainHead, ChainReport

_NOTHING: Final = 3
"""Exit code of --all without any session: a check of the wrong namespace must not pass."""


@click.command()
@click.argument("session_id", required=False)
@click.option("--all", "every", is_flag=True, help="Every session of the namespace.")
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Heads exported earlier (legacymind heads --json); once for each page.",
)
@click.option("--allow-unsigned", is_flag=True, help="Take unsigned heads although a chain key is set.")
@click.option("--allow-empty", is_flag=True, help="Pass with --all when there is no session at all.")
@click.option("--report", type=click.Path(path_type=Path), help="Write what was found as JSON.")
@click.option("--namespace", help="Namespace to verify.")
@click.option("--json", "as_json", is_flag=True, help="Print what the MCP tool answers.")
@click.pass_context
def verify(
    context: click.Context,
    session_id: str | None,
    every: bool,
    against: tuple[Path, ...],
    allow_unsigned: bool,
    allow_empty: bool,
    report: Path | None,
    namespace: str | None,
    as_json: bool,
) -> None:
    """Verify that no thought was changed, removed or inserted.

    Exit code 1 when one was or it cannot be told, 3 when there was no session to verify.
    """
    if every == (session_id is not None):
        raise click.UsageError("Give a SESSION_ID, or --all.")
    if allow_unsigned and not against:
        raise click.UsageError("--allow-unsigned is said of the heads of --against.")
    if allow_empty and not every:
        raise click.UsageError("--allow-empty is said of --all.")
    reports = run(
        lambda: _verify(session_id, against, namespace, allow_unsigned=allow_unsigned, quiet=as_json)
    )
    sound = all(found.valid and found.complete and found.known_head is not False for found in reports)
    answer: Any = [jsonable(found) for found in reports] if every else jsonable(reports[0])
    if report is not None:
        report.write_text(json.dumps(answer, ensure_ascii=False, indent=1), encoding="utf-8")
    if as_json:
        print(compact(answer))
    elif every:
        _summary(reports)
    else:
        show.result(reports[0])
    if not sound:
        context.exit(1)
    if not reports and not allow_empty:
        # On the error stream, so that standard output is an empty list for whoever reads it as JSON.
        nothing = NotFound(
            f"There is no session in the namespace {namespace or configured().namespace}.",
            effect="Nothing was verified.",
            hint="Check --namespace and where the database is; if none is right, pass --allow-empty.",
        )
        click.echo(f"Error: {nothing}", err=True)
        context.exit(_NOTHING)


async def _verify(
    session_id: str | None,
    against: tuple[Path, ...],
    namespace: str | None,
    *,
    allow_unsigned: bool,
    quiet: bool,
) -> list[ChainReport]:
    async with Mind(configured()) as mind:
        known = _known(mind, against, session_id, namespace, allow_unsigned=allow_unsigned)
        if session_id is not None:
            sessions = [session_id]
        else:
            # A session that was exported and is gone altogether must be missed.
            sessions = sorted({*known, *[found async for found in mind.heads.sessions(namespace)]})
        reports: list[ChainReport] = []
        with show.progress(quiet=quiet) as tell:
            for done, session in enumerate(sessions):
                if session_id is None:
                    tell("verifying sessions", done, len(sessions))
                head = known.get(session)
                reports.append(
                    await mind.chain.verify(
                        session,
                        known_step=head.step if head else None,
                        known_hash=head.hash if head else None,
                        namespace=namespace,
                        progress=None if quiet else tell,
                    )
                )
    return reports


def _known(
    mind: Mind,
    against: tuple[Path, ...],
    session_id: str | None,
    namespace: str | None,
    *,
    allow_unsigned: bool,
) -> Mapping[str, ChainHead]:
    """The heads of all files; raises InvalidInput for heads that do not say what is asked of them."""
    known: dict[str, ChainHead] = {}
    further: dict[str, Path] = {}
    space = namespace or mind.settings.namespace
    told = "Nothing was verified."
    for file in against:
        exported = _read(file)
        known |= mind.heads.read_heads(exported, allow_unsigned=allow_unsigned)
        if exported.get("namespace") != space:
            raise InvalidInput(
                f"{file} holds heads of another namespace than {space}.",
                effect=told,
                hint="Name it: --namespace.",
            )
        if exported.get("nextAfter") is not None:
            further[str(exported["nextAfter"])] = file
    names = ", ".join(str(file) for file in against)
    if against and session_id is not None and session_id not in known:
        raise InvalidInput(
            f"There is no head of {session_id} in {names}.", effect=told, hint="Use an export that has it."
        )
    for first, file in further.items():
        # Else a session of a later page could be gone, and nobody would miss it.
        if session_id is None and not any(session >= first for session in known):
            raise InvalidInput(
                f"{file} is one page of heads; the sessions from {first} on are on the next.",
                effect=told,
                hint="Export that too (legacymind heads --json --after ...), and give each with --against.",
            )
    return known


def _read(file: Path) -> Mapping[str, Any]:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as reason:
        raise InvalidInput(
            f"{file} cannot be read as JSON: {reason}.",
            effect="Nothing was verified.",
            hint="Check the file.",
        ) from None


def _summary(reports: list[ChainReport]) -> None:
    broken = [
        found for found in reports if not found.valid or not found.complete or found.known_head is False
    ]
    for found in broken:
        show.console.print(f"[red]✗[/] {found.session_id}: {found.message}", soft_wrap=True, markup=True)
    thoughts = sum(found.thought_count for found in reports)
    intact = len(reports) - len(broken)
    show.say(f"{len(reports)} sessions, {thoughts} thoughts: {intact} intact, {len(broken)} not.")
