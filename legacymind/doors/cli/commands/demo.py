"""The command `demo`: a real engine, real embeddings and real recall in one minute."""

import asyncio
import json
import shlex
import uuid
from datetime import UTC, datetime, timedelta
from typing import Final

import click
from rich.markup import escape
from rich.rule import Rule

from legacymind import files
from legacymind.doors.cli import output
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import program
from legacymind.doors.cli.show.parts import trail_tree
from legacymind.doors.cli.show.think import memories
from legacymind.engine import EngineStatus
from legacymind.mind import Mind
from legacymind.model.think import ThinkResult
from legacymind.origins import USER
from legacymind.settings import Settings, load_settings

NAMESPACE: Final = "demo"
SESSION: Final = "demo-tour"
ROOT: Final = "a13-001-001"
VERIFIED: Final = "a13-why-tank-2"

_NOW: Final = datetime(2026, 11, 18, 18, 0, tzinfo=UTC)
"""Just after the last session of the sample: recall then gives the same result on any day."""

PROMPTS: Final[tuple[tuple[str, str | None, int], ...]] = (
    (
        "Tank pressure rose for over a minute and no alarm fired, because another warning was still "
        "standing. Is this failed alarm a bug in how warnings are latched?",
        None,
        4,
    ),
    ("Was the protective thermostat ever made to open under full load at 65 volts?", None, 5),
    ("A runbook for a remote procedure that somebody must build from spoken instructions alone.", "plan", 4),
    ("Before an irreversible step on a hypothesis, ask for a second independent signal.", "conclude", 5),
)
"""The thoughts that the demo stores: content, hint and injection scale."""

SCRATCH: Final = (
    "The pump's vibration rises with the flow, so the bearing is the first suspect.",
    "The bearing was replaced in March; vibration returned within a week.",
    "Decision: stop the pump at 7 mm/s, not at 11.",
    "Reflection: the limit was right, the sensor was mounted on the wrong axis.",
)
FORGED: Final = "Decision: stop the pump at 11 mm/s, not at 7."


@click.command(epilog=examples("demo"))
def demo() -> None:
    """Run a one-minute tour: start Neo4j, load sample data, think, recall, walk, verify, tamper."""
    settings = load_settings()
    # A new engine plans every statement first, for longer than usual limits on a slow or busy machine.
    patient = settings.changed(query_timeout=max(settings.query_timeout, 300.0))
    asyncio.run(_demo(patient))


async def _demo(settings: Settings) -> None:
    async with Mind(settings) as mind:
        _title("1. A real Neo4j and a real embedding model, on this machine")
        status = await _start(mind)
        await _load(mind)
        _title("2. New thoughts, and the memories that each recalls")
        thoughts = [await _think(mind, number) for number in range(len(PROMPTS))]
        _title("3. Trail: how the first of them connects to earlier thoughts")
        await _trail(mind, thoughts[0])
        _title("4. Thought tree: one question, its parts and their findings")
        await _tree(mind)
        _title("5. The hash chain: a session verified, then a scratch session tampered with")
        await _verify(mind)
        _title("Try it yourself")
        _addresses(settings, status, thoughts[0])


def _title(text: str) -> None:
    output.console.print()
    if output.console.is_terminal:
        output.console.print(Rule(f"[bold]{escape(text)}[/]", align="left"))
    else:
        output.console.print(escape(text))


async def _start(mind: Mind) -> EngineStatus | None:
    status: EngineStatus | None = None
    with output.progress() as progress:
        if not mind.settings.neo4j_uri:
            status = await mind.engine.up(progress)
        await mind.vectors.embedder.fetch(progress)
    server = await mind.graph.ready()
    where = status.uri if status else mind.settings.neo4j_uri
    info = mind.vectors.embedder.info
    output.message(
        f"Neo4j {server.version} {server.edition} at {where}; {info.model}, {info.dimensions} dimensions."
    )
    return status


