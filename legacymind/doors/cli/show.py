"""Prints results of operations for people: the registry of outputs, and what several outputs share."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from rich.text import Text
from rich.tree import Tree

from legacymind.doors.cli.output import message, wrapped
from legacymind.model.base import Hit
from legacymind.model.think import Memory
from legacymind.model.trails import ExplainedMemory, MissedMemory, TrailStep

DEFERRED = "The embedder was down. New items are text-searchable only until they are embedded."

OUTSIDE = "outside its session's chain"
"""The mark of a thought that is not a step of its session's chain."""

KINDS = {"thought": "cyan", "entity": "green", "observation": "yellow"}


@singledispatch
def result(value: Any) -> None:
    """Print an operation's result for a person. Each type of result has a function of its own."""
    raise TypeError(f"{type(value).__name__} has no output for people.")


def warnings(found: Sequence[str]) -> None:
    """Print the warnings of a result."""
    for warning in found:
        wrapped(Text("Warning: ", style="yellow"), warning)


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


def redacted(value: TrailStep | ExplainedMemory | MissedMemory) -> str:
    """The text to show for a redacted item; empty for others."""
    return "(redacted)" if value.redacted_at else ""


def trail_tree(start: str, steps: list[TrailStep], *, label: str | None = None) -> Tree:
    """A trail as a tree, each step below the step it was reached from; with ids, unless it has a label."""
    tree = Tree(Text(label or start, style="bold"))
    branches = {start: tree}
    for step in steps:
        text = Text()
        text.append(f"{step.via} ", style="dim")
        if step.score is not None:
            text.append(f"{step.score:.2f} ", style="dim")
        text.append(" ".join(step.text.split()) or redacted(step) or step.id, style=KINDS[step.kind])
        if step.outside_chain:
            text.append(f" ({OUTSIDE})", style="red")
        if label is None:
            text.append(f" {step.id}", style="dim")
        parent = branches.get(step.reached_from or start, tree)
        branches[step.id] = parent.add(text)
    return tree


def dropped_tags(tags: Sequence[str]) -> None:
    """Print the tags that were not stored, if any."""
    if tags:
        message(f"Dropped tags, which the setting tags does not list: {', '.join(tags)}")
