"""Output of `think` and `record-outcome`: memories, evidence, outcomes and framework findings."""

from rich.markup import escape
from rich.text import Text

from legacymind.doors.cli.show import (
    DEFERRED,
    KINDS,
    console,
    dropped_tags,
    marks,
    result,
    score_parts,
    truncated,
)
from legacymind.model.frameworks import FrameworkAnalysis
from legacymind.model.think import Memory, OutcomeResult, ThinkBatchResult, ThinkResult, Verification
from legacymind.text.numbers import counted

_FOUND = 3
"""Lines shown of each part of an analysis; --json has all."""


@result.register
def _(value: ThinkResult) -> None:
    thought = value.delegated_result.thought_id.removeprefix("thoughts:")
    console.print(f"[bold]{value.mode_selected}[/]  {escape(thought)}  [dim]{escape(value.reason)}[/]")
    if value.chain:
        console.print(
            f"[dim]step {value.chain.step_index} of {escape(value.links.session_id or '')}, "
            f"hash {value.chain.chain_hash[:16]}…[/]"
        )
    else:
        console.print("[dim]not chained: the thought has no session (--session-id)[/]")
    dropped_tags(value.telemetry.dropped_tags)
    memories(value.memories)
    if value.left_out:
        console.print(f"[dim]     and {value.left_out} more; --max-tokens shows them[/]")
    console.print(f"[dim]{escape(value.memory_summary)}[/]")
    if value.deferred:
        console.print(DEFERRED)
    if value.verification is not None:
        _verification(value.verification)
    if value.framework_analysis is not None:
        _analysis(value.framework_analysis)


@result.register
def _(value: ThinkBatchResult) -> None:
    for thought in value.thoughts:
        step = "-" if thought.step_index is None else thought.step_index
        known = ", already stored" if thought.repeated else ""
        console.print(
            f"{step:>5}  [bold]{thought.mode_selected:<9}[/] "
            f"{escape(thought.thought_id)}  "
            f"[dim]recalled {len(thought.recalled)}{known}[/]"
        )
        dropped_tags(thought.dropped_tags)
    console.print(f"[dim]{counted(value.count, 'thought')}, {value.repeated} of them already stored[/]")
    if value.deferred:
        console.print(DEFERRED)


@result.register
def _(value: OutcomeResult) -> None:
    console.print(f"salience {value.salience_before:.2f} -> [bold]{value.salience:.2f}[/]")
    for problem in value.solves:
        console.print(f"solves {escape(problem)}")
    if value.playbook:
        error = f" for {value.error_signature}" if value.error_signature else ""
        console.print(f"[dim]a playbook{escape(error)}[/]")


def memories(recalled: list[Memory], limit: int = 12) -> None:
    """Print recalled memories: rank, score, the parts of the score, text."""
    for number, memory in enumerate(recalled[:limit], 1):
        line = Text(f"{memory.rank or number:>3}  {memory.score:.2f}  ")
        line.append(f"{memory.kind:<12}", style=KINDS[memory.kind])
        truncated(line, memory.text)
        if memory.parts is not None:
            truncated(Text(f"{'':23}"), score_parts(memory), style="dim")
        if named := marks(memory):
            console.print(f"[dim]{'':23}{escape(', '.join(named))}[/]", soft_wrap=True)
    if len(recalled) > limit:
        console.print(f"[dim]     and {len(recalled) - limit} more[/]")


def _verification(value: Verification) -> None:
    counts = value.telemetry
    console.print(
        f"[bold]Hypothesis[/] {value.confidence_score:.2f}, {value.basis}: "
        f"{counts.matched_support} for, {counts.matched_contradict} against"
    )
    for mark, evidence in (("+", value.supporting), ("-", value.contradicting)):
        for item in evidence:
            truncated(Text(f"  {mark}  {item.similarity:.2f}  "), item.text)
    if value.suggested_revision:
        console.print(escape(value.suggested_revision))


def _analysis(value: FrameworkAnalysis) -> None:
    for name, findings in (
        ("Insights", value.insights),
        ("Questions", value.questions),
        ("Next steps", value.next_steps),
    ):
        if findings:
            console.print(f"[bold]{name}[/]")
        for line in findings[:_FOUND]:
            truncated(Text("  - "), line)
