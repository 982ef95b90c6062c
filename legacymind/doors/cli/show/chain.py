"""Output of chains and decision records: trees and verification."""

from rich.text import Text
from rich.tree import Tree

from legacymind.doors.cli.output import console, fields, message
from legacymind.doors.cli.show.parts import OUTSIDE, body, end
from legacymind.model.chain import ChainReport, Survey, ThoughtNode, ThoughtTree
from legacymind.text.numbers import counted


@body.register
def _(value: ThoughtTree) -> None:
    for root in value.tree:
        console.print(_node_tree(root, Tree(_node(root))))
    apart = f" on {value.branches} branches" if value.branches else ""
    end(f"{counted(value.count, 'thought')} in the session{apart}", value)


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
    text.append(f" {node.said_by} {node.thought_id}", style="dim")
    hidden = node.child_count - len(node.children)
    if hidden:
        text.append(f" +{hidden} below", style="dim")
    return text


@body.register
def report(value: ChainReport) -> None:
    """Print the result of a verification with every fault."""
    console.print(Text(value.message, style="green" if value.verdict == "intact" else "red"))
    for fault in value.faults:
        step = "" if fault.step is None else f"step {fault.step} "
        console.print(Text(f"  {step}{fault.kind}: {fault.fault}"), soft_wrap=True)
        if fault.thought_id:
            console.print(Text(f"    {fault.thought_id}", style="dim"), soft_wrap=True)
    fields(
        {
            "verdict": value.verdict,
            "thoughts": value.thought_count,
            "redacted": value.redacted,
            "without a key": value.unkeyed,
            "head": value.head_hash,
        }
    )


@body.register
def survey(value: Survey) -> None:
    """Print the chains that are not intact, and the counts."""
    for chain in value.faulty:
        message(f"✗ {chain.namespace}, {chain.session_id}: {chain.message}")
    verified = f"{counted(value.sessions, 'session')}, {counted(value.thoughts, 'thought')}"
    message(f"{verified}: {value.intact} intact, {value.sessions - value.intact} not.")
