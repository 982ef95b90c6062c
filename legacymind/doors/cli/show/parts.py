"""What outputs have in common: the registry, members by name, marks, trails, and the end of a page."""

from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any, Final, cast

from pydantic_core import to_jsonable_python
from rich.markup import escape
from rich.text import Text
from rich.tree import Tree

from legacymind.doors.cli.output import console, fields, message, plain, print_json, wrapped
from legacymind.model.base import Hit
from legacymind.model.lineage import Touched
from legacymind.model.think import Memory
from legacymind.model.trails import ExplainedMemory, MissedMemory, TrailStep

OUTSIDE = "outside its session's chain"
IN_NO_CHAIN = "in no chain: nothing proves who wrote it or when"
"""The mark of a thought that is not a step of its session's chain."""

KINDS = {"thought": "cyan", "entity": "green", "observation": "yellow"}

_PAGE: Final = frozenset(
    {"namespace", "success", "more", "left_out", "next", "warnings", "deferred", "dropped_tags", "ask"}
)
"""Members that are shown at the end, or not at all."""

_HEADS: Final = ("text", "content", "label", "name", "tool")
"""Members that say what a record of a list is; the first that it has is shown first."""


def told(value: Any, as_json: bool) -> None:
    """Print the result of a command, as JSON or for a person."""
    if as_json:
        print_json(value)
    else:
        result(value)


def result(value: Any) -> None:
    """Print an operation's result for a person."""
    body(value)
    remarks(value)


def remarks(value: Any) -> None:
    """Print what a result says besides its content: dropped tags, warnings, what to ask the user."""
    dropped_tags(getattr(value, "dropped_tags", ()))
    for warning in getattr(value, "warnings", ()):
        wrapped(Text("Warning: ", style="yellow"), warning)
    if ask := getattr(value, "ask", None):
        message(ask)
    if getattr(value, "deferred", False):
        message("The embedder was down. New items are text-searchable only until they are embedded.")


def dropped_tags(tags: Sequence[str]) -> None:
    """Print the tags that were not stored, if any."""
    if tags:
        message(f"Dropped tags, which the setting tags does not list: {', '.join(tags)}")


@singledispatch
def body(value: Any) -> None:
    """Print a result by its members, or the items of a list."""
    shown = to_jsonable_python(value)
    if isinstance(shown, list):
        for item in cast("list[Any]", shown) or ["none"]:
            _item(item)
        return
    members({name: each for name, each in shown.items() if name not in _PAGE})
    if following := rest(value):
        message(following.removeprefix("; "))


def members(values: Mapping[str, Any]) -> None:
    """Print members of a result: those of one value first, then records and lists of them."""
    records = {name: each for name, each in values.items() if each and _is_of_records(each)}
    set_fields({name: each for name, each in values.items() if name not in records})
    for name, each in records.items():
        console.print(f"[bold]{escape(name.replace('_', ' ').capitalize())}[/]")
        if isinstance(each, dict):
            members(cast("dict[str, Any]", each))
        else:
            for item in each:
                _item(item)


def _item(item: Any) -> None:
    """Print a record of a list: its text, and its other members below."""
    mark = Text("  - ")
    if isinstance(item, dict):
        others = {name: each for name, each in cast("dict[str, Any]", item).items() if _is_set(each)}
        if head := next((name for name in _HEADS if name in others), None):
            wrapped(mark, plain(others.pop(head)))
            mark = Text("    ")
        wrapped(mark, plain(others), style="dim")
    else:
        wrapped(mark, plain(item))


def _is_of_records(value: Any) -> bool:
    """Whether a value is a record or a list of them."""
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(each, dict) for each in cast("list[Any]", value))
    )


def set_fields(values: Mapping[str, Any]) -> None:
    """Print the values that are set, one per line."""
    fields({name: value for name, value in values.items() if _is_set(value)})


def _is_set(value: Any) -> bool:
    return value not in (None, "", [], {})


def end(text: str, value: Any) -> None:
    """Print the last line of a result, with how to see the items that are not on this page."""
    console.print(Text(text + rest(value), style="dim"), soft_wrap=True)


def rest(value: Any) -> str:
    """How to see the items that are not on this page, from the members that all pages have."""
    following = getattr(value, "next", None)
    more = f"; more with --after {following}" if following else ""
    left_out = getattr(value, "left_out", 0)
    return more + (f" ({left_out:,} more of this page with --max-tokens)" if left_out else "")


def score_parts(memory: Memory | ExplainedMemory) -> str:
    """The parts of a memory's weight in words."""
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
    """Who said a hit or memory, its place, and what replaces, solves or contradicts it."""
    named = {"revised": item.revised_by, "solved": item.solved_by, "contradicted": item.contradicted_by}
    outside = [OUTSIDE] if isinstance(item, Hit) and item.outside_chain else []
    standing = ["standing"] if item.standing else []
    elsewhere = [f"in {item.namespace}"] if item.namespace else []
    return (
        [item.said_by]
        + outside
        + standing
        + elsewhere
        + [f"{how} by {by}" for how, by in named.items() if by is not None]
    )


def redacted(value: TrailStep | ExplainedMemory | MissedMemory) -> str:
    """The text to show for a redacted item; empty for others."""
    return "(redacted)" if value.redacted_at else ""


def trail_tree(start: str, steps: Sequence[TrailStep | Touched], *, label: str | None = None) -> Tree:
    """A trail as a tree, each step below the step it was reached from; with ids, unless it has a label."""
    tree = Tree(Text(label or start, style="bold"))
    branches = {start: tree}
    for step in steps:
        text = Text()
        text.append(f"{step.via} ", style="dim")
        if isinstance(step, TrailStep) and step.score is not None:
            text.append(f"{step.score:.2f} ", style="dim")
        text.append(" ".join(step.text.split()) or "(redacted)", style=KINDS[step.kind])
        text.append(f" ({step.said_by})", style="dim")
        if step.outside_chain:
            text.append(f" ({OUTSIDE})", style="red")
        if label is None:
            text.append(f" {step.id}", style="dim")
        parent = branches.get(step.reached_from or start, tree)
        branches[step.id] = parent.add(text)
    return tree
