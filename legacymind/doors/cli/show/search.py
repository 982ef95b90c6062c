"""Output of searches, contexts, trails and explained recall."""

from dataclasses import asdict

from rich.markup import escape
from rich.text import Text

from legacymind.doors.cli.output import console, message, wrapped
from legacymind.doors.cli.show.parts import (
    KINDS,
    OUTSIDE,
    body,
    end,
    marks,
    redacted,
    rest,
    score_parts,
    trail_tree,
)
from legacymind.model.base import Context, Hit, SearchResult
from legacymind.model.lineage import TouchedResult
from legacymind.model.trails import (
    ExplainedMemory,
    MissedMemory,
    RecallExplanation,
    TrailResult,
)
from legacymind.text.numbers import counted


@body.register
def _(value: SearchResult) -> None:
    _hits(value.hits)
    if value.standing:
        console.print("[bold]Standing[/]")
        _hits(value.standing)
    if value.note:
        message(value.note)
    end(f"{counted(len(value.hits), 'hit')}, {value.order}", value)


@body.register
def _(value: Context) -> None:
    count = 0
    for part in ("pinned", "standing", "unresolved", "relevant", "recent"):
        hits = getattr(value, part)
        count += len(hits)
        if hits:
            console.print(f"[bold]{part.capitalize()}[/]")
            _hits(hits)
    end(counted(count, "memory"), value)


def _hits(hits: list[Hit]) -> None:
    for hit in hits:
        line = Text("        " if hit.score is None else f"{hit.score:>6.2f}  ")
        line.append(f"{hit.kind:<11} ", style=KINDS[hit.kind])
        wrapped(line, hit.text)
        day = [f"{hit.created_at:%Y-%m-%d}"] if hit.created_at else []
        console.print(f"[dim]        {escape(', '.join([hit.id, *day, *marks(hit)]))}[/]", soft_wrap=True)
        if hit.parts:
            parts = {name: part for name, part in asdict(hit.parts).items() if part}
            shown = ", ".join(f"{name} {part:+.2f}" for name, part in parts.items())
            wrapped(Text(f"{'':8}"), shown, style="dim")


@body.register
def _(value: TrailResult) -> None:
    console.print(trail_tree(value.start, value.steps))
    goes_on = "; it goes on from its last step" if value.deeper else ""
    end(f"{counted(len(value.steps), 'step')} {value.direction} from {value.start}{goes_on}", value)


@body.register
def _(value: TouchedResult) -> None:
    first = value.items[0].text if value.items else ""
    console.print(trail_tree(value.id, [one for one in value.items if one.id != value.id], label=first))
    end(
        f"{value.made} made from it, {value.shown} recalled it, {value.changed} changed by it, "
        f"{value.after} after it",
        value,
    )


@body.register
def _(value: RecallExplanation) -> None:
    line = Text(f"{value.thought_id}  ", style="bold")
    wrapped(line, value.text or "(redacted)", style="cyan")
    if value.outside_chain:
        console.print(f"[red]{OUTSIDE}[/]", soft_wrap=True)
    mode = "/".join(name for name in (value.mode, value.submode) if name)
    window = f", thoughts since {value.since:%Y-%m-%d %H:%M}" if value.since else ""
    console.print(
        f"[dim]{mode}, scale {value.scale}: knowledge from {value.threshold_knowledge:.2f}, "
        f"thoughts from {value.threshold_thoughts:.2f}{window}[/]",
        soft_wrap=True,
    )
    for memory in value.memories:
        outside = [OUTSIDE] if memory.outside_chain else []
        _explained(memory, f"{memory.rank:>3}  {memory.score:.2f}", score_parts(memory), *outside)
    if value.missed:
        console.print("[dim]not recalled:[/]")
    for memory in value.missed:
        short = f" by {memory.short_by:.2f}" if memory.short_by and memory.reason == "below_threshold" else ""
        cosine = "-" if memory.cosine is None else f"{memory.cosine:.2f}"
        _explained(memory, f"  - {cosine:>5}", memory.reason.replace("_", " ") + short)
    pruned = f", {value.pruned} of them pruned since then" if value.pruned else ""
    note = f" {value.note}" if value.note else ""
    console.print(f"[dim]{value.recalled} recalled{pruned}{rest(value)}.{escape(note)}[/]", soft_wrap=True)


def _explained(memory: ExplainedMemory | MissedMemory, number: str, *reasons: str) -> None:
    line = Text(f"{number}  ").append(f"{memory.kind or '-':<12}", style=KINDS.get(memory.kind or "", ""))
    wrapped(line, memory.text or redacted(memory) or memory.id)
    wrapped(Text(f"{'':23}"), ", ".join([memory.id, memory.said_by, *reasons]), style="dim")
