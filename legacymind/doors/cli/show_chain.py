"""Output of chains and decision records: trees, records, actions, verification, heads and anchors."""

from rich.markup import escape
from rich.text import Text
from rich.tree import Tree

from legacymind.doors.cli.output import address, console, fields, message, wrapped
from legacymind.doors.cli.show import DEFERRED, OUTSIDE, dropped_tags, result
from legacymind.model.chain import (
    ActionThoughts,
    Anchor,
    AnchorProof,
    ChainHeads,
    ChainReport,
    ReasoningTrail,
    RecordResult,
    RedactResult,
    ThoughtNode,
    ThoughtTree,
    TrailThought,
)
from legacymind.text.numbers import counted


@result.register
def _(value: ThoughtTree) -> None:
    for root in value.tree:
        console.print(_node_tree(root, Tree(_node(root))))
    more = f"; more with --after {value.next_after}" if value.next_after is not None else ""
    cut = f" ({value.left_out} more of this page with --max-tokens)" if value.left_out else ""
    console.print(f"[dim]{counted(value.count, 'thought')} in the session{more}{cut}[/]")


def _node_tree(node: ThoughtNode, tree: Tree) -> Tree:
    for child in node.children:
        _node_tree(child, tree.add(_node(child)))
    return tree


def _node(node: ThoughtNode) -> Text:
    text = Text("- " if node.step_index is None else f"{node.step_index} ", style="dim")
    text.append(f"{node.thought_type or '-'} ", style="dim")
    if node.outside_chain:
        text.append(f"({OUTSIDE}) ", style="red")
    text.append(" ".join(node.content.split()) or "(redacted)", style="cyan")
    text.append(f" {node.thought_id}", style="dim")
    hidden = node.child_count - len(node.children)
    if hidden:
        text.append(f" +{hidden} below", style="dim")
    return text


@result.register
def report(value: ChainReport) -> None:
    """Print the result of a verification with every fault."""
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


@result.register
def _(value: RecordResult) -> None:
    thought = value.thought
    known = "Already stored" if value.repeated else "Recorded"
    message(f"{known}: {thought.thought_type} {thought.thought_id}")
    console.print(f"[dim]step {thought.step_index}, hash {thought.chain_hash}[/]")
    dropped_tags(value.dropped_tags)
    if value.deferred:
        message(DEFERRED)


@result.register
def _(value: RedactResult) -> None:
    when = f"{value.redacted_at:%Y-%m-%d %H:%M}"
    message(f"{value.thought_id} was redacted {'before, ' if value.already else ''}at {when} UTC.")


@result.register
def _(value: ActionThoughts) -> None:
    for thought in value.thoughts:
        when = f"{thought.created_at:%Y-%m-%d %H:%M}" if thought.created_at else "-"
        wrapped(Text(f"{when:<16}  ", style="dim"), thought.content or "(redacted)", style="cyan")
        step = "" if thought.step_index is None else f", step {thought.step_index}"
        session = f"  {thought.session_id}{step}" if thought.session_id else ""
        outside = f"  {OUTSIDE}" if thought.outside_chain else ""
        kind = thought.thought_type or "-"
        console.print(
            f"[dim]{'':18}{escape(f'{kind}  {thought.thought_id}{session}{outside}')}[/]", soft_wrap=True
        )
    count = f"{counted(value.count, 'thought')} led to {value.action_id}"
    message(count + _private(value.private) + _rest(value.more))


@result.register
def _(value: ReasoningTrail) -> None:
    for trail, earlier in zip(value.trails, value.earlier, strict=True):
        if earlier:
            console.print(f"[dim]{counted(earlier, 'earlier thought')} not shown[/]")
        for place, thought in enumerate(trail):
            last = place == len(trail) - 1
            wrapped(
                Text(("=> " if last else "   ") + f"{thought.thought_type or '-'}  ", style="dim"),
                _text(thought),
                style="bold cyan" if last else "cyan",
            )
            console.print(f"[dim]     {escape(thought.thought_id)}[/]", soft_wrap=True)
        console.print()
    count = f"{counted(value.trail_count, 'path')} to {value.action_id}"
    message(count + _private(value.private) + _rest(value.more))


def _text(thought: TrailThought) -> str:
    outside = f" ({OUTSIDE})" if thought.outside_chain else ""
    return (thought.content or "(redacted)") + outside


def _private(count: int) -> str:
    return f"; {count} hidden, which are private to other sessions" if count else ""


def _rest(more: bool) -> str:
    return "; more with --offset or a higher --limit" if more else ""


@result.register
def _(value: ChainHeads) -> None:
    for head in value.heads:
        key = f"  key {head.key_id}" if head.key_id else ""
        address(f"{head.step:>6}  {head.session_id}{key}")
        console.print(f"[dim]{'':8}{head.hash}[/]", soft_wrap=True)
    signed = "signed" if value.signature else "not signed"
    more = f"; more with --after {value.next_after}" if value.next_after else ""
    message(f"{counted(len(value.heads), 'session')} at {value.exported_at}{more}")
    message(f"Keep the output of --json ({signed}) outside the database.")


@result.register
def _(value: Anchor) -> None:
    address(value.line)


@result.register
def _(value: AnchorProof) -> None:
    message(f"The anchor includes {value.session_id} up to step {value.step}.")
    fields(
        {
            "hash": value.hash,
            "key": value.key_id,
            "leaf": f"{value.leaf_index} of {value.tree_size}, from 0",
            "root": value.root,
        }
    )
    message("--json prints the inclusion proof, which others can check.")
