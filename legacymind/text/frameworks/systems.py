"""Systems thinking: rates and limits, loops, and what waits for what."""

from legacymind.text.frameworks import quantities, relations
from legacymind.text.frameworks.findings import COMPUTED, TWO_SIDED, Findings, clause, quote
from legacymind.text.frameworks.quantities import amount
from legacymind.text.frameworks.reading import Reading


def systems(reading: Reading) -> Findings:
    """Find when a rate reaches a limit, which loop feeds itself, and what happens if a step is late."""
    found = Findings()
    _reached(reading, found)
    for one in reading.sentences:
        if one.the_more and not one.asks:
            found.insight(f"Two things grow together: {quote(one.the_more)}.", TWO_SIDED)
            found.ask(f"What sets a limit to this: {quote(one.the_more)}?", TWO_SIDED)
    for gate in list(relations.gates(reading))[:2]:
        found.ask(
            f"If it takes longer until {clause(gate.gate)}, what is lost while {clause(gate.what)}?"
            if gate.is_clause
            else f"If {clause(gate.gate)} is late, what happens to {clause(gate.what)}?",
            TWO_SIDED,
        )
    for sides in list(relations.deadlines(reading))[:1]:
        found.ask(f"If {quote(sides.one)} is a day late, what about {quote(sides.other)}?", COMPUTED)
    if len(reading.chain) > 1:
        drawn = [reading.chain[0].one, *(link.other for link in reading.chain)][:4]
        found.step(
            f"Draw {' → '.join(clause(part) for part in reversed(drawn))}, and look for a way back.", COMPUTED
        )
    return found


def _reached(reading: Reading, found: Findings) -> None:
    """When a rate reaches a limit of the same kind, from the smallest other figure of that kind."""
    rates = [(rate, n) for n, one in enumerate(reading.sentences) for rate in quantities.rates(one)]
    limits = [limit for one in reading.sentences for limit in quantities.limits(one)]
    for rate, _ in rates:
        for limit in limits:
            if limit.figure.kind != rate.figure.kind or rate.figure.value <= 0:
                continue
            starts = [
                figure
                for one in reading.sentences
                for figure in one.figures
                if figure.kind == limit.figure.kind
                and figure.written not in (limit.figure.written, rate.figure.written)
                and figure.value < limit.figure.value
            ]
            start = min(starts, key=lambda one: one.value) if starts else None
            room = limit.figure.value - (start.value if start else 0)
            if room <= 0:
                continue
            after = amount(room / rate.figure.value * rate.seconds, "time")
            origin = f" from {quote(start.written)}" if start else ""
            found.insight(
                f"{quote(rate.ground)} reaches {quote(limit.ground)} after {after}{origin}.", COMPUTED
            )
            found.ask(
                f"Does it end about every {after}, as {quote(rate.ground)} up to {quote(limit.ground)} "
                "would mean?",
                COMPUTED,
            )
            return
