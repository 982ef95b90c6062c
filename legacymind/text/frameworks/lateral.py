"""Lateral thinking: reverses, removes a part, exaggerates a figure, looks for a third option."""

import re
from typing import Final

from legacymind.model.frameworks import FrameworkOutput
from legacymind.text.frameworks.findings import Findings, clause, quote
from legacymind.text.frameworks.reading import Reading

_PLAIN: Final = re.compile(r"^(\d{1,6})(\.\d+)?( ?[^\d\s.,:/][^\s\d]*)$")


def lateral(reading: Reading) -> FrameworkOutput:
    """Challenge what the text takes for granted: its constraints, options, topics and figures."""
    found = Findings("lateral")
    bound = [one for one in reading.carrying("norm", "absolute", "custom") if not one.asks]
    options = [one.options for one in reading.sentences if one.options]
    goals = [one.goal for one in reading.sentences if one.goal]
    causes = [one.cause for one in reading.sentences if one.cause]
    figures = [figure for one in reading.sentences for figure in one.numbers if _PLAIN.match(figure)]
    things = [thing for thing, _ in reading.things] or list(
        reading.identifiers[:2] if reading.sentences else ()
    )
    found.count(constraints=len(bound), options=len(options), figures=len(figures), things=len(things))

    for sides in options[:1]:
        found.insight(f"Only two ways are in view, {clause(sides.one)} and {clause(sides.other)}.")
    apart = _never_together(reading)
    if apart:
        found.insight(f"“{apart[0]}” and “{apart[1]}” both recur, but never in the same sentence.")
    for one in bound[:1]:
        found.insight(f"{quote(one.text)} limits the search: options outside it are not considered.")

    for one in bound[:2]:
        found.ask(f"What would be tried if this were not so: {quote(one.text)}?")
    for sides in options[:1]:
        found.ask(f"What would make both {clause(sides.one)} and {clause(sides.other)} unnecessary?")
    for figure in figures[:2]:
        found.ask(f"What would be done if it were {_tenfold(figure)} instead of {figure}?")
    for sides in causes[:1]:
        found.ask(f"Could {clause(sides.one)} be wanted, and {clause(sides.other)} be the way to get it?")
    if apart:
        found.ask(f"What would “{apart[0]}” do if it had to take over from “{apart[1]}”?")
    for goal in goals[:1]:
        found.ask(f"How would one reliably prevent {clause(goal)}, and what of that happens already?")

    for goal in goals[:1]:
        without = f" without “{things[0]}”" if things else " with a tenth of the time"
        found.step(f"Sketch one way to {clause(goal)}{without}.")
    for sides in options[:1]:
        found.step(f"Name a third way besides {clause(sides.one)} and {clause(sides.other)}, however odd.")
    for thing in things[:1]:
        if not goals:
            found.step(f"Describe it again without the word “{thing}”, and see what is left to solve.")
    return found.output()


def _tenfold(figure: str) -> str:
    found = _PLAIN.match(figure)
    return f"{int(found[1]) * 10:,}{found[3]}" if found else figure


def _never_together(reading: Reading) -> tuple[str, str] | None:
    names = [thing for thing, _ in reading.things[:4]]
    for n, one in enumerate(names):
        for other in names[n + 1 :]:
            if not any({one, other} <= sentence.topics for sentence in reading.sentences):
                return one, other
    return None
