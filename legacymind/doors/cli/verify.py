"""The command `verify`: one chain or all chains of a namespace, for people and for CI."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from legacymind.doors.answer import compact, jsonable
from legacymind.doors.cli import show
from legacymind.doors.cli.run import run
from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.base import ChainVerdict
from legacymind.model.chain import ChainHead, ChainReport
from legacymind.services.chain.anchor_line import AnchorLine, anchor_lines
from legacymind.services.chain.walk import KnownHead
from legacymind.settings import load_settings

_NO_SESSIONS: Final = 3
"""Exit code of --all when there is no session: checking the wrong namespace must not pass."""

_EXIT_CODES: Final[dict[ChainVerdict, int]] = {"broken": 1, "unverifiable": 5, "truncated": 4}
"""Exit codes of verdicts, the worst first; `intact` has 0."""


@click.command()
@click.argument("session_id", required=False)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Verify every session of the namespace; the default with --against or --anchor.",
)
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Compare with heads exported earlier (legacymind heads --json). Repeat for each page.",
)
@click.option(
    "--anchor",
    "anchored",
    metavar="FILE|LINE",
    multiple=True,
    help="Compare with every anchor in this file, or with this one (legacymind anchor). May be repeated.",
)
@click.option("--allow-unsigned", is_flag=True, help="Accept unsigned heads even if a chain key is set.")
@click.option("--require-key", is_flag=True, help="Report each step that has no key as a fault.")
@click.option("--allow-empty", is_flag=True, help="Succeed if --all finds no session.")
@click.option("--report", type=click.Path(path_type=Path), help="Write the reports to this file as JSON.")
@click.option("--namespace", help="Namespace to verify.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, as the MCP tool returns it.")
@click.pass_context
def verify(
    context: click.Context,
    session_id: str | None,
    every: bool,
    against: tuple[Path, ...],
    anchored: tuple[str, ...],
    allow_unsigned: bool,
    require_key: bool,
    allow_empty: bool,
    report: Path | None,
    namespace: str | None,
    as_json: bool,
) -> None:
    """Verify that no thought was changed, removed or inserted.

    Exit code 0: every chain is intact. 1: a chain is broken, or an error occurred. 3: there was no session to
    verify. 4: a chain is truncated. 5: a chain cannot be verified, because a key is missing or the leaves of
    an anchor are lost.
    """
    # Heads and anchors name sessions themselves.
    every = every or (session_id is None and bool(against or anchored))
    if every == (session_id is not None):
        raise click.UsageError("Pass either SESSION_ID or --all.")
    if allow_unsigned and not against:
        raise click.UsageError("--allow-unsigned requires --against.")
    if allow_empty and not every:
        raise click.UsageError("--allow-empty requires --all.")
    anchors = _anchors(anchored)
    reports, lost = run(
        lambda: _verify(
            session_id,
            against,
            anchors,
            namespace,
            allow_unsigned=allow_unsigned,
            require_key=require_key,
            quiet=as_json,
        )
    )
    verdicts = {report.verdict for report in reports} | ({"unverifiable"} if lost else set[ChainVerdict]())
    answer: Any = [jsonable(report) for report in reports] if every else jsonable(reports[0])
    if report is not None:
        report.write_text(json.dumps(answer, ensure_ascii=False, indent=1), encoding="utf-8")
    if as_json:
        print(compact(answer))
    elif every:
        _summary(reports, anchored=bool(anchors))
    else:
        show.result(reports[0])
    for line in lost:
        click.echo(f"The leaves of this anchor are lost or were changed: {line}", err=True)
    for verdict, code in _EXIT_CODES.items():
        if verdict in verdicts:
            context.exit(code)
    if not reports and not allow_empty:
        # On standard error, so that standard output stays valid JSON: an empty list.
        nothing = NotFound(
            f"The namespace {namespace or load_settings().namespace} has no sessions.",
            effect="Nothing was verified.",
            hint="Check --namespace and the database address. If this is expected, pass --allow-empty.",
        )
        click.echo(f"Error: {nothing}", err=True)
        context.exit(_NO_SESSIONS)


async def _verify(
    session_id: str | None,
    against: tuple[Path, ...],
    anchors: Sequence[AnchorLine],
    namespace: str | None,
    *,
    allow_unsigned: bool,
    require_key: bool,
    quiet: bool,
) -> tuple[list[ChainReport], list[AnchorLine]]:
    """The report of each session, and the anchors of which the leaves are lost or were changed."""
    async with Mind() as mind:
        namespace, anchors = _of_namespace(anchors, namespace, mind.settings.namespace)
        exported = _exported_heads(mind, against, session_id, namespace, allow_unsigned=allow_unsigned)
        known = {session: {KnownHead(head.step, head.hash)} for session, head in exported.items()}
        lost: list[AnchorLine] = []
        for line in anchors:
            leaves = await mind.services.anchors.leaves(line, namespace, exported.values())
            if leaves is None:
                lost.append(line)
                continue
            for head in leaves.heads():
                anchored = KnownHead(head.step, head.hash, head.key_id, names_key=True)
                of_session = known.setdefault(head.session_id, set())
                of_session.discard(KnownHead(head.step, head.hash))  # The leaf also names the key.
                of_session.add(anchored)
        if anchors and not lost and session_id is not None and session_id not in known:
            raise InvalidInput(
                f"The anchor has no head of {session_id}.",
                effect="Nothing was verified.",
                hint="Check the id, or verify without the anchor if the session is newer.",
            )
        if session_id is not None:
            sessions = [session_id]
        else:
            # Include exported sessions, so that a deleted session is reported.
            sessions = sorted({*known, *[session async for session in mind.sessions(namespace)]})
        reports: list[ChainReport] = []
        with show.progress(quiet=quiet) as progress:
            for done, session in enumerate(sessions):
                if session_id is None:
                    progress("verifying sessions", done, len(sessions))
                reports.append(
                    await mind.services.chain.verify(
                        session,
                        known=sorted(known.get(session, ()), key=lambda head: head.step),
                        namespace=namespace,
                        progress=None if quiet else progress,
                        require_key=require_key,
                        leaves_lost=bool(lost),
                    )
                )
    return reports, lost


def _of_namespace(
    anchors: Sequence[AnchorLine], requested: str | None, default: str
) -> tuple[str, Sequence[AnchorLine]]:
    """The namespace to verify, and its anchors; those of other namespaces in the same file are skipped.

    Raises InvalidInput when all anchors are of other namespaces.
    """
    named = {line.namespace for line in anchors if line.namespace is not None}
    space = requested or (named.pop() if len(named) == 1 else default)
    own = [line for line in anchors if line.namespace in (None, space)]
    if anchors and not own:
        raise InvalidInput(
            f"The anchor is of the namespace {anchors[0].namespace}, not of {space}.",
            effect="Nothing was verified.",
            hint="Pass the namespace of the anchor with --namespace.",
        )
    return space, own


def _exported_heads(
    mind: Mind,
    against: tuple[Path, ...],
    session_id: str | None,
    namespace: str | None,
    *,
    allow_unsigned: bool,
) -> Mapping[str, ChainHead]:
    """The heads of all files, by session.

    Raises InvalidInput if a file is of another namespace, is one of several pages and the next is missing, or
    has no head of ``session_id``.
    """
    known: dict[str, ChainHead] = {}
    pages: list[tuple[str, set[str], Path]] = []
    space = namespace or mind.settings.namespace
    effect = "Nothing was verified."
    for file in against:
        exported = _read(file)
        heads = mind.read_heads(exported, allow_unsigned=allow_unsigned)
        known |= heads
        if exported.get("namespace") != space:
            raise InvalidInput(
                f"{file} has heads of another namespace than {space}.",
                effect=effect,
                hint="Pass the namespace of the heads with --namespace.",
            )
        if exported.get("nextAfter") is not None:
            pages.append((str(exported["nextAfter"]), set(heads), file))
    names = ", ".join(str(file) for file in against)
    if against and session_id is not None and session_id not in known:
        raise InvalidInput(
            f"{names} has no head of {session_id}.",
            effect=effect,
            hint="Use an export that includes this session.",
        )
    for last, own, file in pages:
        # Without the next page, a deleted session of that page would not be reported. Older exports name the
        # first session of the next page, and not the last of their own.
        further = any(session > last or (session == last and session not in own) for session in known)
        if session_id is None and not further:
            raise InvalidInput(
                f"{file} is one page of heads; sessions after {last} are on the next page.",
                effect=effect,
                hint="Export the next page too (legacymind heads --json --after ...), and pass each "
                "with --against.",
            )
    return known


def _anchors(given: Sequence[str]) -> list[AnchorLine]:
    """The anchors of all files and lines, each once."""
    found: dict[AnchorLine, None] = {}
    for one in given:
        # A namespace can make a line longer than a file name may be.
        is_line = one.startswith("legacymind-anchor ") or len(one) > 250
        text = one
        if not is_line and Path(one).is_file():
            try:
                text = Path(one).read_text(encoding="utf-8")
            except (OSError, ValueError) as reason:
                raise InvalidInput(
                    f"{one} cannot be read as text: {reason}.",
                    effect="Nothing was verified.",
                    hint="Check the file.",
                ) from None
        found |= dict.fromkeys(anchor_lines(text))
    return list(found)


def _read(file: Path) -> Mapping[str, Any]:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as reason:
        raise InvalidInput(
            f"{file} cannot be read as JSON: {reason}.",
            effect="Nothing was verified.",
            hint="Check the file.",
        ) from None


def _summary(reports: list[ChainReport], *, anchored: bool) -> None:
    broken = [report for report in reports if report.verdict != "intact"]
    for report in broken:
        show.console.print(f"[red]✗[/] {report.session_id}: {report.message}", soft_wrap=True, markup=True)
    thoughts = sum(report.thought_count for report in reports)
    intact = len(reports) - len(broken)
    show.message(f"{len(reports)} sessions, {thoughts} thoughts: {intact} intact, {len(broken)} not.")
    if anchored:
        proven = sum(report.known_head is True for report in reports)
        newer = sum(report.known_head is None for report in reports)
        show.message(f"Anchored: {proven} proven, {len(reports) - proven - newer} not; {newer} in no anchor.")
