"""Output of the command line: colours and truncated lines in a terminal, plain text when piped."""

import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import singledispatch
from typing import Any, cast

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBars
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from legacymind.doors.answer import jsonable
from legacymind.model.base import Context, Hit, SearchResult
from legacymind.model.chain import ChainReport, ThoughtNode, ThoughtTree
from legacymind.model.progress import Progress, no_progress
from legacymind.model.think import Memory
from legacymind.model.trails import (
    ExplainedMemory,
    LinksResult,
    MissedMemory,
    RecallExplanation,
    ThreadResult,
    TrailResult,
    TrailStep,
)
from legacymind.text.numbers import counted

# Piped output is 160 columns wide, not the default of 80.
console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)

DEFERRED = "The embedder was down. New items are text-searchable only until they are embedded."

OUTSIDE = "outside its session's chain"
"""The mark of a thought that is not a step of its session's chain."""

KINDS = {"thought": "cyan", "entity": "green", "observation": "yellow"}


def message(text: str) -> None:
    """Print a line of plain text."""
    console.print(escape(text), soft_wrap=True)


@contextmanager
def progress(*, quiet: bool = False) -> Generator[Progress]:
    """A progress bar in a terminal, one line per stage when piped, nothing if ``quiet``."""
    if quiet:
        yield no_progress
        return
    if not console.is_terminal:
        last = ""

        def line(stage: str, done: int, total: int, /) -> None:
            nonlocal last
            if stage != last:
                last = stage
                console.print(escape(f"{stage} …"))

        yield line
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
    with ProgressBars(*columns, TimeRemainingColumn(), console=console, transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def bar(stage: str, done: int, total: int, /) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(escape(stage), total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield bar


def fields(values: Mapping[str, Any]) -> None:
    """Print names and values, one per line."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, value in values.items():
        shown = value
        if isinstance(value, dict):
            members = cast("dict[str, object]", value)
            shown = ", ".join(f"{key} {_joined(item)}" for key, item in members.items())
        table.add_row(name, "-" if shown is None else escape(str(shown)))
    console.print(table)


def _joined(value: object) -> object:
    """A list as one line of text; any other value itself."""
    return "; ".join(map(str, cast("list[object]", value))) or "-" if isinstance(value, list) else value


@singledispatch
def result(value: Any) -> None:
    """Print an operation's result for a person; types without a function of their own as JSON."""
    console.print_json(data=jsonable(value), ensure_ascii=False)


def score_parts(memory: Memory | ExplainedMemory) -> str:
    """The parts of a memory's score in words. The score of knowledge is its cosine."""
    parts = memory.parts
    if memory.cosine is None:
        return "pruned since then; only rank and score were kept"
    if parts is None or memory.kind != "thought":
        return f"cosine {memory.cosine:.2f}, via {memory.via}"
    against = f" - contradictions {-parts.contradiction:.2f}" if parts.contradiction else ""
    return (
        f"similarity {parts.similarity:.2f} + recency {parts.recency:.2f} + salience {parts.salience:.2f}"
        f" + access {parts.access:.2f}{against}, via {memory.via}"
    )


def marks(item: Hit | Memory) -> list[str]:
    """What replaces, solves or contradicts a hit or memory, and whether it is outside its chain, in words."""
    named = {"revised": item.revised_by, "solved": item.solved_by, "contradicted": item.contradicted_by}
    outside = [OUTSIDE] if isinstance(item, Hit) and item.outside_chain else []
    standing = ["standing"] if item.standing else []
    return outside + standing + [f"{how} by {by}" for how, by in named.items() if by is not None]


def truncated(line: Text, text: str, *, style: str = "") -> None:
    """Print one line, truncated to the width of the terminal, or to 160 characters when piped."""
    line.append(" ".join(text.split()), style=style)
    line.truncate(console.width if console.is_terminal else 160, overflow="ellipsis")
    console.print(line, soft_wrap=True)


@result.register
def _(value: SearchResult) -> None:
    _hits(value.hits)
    if value.standing:
        console.print("[bold]Standing[/]")
        _hits(value.standing)
    if value.note:
        console.print(escape(value.note), soft_wrap=True)
    console.print(f"[dim]{counted(value.count, 'hit')}, {value.order}{_rest(value)}[/]")


@result.register
def _(value: Context) -> None:
    for part in ("pinned", "standing", "unresolved", "relevant", "recent"):
        hits = getattr(value, part)
        if hits:
            console.print(f"[bold]{part.capitalize()}[/]")
            _hits(hits)
    cut = f"; {value.left_out} more with a higher --max-tokens" if value.left_out else ""
    console.print(f"[dim]{counted(value.count, 'memory')}{cut}[/]")


def _hits(hits: list[Hit]) -> None:
    for hit in hits:
        line = Text("        " if hit.score is None else f"{hit.score:>6.2f}  ")
        line.append(f"{hit.kind:<11} ", style=KINDS[hit.kind])
        truncated(line, hit.text)
        console.print(f"[dim]        {escape(', '.join([hit.id, *marks(hit)]))}[/]", soft_wrap=True)


@result.register
def _(value: TrailResult) -> None:
    console.print(trail_tree(value.start, value.steps), soft_wrap=not console.is_terminal)
    console.print(
        f"[dim]{counted(value.count, 'step')} {value.direction} from {escape(value.start)}{_rest(value)}[/]"
    )


def _rest(value: SearchResult | TrailResult) -> str:
    """How to see the items that are not on this page; empty if there are none."""
    if not value.more:
        return ""
    cut = f" ({value.left_out} more of this page with --max-tokens)" if value.left_out else ""
    return f"; more with --offset {value.offset + value.count}{cut}"


def _redacted(value: TrailStep | ExplainedMemory | MissedMemory) -> str:
    return "(redacted)" if value.redacted_at else ""


def trail_tree(start: str, steps: list[TrailStep], *, label: str | None = None) -> Tree:
    """A trail as a tree, each step below the step it was reached from."""
    tree = Tree(Text(label or start, style="bold"))
    branches = {start: tree}
    for step in steps:
        text = Text()
        text.append(f"{step.via} ", style="dim")
        if step.score is not None:
            text.append(f"{step.score:.2f} ", style="dim")
        text.append(" ".join(step.text.split()) or _redacted(step) or step.id, style=KINDS[step.kind])
        if step.outside_chain:
            text.append(f" ({OUTSIDE})", style="red")
        width = console.width if console.is_terminal else 160
        text.truncate(max(width - 4 - 4 * step.depth, 40), overflow="ellipsis")
        parent = branches.get(step.reached_from or start, tree)
        branches[step.id] = parent.add(text)
    return tree


@result.register
def _(value: ThreadResult) -> None:
    for thought in value.thoughts:
        line = Text(f"{thought.created_at:%Y-%m-%d %H:%M}  ", style="dim")
        truncated(line, thought.content or "(redacted)", style="cyan")
        links = {
            "revises": thought.revises_thought,
            "branches from": thought.branch_from,
            "confidence": thought.confidence,
        }
        attributes = "".join(f"  {name} {value}" for name, value in links.items() if value is not None)
        if thought.outside_chain:
            attributes += f"  {OUTSIDE}"
        console.print(f"[dim]{'':18}{escape(thought.id + attributes)}[/]", soft_wrap=True)
    more = f"; more with --cursor {value.next_cursor}" if value.next_cursor else ""
    console.print(f"[dim]{counted(value.count, 'thought')}, {value.order}{more}[/]", soft_wrap=True)


@result.register
def _(value: LinksResult) -> None:
    console.print(Text(value.thought_id, style="bold"), soft_wrap=True)
    if value.outside_chain:
        console.print(f"  [red]{OUTSIDE}[/]", soft_wrap=True)
    for name, caption in (
        ("previous_thought_id", "follows"),
        ("revises_thought", "revises"),
        ("branch_from", "branches from"),
        ("parent_id", "child of"),
        ("action_id", "for action"),
    ):
        target = getattr(value, name)
        if target is not None:
            pending = "" if getattr(value.states, name) == "record" else "  [yellow](not stored yet)[/]"
            console.print(f"  {caption:<14} {escape(target)}{pending}", soft_wrap=True)
    for name in ("followed_by", "revised_by", "branches", "children"):
        pointing = getattr(value, name)
        for number, one in enumerate(pointing.ids):
            caption = "" if number else name.replace("_", " ")
            console.print(f"  [dim]{caption:<14}[/] {escape(one)}", soft_wrap=True)
        hidden = pointing.count - value.offset - len(pointing.ids)
        if hidden > 0:
            console.print(f"[dim]{'':17}and {hidden} more; use --offset or --limit[/]")


@result.register
def _(value: RecallExplanation) -> None:
    line = Text(f"{value.thought_id}  ", style="bold")
    truncated(line, value.text or "(redacted)", style="cyan")
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
        line = Text(f"{memory.rank:>3}  {memory.score:.2f}  ")
        line.append(f"{memory.kind or '-':<12}", style=KINDS.get(memory.kind or "", ""))
        truncated(line, memory.text or _redacted(memory) or memory.id)
        outside = f", {OUTSIDE}" if memory.outside_chain else ""
        truncated(Text(f"{'':23}"), score_parts(memory) + outside, style="dim")
    if value.missed:
        console.print("[dim]not recalled:[/]")
    for memory in value.missed:
        line = Text(f"  - {'-' if memory.cosine is None else f'{memory.cosine:.2f}':>5}  ")
        line.append(f"{memory.kind:<12}", style=KINDS[memory.kind])
        truncated(line, memory.text or _redacted(memory) or memory.id)
        short = f" by {memory.short_by:.2f}" if memory.short_by and memory.reason == "below_threshold" else ""
        truncated(Text(f"{'':23}"), memory.reason.replace("_", " ") + short, style="dim")
    pruned = f", {value.pruned} of them pruned since then" if value.pruned else ""
    more = f"; more with --offset {value.offset + len(value.memories)}" if value.more else ""
    note = f" {value.note}" if value.note else ""
    console.print(f"[dim]{value.recalled} recalled{pruned}{more}.{escape(note)}[/]", soft_wrap=True)


@result.register
def _(value: ThoughtTree) -> None:
    for root in value.tree:
        console.print(_node_tree(root, Tree(_node(root, 0))))
    more = f"; more with --after {value.next_after}" if value.next_after is not None else ""
    cut = f" ({value.left_out} more of this page with --max-tokens)" if value.left_out else ""
    console.print(f"[dim]{counted(value.count, 'thought')} in the session{more}{cut}[/]")


def _node_tree(node: ThoughtNode, tree: Tree, level: int = 1) -> Tree:
    for child in node.children:
        _node_tree(child, tree.add(_node(child, level)), level + 1)
    return tree


def _node(node: ThoughtNode, level: int) -> Text:
    text = Text("- " if node.step_index is None else f"{node.step_index} ", style="dim")
    text.append(f"{node.thought_type or '-'} ", style="dim")
    if node.outside_chain:
        text.append(f"({OUTSIDE}) ", style="red")
    text.append(" ".join(node.content.split()) or "(redacted)", style="cyan")
    hidden = node.child_count - len(node.children)
    if hidden:
        text.append(f" +{hidden}", style="dim")
    text.truncate(max(console.width - 4 - 4 * level, 40), overflow="ellipsis")
    return text


@result.register
def _(value: ChainReport) -> None:
    console.print(Text(value.message, style="green" if value.verdict == "intact" else "red"))
    for fault in value.faults:
        step = "" if fault.step is None else f"step {fault.step} "
        console.print(Text(f"  {step}{fault.fault} ({fault.thought_id or fault.kind})"), soft_wrap=True)
        console.print(Text(f"    {fault.meaning}", style="dim"), soft_wrap=True)
    fields(
        {
            "verdict": value.verdict,
            "thoughts": value.thought_count,
            "redacted": value.redacted,
            "without a key": value.unkeyed,
            "head": value.head_hash,
        }
    )


def dropped_tags(tags: Sequence[str]) -> None:
    """Print the tags that were not stored, if any."""
    if tags:
        console.print(f"Dropped tags, which the setting tags does not list: {escape(', '.join(tags))}")
