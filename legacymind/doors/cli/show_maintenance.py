"""Output of `maintain`, `curate` and `tool-help`."""

import re
from collections.abc import Mapping
from typing import Final

from rich.text import Text

from legacymind.doors.cli.output import message, wrapped
from legacymind.doors.cli.show import result
from legacymind.doors.cli.wording import ARGUMENTS, declared, flags, worded
from legacymind.model.help import HelpResult, ParameterHelp
from legacymind.model.maintenance import CurationResult, MaintenanceResult
from legacymind.text.numbers import counted

_RAISES: Final = re.compile(r"\s*Raises [A-Z][^.]*\.")
"""The sentence of a description that names exceptions of Python."""


@result.register
def _(value: MaintenanceResult) -> None:
    for item in value.items:
        wrapped(Text(f"  {item.id}  ", style="dim"), item.text)
    if value.left_out:
        message(f"  and {value.left_out:,} more")
    message(value.summary)


@result.register
def _(value: CurationResult) -> None:
    if value.action == "restore":
        message(f"Restored {counted(value.restored, 'thought')}.")
        return
    for one in value.thoughts:
        wrapped(Text(f"  {one.value:.2f} {one.verdict:<11}  "), one.text or "(private)")
        wrapped(Text(" " * 20), f"{one.id}, {one.reason}", style="dim")
    if value.left_out:
        message(f"  and {value.left_out:,} more")
    stay, become, leave = (
        ("stay", "became", "left") if value.applied else ("would stay", "would become", "would leave")
    )
    message(
        f"Judged {counted(value.judged, 'old thought')}: {value.kept:,} {stay} active ({value.protected:,} "
        f"protected), {value.crystallised:,} {become} {counted(value.summaries, 'summary')}, "
        f"{value.dumped:,} {leave} recall."
    )
    if value.changed_meanwhile:
        message(f"{value.changed_meanwhile:,} were used or pinned meanwhile, and stay.")
    if not value.applied:
        message(
            "Nothing was changed. `legacymind curate apply` does it, `legacymind curate restore` undoes it."
        )


@result.register
def _(value: HelpResult) -> None:
    width = max((len(one.tool) for one in value.tools), default=0)
    for line in value.tools:
        wrapped(Text(f"{line.tool:<{width}}  ", style="bold"), f"{line.purpose} ({line.command})")
    if (one := value.detail) is not None:
        message(f"{one.tool}: {one.command}, {one.python}, profile {one.profile}")
        names = _options(one.tool)
        for paragraph in _RAISES.sub("", one.description).split("\n\n"):
            wrapped(Text(), worded(paragraph, names).replace("``", "`"))
        _parameters("Parameters", one.parameters, names)
        _parameters("Filters", one.filters, names)
        if one.examples:
            message("Examples")
        for example in one.examples:
            shown = ", ".join(f"{names.get(name, name)} {given}" for name, given in example.shown())
            wrapped(Text("  "), f"{example.purpose}: {shown}" if shown else example.purpose)
    if value.left_out:
        message(f"{value.left_out:,} more with --max-tokens")


def _parameters(title: str, listed: list[ParameterHelp], names: Mapping[str, str]) -> None:
    if listed:
        message(title)
    for one in listed:
        needed = ", required" if one.required else ""
        name = names.get(one.name, one.name)
        wrapped(Text(f"  {name}  ", style="bold"), f"{worded(one.text, names)} ({one.type}{needed})")


def _options(tool: str) -> dict[str, str]:
    """The options of a tool's command by the names of its parameters."""
    (one,) = [each for each in declared().values() if each.declaration.tool == tool]
    every = [parameter.name for parameter in one.parameters]
    arguments = {parameter.name for parameter in one.parameters if parameter.required}
    arguments |= ARGUMENTS & {every[0]}
    return {name: name.upper() if name in arguments else flags(name, every)[0] for name in every}
