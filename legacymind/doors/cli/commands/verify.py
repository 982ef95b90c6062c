"""The command `verify`: one chain or all chains of a namespace, for people and for CI."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.text import Text

from legacymind.doors.cli import output, show
from legacymind.doors.cli.command import Command, json_option, namespace_option
from legacymind.doors.cli.exits import EXIT_OF_STATE, Exit
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import accessed, in_mind
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.chain import ChainReport
from legacymind.services.chain import call_log
from legacymind.settings import load_settings
from legacymind.text.numbers import counted

_SHOWN: Final = 20
"""Sessions without a key that a summary names."""


@click.command(
    cls=Command,
    epilog=examples(
        "verify deploys",
        "verify --all --against heads.json",
        "verify --action deploy-42",
    ),
)
@click.argument("session_id", required=False)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Verify every session of the namespace; the default with --against.",
)
@click.option("--action", help="Verify the sessions of all thoughts that led to this action.")
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Compare with heads exported earlier (legacymind heads --json). Repeat for each page.",
)
@click.option(
    "--signer",
    metavar="FILE|KEY",
    help="Accept only heads signed with this public key (ssh-ed25519, or a file with it).",
)
@click.option("--allow-unsigned", is_flag=True, help="Accept unsigned heads even if there is a key.")
@click.option("--require-key", is_flag=True, help="Report each step that has no key as a fault.")
@click.option("--calls", is_flag=True, help="Verify the log of calls through MCP and `serve`.")
@click.option("--allow-empty", is_flag=True, help="Succeed if --all finds no session.")
@namespace_option
@json_option
@click.pass_context
def verify(
    context: click.Context,
    session_id: str | None,
    every: bool,
    action: str | None,
    against: tuple[Path, ...],
    signer: str | None,
    allow_unsigned: bool,
    require_key: bool,
    calls: bool,
    allow_empty: bool,
    namespace: str | None,
    as_json: bool,
) -> None:
    """Verify that no thought was changed, removed or inserted.

    Exit code 0: every chain is intact. 1: a chain is broken. 3: there was no session to verify. 4: a chain is
    truncated. 5: a chain cannot be verified, because a key is missing.
    """
    if calls:
        lines = call_log.verified(load_settings())
        output.answer({"calls": lines, "verdict": "intact"}, as_json, f"{counted(lines, 'call')}: intact.")
        return
    every = every or (session_id is None and action is None and bool(against))
    if sum((every, session_id is not None, action is not None)) != 1:
        raise click.UsageError("Pass either SESSION_ID, --action or --all.")
    if allow_unsigned and not against:
        raise click.UsageError("--allow-unsigned requires --against.")
    if allow_empty and not every:
        raise click.UsageError("--allow-empty requires --all.")
    keys = _text_of(signer) if signer else ""
    exports = {str(file): _read(file) for file in against}
    found = in_mind(
        lambda mind, progress: mind.verify_all(
            session_id,
            action_id=action,
            exports=exports,
            namespace=namespace,
            allow_unsigned=allow_unsigned,
            require_key=require_key,
            signer=keys,
            progress=progress,
        )
    )
    reports = found.reports
    answer: Any = reports if session_id is None else reports[0]
    if as_json:
        output.print_json(answer)
    else:
        if session_id is None:
            _summary(reports, keyed=bool(load_settings().chain_key))
        else:
            show.result(reports[0])
        for name, digest in found.heads.items():
            output.message(f"Compared with {name}, SHA-256 {digest}")
    for thought in found.unproven:
        output.remark(f"In no chain, so nothing proves who wrote it or when: {thought}")
    for each in found.unnamed:
        output.remark(each)
    if code := EXIT_OF_STATE.get(found.verdict):
        context.exit(code)
    if not reports and not allow_empty:
        # On standard error, so that standard output stays valid JSON: an empty list.
        nothing = NotFound(
            f"The namespace {namespace or load_settings().namespace} has no sessions.",
            effect="Nothing was verified.",
            hint="Check --namespace and the database address. If this is expected, pass --allow-empty.",
        )
        output.remark(f"Error: {nothing}")
        # Checking the wrong namespace must not pass.
        context.exit(Exit.NOT_FOUND)


def _text_of(given: str) -> str:
    """The text of the file of that name, or the given text itself."""
    return _text(Path(given)) if len(given) < 250 and Path(given).is_file() else given


def _read(file: Path) -> dict[str, Any]:
    try:
        return json.loads(_text(file))
    except (RecursionError, ValueError) as reason:
        raise InvalidInput(
            f"{file} is not JSON: {reason}.",
            effect="Nothing was verified.",
            hint="Pass a file that `legacymind heads --json` wrote.",
        ) from None


def _text(file: Path) -> str:
    with accessed(file, "read", "Nothing was verified."):
        text = file.read_text(encoding="utf-8-sig")
    if not text.strip():  # a blank value would count as none
        raise InvalidInput(f"{file} is empty.", effect="Nothing was verified.", hint="Check the file.")
    return text


def _summary(reports: Sequence[ChainReport], *, keyed: bool) -> None:
    broken = [report for report in reports if report.verdict != "intact"]
    unkeyed = [report for report in reports if report.verdict == "intact" and report.unkeyed]
    for report in broken:
        output.wrapped(Text("✗ ", style="red"), f"{report.session_id}: {report.message}")
    thoughts = sum(report.thought_count for report in reports)
    intact = len(reports) - len(broken)
    verified = f"{counted(len(reports), 'session')}, {counted(thoughts, 'thought')}"
    output.message(f"{verified}: {intact} intact, {len(broken)} not.")
    if keyed and unkeyed:
        output.message(
            f"{counted(len(unkeyed), 'session')} with steps without a key, which anybody can hash again: "
            + ", ".join(report.session_id for report in unkeyed[:_SHOWN])
            + (", …" if len(unkeyed) > _SHOWN else "")
        )
