"""Systems thinking: recurring parts, their connections, feedback loops and trends."""

from collections import Counter
from itertools import combinations

from legacymind.model.frameworks import FrameworkOutput
from legacymind.text.frameworks.findings import Findings, clause, focus, quote
from legacymind.text.frameworks.reading import Reading


def systems(reading: Reading) -> FrameworkOutput:
    """Find the parts, their connections, loops and trends, and ask what drives and limits them."""
    found = Findings("systems")
    ties = _ties(reading)
    loops = [one for one in reading.sentences if not one.asks and (one.the_more or one.has("loop"))]
    trends = [one for one in reading.carrying("trend") if not one.asks]
    causes = [one.cause for one in reading.sentences if one.cause]
    goals = [one.goal for one in reading.sentences if one.goal]
    found.count(loops=len(loops), ties=len(ties), trends=len(trends))
    if reading.things:
        found.meta["hubs"] = ", ".join(f"{thing} {count}" for thing, count in reading.things[:3])

    for one in loops[:2]:
        sign = one.the_more or one.text
        found.insight(f"A loop that feeds itself: {quote(sign)}.")
    if reading.things:
        thing, count = reading.things[0]
        others = [name for pair, _ in ties if thing in pair for name in pair if name != thing][:3]
        near = f", together with {', '.join(f'“{name}”' for name in others)}" if others else ""
        found.insight(
            f"The most connected part is “{thing}”: {count} of {len(reading.sentences)} sentences{near}."
        )
    for one in trends[:2]:
        found.insight(f"It changes by itself (“{one.marks['trend'].lower()}”): {quote(one.text)}.")
    if reading.names:
        found.insight(f"Taking part: {', '.join(reading.names[:5])}.")

    for one in loops[:1]:
        found.ask(f"What stops it, once {quote(one.the_more or one.text)}?")
    for one in trends[:1]:
        found.ask(f"How fast, and up to which limit: {quote(one.text)}?")
    for sides in causes[:1]:
        found.ask(f"Does {clause(sides.one)} act back on {clause(sides.other)}?")
    for goal in goals[:1]:
        touched = [*reading.names[:2], *(f"“{thing}”" for thing, _ in reading.things[:2])][:3]
        if touched:
            found.ask(f"What does {clause(goal)} do to {', '.join(touched)}, and after how long?")
    for (one, other), _ in ties[:1]:
        found.ask(f"If “{one}” changes, what does “{other}” do, at once and later?")
    main = focus(reading)
    if main and not found.questions:
        found.ask(f"What outside influences {quote(main.text)}, and who would notice a change?")

    if chain := reading.chain[:3]:
        drawn = [chain[0].one, *(link.other for link in chain)]
        found.step(f"Draw {' → '.join(clause(part) for part in reversed(drawn))}, and look for the way back.")
    for one in trends[:1]:
        found.step(f"Measure it over time before changing anything: {quote(one.text)}.")
    for one in loops[:1]:
        found.step(f"Find the weakest link of {quote(one.the_more or one.text)}, and cut there.")
    return found.output()


def _ties(reading: Reading) -> list[tuple[tuple[str, str], int]]:
    """Pairs of topics that occur in the same sentence, most frequent first."""
    names = {thing for thing, _ in reading.things}
    pairs = Counter(pair for one in reading.sentences for pair in combinations(sorted(one.topics & names), 2))
    return sorted(pairs.items(), key=lambda tie: (-tie[1], tie[0]))
