"""Output of `think` and `recall`: memories, evidence and findings."""

from rich.markup import escape
from rich.text import Text

from legacymind.doors.answer import jsonable
from legacymind.doors.cli.output import console, message, wrapped
from legacymind.doors.cli.show.parts import KINDS, body, dropped_tags, marks, members, rest, score_parts
from legacymind.model.think import Memory, RecallResult, ThinkResult, Verification


@body.register
def _(value: ThinkResult) -> None:
    thought = value.delegated_result.thought_id.removeprefix("thoughts:")
    console.print(f"[bold]{value.mode_selected}[/]  {escape(thought)}{_reason(value)}")
    if value.chain:
        console.print(
            f"[dim]step {value.chain.step_index} of {escape(value.links.session_id or '')}, "
            f"hash {value.chain.chain_hash[:16]}…[/]"
        )
    else:
        console.print("[dim]not chained: the thought has no session (--session)[/]")
    dropped_tags(value.telemetry.dropped_tags)
    _recalled(value)
    if value.verification is not None:
        _verification(value.verification)
    if value.framework_analysis is not None:
        members(jsonable(value.framework_analysis))


@body.register
def _(value: RecallResult) -> None:
    console.print(f"[bold]{value.mode_selected}[/]{_reason(value)}")
    _recalled(value)


def _reason(value: ThinkResult | RecallResult) -> str:
    """Why the mode was chosen, unless nothing spoke for any."""
    return "" if value.reason.startswith("default: ") else f"  [dim]{escape(value.reason)}[/]"


def _recalled(value: ThinkResult | RecallResult) -> None:
    memories(value.memories)
    console.print(Text(value.memory_summary + rest(value), style="dim"))


def memories(recalled: list[Memory]) -> None:
    """Print recalled memories: rank, score and text, then the id, the parts of the weight and marks."""
    for memory in recalled:
        line = Text(f"{memory.rank:>3}  {memory.score:.2f}  ")
        line.append(f"{memory.kind:<12}", style=KINDS[memory.kind])
        wrapped(line, memory.text)
        parts = [score_parts(memory)] if memory.parts is not None else []
        wrapped(Text(f"{'':23}"), ", ".join([memory.id, *parts, *marks(memory)]), style="dim")


def _verification(value: Verification) -> None:
    counts = value.telemetry
    confidence = "?" if value.confidence_score is None else f"{value.confidence_score:.2f}"
    console.print(
        f"[bold]Hypothesis[/] {confidence}, {value.basis}: "
        f"{counts.matched_support} for, {counts.matched_contradict} against"
    )
    for mark, evidence in (("+", value.supporting), ("-", value.contradicting), ("?", value.near)):
        for item in evidence:
            wrapped(Text(f"  {mark}  {item.similarity:.2f}  "), item.text)
    if value.suggested_revision:
        message(value.suggested_revision)
