"""Output of `maintain`, `curate`, `communities`, `reembed` and `tool-help`."""

import re
from typing import Final

from rich.text import Text

from legacymind.doors.cli.command import as_command, declared
from legacymind.doors.cli.output import message, wrapped
from legacymind.doors.cli.show.parts import KINDS, body, end, rest
from legacymind.model.analysis import CommunitiesResult
from legacymind.model.help import HelpResult, ParameterHelp
from legacymind.model.maintenance import CurationResult, MaintenanceResult
from legacymind.text.numbers import counted

_RAISES: Final = re.compile(r"\s*Raises [A-Z][^.]*\.")
"""The sentence of a description that names exceptions of Python."""


@body.register
def _(value: MaintenanceResult) -> None:
    for item in value.items:
        wrapped(Text(f"  {item.id}  ", style="dim"), item.text)
    message(value.summary + rest(value))


@body.register
def _(value: CurationResult) -> None:
    if value.action == "restore":
        message(f"Restored {counted(value.restored, 'thought')}.")
        return
    for one in value.thoughts:
        wrapped(Text(f"  {one.value:.2f} {one.verdict:<11}  "), one.text)
        wrapped(Text(" " * 20), f"{one.id}, {one.reason}", style="dim")
    stay, become, leave = (
        ("stay", "became", "left") if value.applied else ("would stay", "would become", "would leave")
    )
    message(
        f"Judged {counted(value.judged, 'old thought')}: {value.kept:,} {stay} active ({value.protected:,} "
        f"protected), {value.crystallised:,} {become} {counted(value.summaries, 'summary')}, "
        f"{value.dumped:,} {leave} recall.{rest(value)}"
    )
    if value.changed_meanwhile:
        message(f"{value.changed_meanwhile:,} were used or pinned meanwhile, and stay.")
    if not value.applied:
        message(
            "Nothing was changed. `legacymind curate apply` does it, `legacymind curate restore` undoes it."
        )


@body.register
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
        for member in [*community.members, *value.members]:
            mass = "" if member.mass is None else f"{member.mass:5.2f}"
            wrapped(Text(f"      {mass:>5} "), member.text, style=KINDS[member.kind])
    end(f"{value.community_count:,} communities, {value.unassigned:,} nodes in none", value)


@body.register
def _(value: HelpResult) -> None:
    width = max((len(one.tool) for one in value.tools), default=0)
    for line in value.tools:
        wrapped(Text(f"{line.tool:<{width}}  ", style="bold"), f"{line.purpose} ({line.command})")
    if (one := value.detail) is not None:
        message(f"{one.tool}: {one.command}, {one.python}, profile {one.profile}")
        (op,) = [each for each in declared().values() if each.declaration.tool == one.tool]
        for paragraph in _RAISES.sub("", one.description).split("\n\n"):
            wrapped(Text(), paragraph.replace("``", "`"))
        _parameters("Parameters", one.parameters)
        _parameters("Filters", one.filters)
        if one.examples:
            message("Examples")
        for example in one.examples:
            message(f"  # {example.purpose}\n  legacymind {as_command(op, example.arguments)}")
    if value.left_out:
        end("", value)


def _parameters(title: str, listed: list[ParameterHelp]) -> None:
    if listed:
        message(title)
    for one in listed:
        needed = ", required" if one.required else ""
        wrapped(Text(f"  {one.name}  ", style="bold"), f"{one.text} ({one.type}{needed})")
