"""Output of `analyze` and `communities`."""

from rich.text import Text

from legacymind.doors.cli.output import message, wrapped
from legacymind.doors.cli.show import KINDS, result
from legacymind.model.analysis import AnalysisResult, CommunitiesResult
from legacymind.text.numbers import counted


@result.register
def analysis(value: AnalysisResult) -> None:
    """Print what an analysis read, found and stored."""
    if value.thoughts is not None:
        message(f"Compared {value.thoughts:,} thoughts.")
    if value.neighbours is not None:
        message(f"Links between similar thoughts: {value.neighbours:,}; removed: {value.dropped:,}.")
    if value.duplicate_groups is not None:
        message(f"Groups of near duplicates: {value.duplicate_groups:,}.")
        for group in value.duplicates:
            for thought in group.thoughts:
                wrapped(Text(f"  {thought.id}  ", style="dim"), thought.text)
            more = group.size - len(group.thoughts)
            message(f"  and {more:,} more" if more else "")
    if value.nodes is not None:
        message(f"Read {value.nodes:,} nodes and {value.relationships:,} relationships.")
    if "mass" in value.what:
        message("Stored the mass of each.")
    if value.communities is not None:
        message(f"Communities: {value.communities:,}; nodes in none: {value.unassigned:,}.")


@result.register
def _(value: CommunitiesResult) -> None:
    if not value.communities:
        message("There are no communities. `legacymind analyze` computes them.")
        return
    for community in value.communities:
        line = Text(f"{community.number:>4}  ", style="dim")
        line.append(community.label, style="bold")
        counts = (
            counted(count, name)
            for count, name in (
                (community.thoughts, "thought"),
                (community.entities, "entity"),
                (community.observations, "fact"),
            )
            if count
        )
        wrapped(line.append("  "), ", ".join(counts), style="dim")
        for member in community.members:
            mass = "" if member.mass is None else f"{member.mass:5.2f}"
            wrapped(Text(f"      {mass:>5} "), member.text, style=KINDS[member.kind])
    more = "" if value.next_offset is None else f"; more with --offset {value.next_offset}"
    message(f"{value.community_count:,} communities, {value.unassigned:,} nodes in none{more}")