async def _load(mind: Mind) -> None:
    new = known = 0
    with output.progress() as progress:
        for name in ("knowledge", "thoughts"):

            def loading(stage: str, done: int, total: int, name: str = name) -> None:
                progress(f"Loading {name} about Apollo 13", done, total)

            lines = files.text("seed", f"{name}.jsonl").splitlines()
            imported = await mind.services.importing.load(
                lines, namespace=NAMESPACE, progress=loading, trust=USER
            )
            new += imported.entities + imported.observations + imported.relations + imported.thoughts
            known += imported.known
    output.message(
        f"Sample memory: Apollo 13, studied by an agent and a person in ten sessions. "
        f"{new} new items, {known} already stored."
    )


async def _think(mind: Mind, number: int) -> ThinkResult:
    content, hint, scale = PROMPTS[number]
    result = await mind.think(
        content,
        hint,
        verbose_analysis=True,
        max_tokens=100_000,
        injection_scale=scale,
        author="you",
        session_id=SESSION,
        created_at=_NOW + timedelta(minutes=5 * number),
        idempotency_key=f"demo-{number}",
        namespace=NAMESPACE,
    )
    if number:
        output.console.print()
    output.console.print(f"[bold]“{escape(content)}”[/]")
    again = "; already stored by an earlier run" if result.repeated else ""
    output.console.print(
        f"[dim]mode {result.mode_selected}, scale {scale}. {escape(result.memory_summary)}{again}[/]",
    )
    thoughts = [memory for memory in result.memories if memory.kind == "thought"][:2]
    knowledge = [memory for memory in result.memories if memory.kind != "thought"][:2]
    memories([memory for memory in result.memories if memory in (*thoughts, *knowledge)])
    return result


async def _trail(mind: Mind, first: ThinkResult) -> None:
    start = first.delegated_result.thought_id.removeprefix("thoughts:")
    types = ["RECALLS", "REVISES", "BRANCHES_FROM", "CHILD_OF"]
    trail = await mind.walk_trail(start, depth=3, limit=100, namespace=NAMESPACE, types=types)
    thoughts = [step for step in trail.steps if step.kind == "thought"][:14]
    tree = trail_tree(start, thoughts, label=PROMPTS[0][0])
    output.console.print(tree)


async def _tree(mind: Mind) -> None:
    trail = await mind.walk_trail(
        ROOT, types=["CHILD_OF"], direction="forward", depth=6, limit=100, namespace=NAMESPACE
    )
    (root,) = [
        line for line in files.text("seed", "thoughts.jsonl").splitlines() if f'"id": "{ROOT}"' in line
    ]
    tree = trail_tree(ROOT, trail.steps, label=json.loads(root)["content"])
    output.console.print(tree)


async def _verify(mind: Mind) -> None:
    report = await mind.verify_chain(VERIFIED, namespace=NAMESPACE)
    output.console.print(f"[green]✓[/] {VERIFIED}: {escape(report.message)}")
    scratch = f"demo-scratch-{uuid.uuid4()}"
    try:
        stored = [
            await mind.think(content, session_id="pump", injection_scale=0, namespace=scratch)
            for content in SCRATCH
        ]
        forged_id = stored[2].delegated_result.thought_id.removeprefix("thoughts:")
        await mind.services.demo.tamper(forged_id, scratch, FORGED)
        output.console.print("  An attacker with the database password rewrites step 2 through Bolt:")
        output.console.print(f"    was  {escape(SCRATCH[2])}\n    now  {escape(FORGED)}")
        report = await mind.verify_chain("pump", namespace=scratch)
        output.console.print(f"[red]✗[/] pump: {escape(report.message)}")
    finally:
        await mind.services.demo.clear(scratch)


def _addresses(settings: Settings, status: EngineStatus | None, first: ThinkResult) -> None:
    name, start = shlex.join(program()), first.delegated_result.thought_id
    page = f"http://{settings.serve_host}:{settings.serve_port}/#/home?ns=demo"
    output.address(f"Explorer       `{name} serve`, then {page}")
    output.address(f"Neo4j Browser  `{name} browser`")
    output.address(f"Command line   `{name} explain {start} --namespace demo`")
    output.address(f"Your agent     `{name} install claude-code`, or `{name} install cursor --print`")
    if status:
        output.address(f"The engine keeps running; `{name} down` stops it.")
