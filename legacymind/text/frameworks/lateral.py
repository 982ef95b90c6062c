"""Lateral thinking: the third way, the part instead of the whole, the cause as a means."""

from legacymind.text.frameworks import quantities, relations
from legacymind.text.frameworks.findings import Findings, Strength, clause, quote
from legacymind.text.frameworks.reading import Reading


def lateral(reading: Reading) -> Findings:
    """Look outside two options, at a part instead of the whole, and at one case for all."""
    found = Findings("lateral")
    for one in reading.sentences:
        for pair in quantities.parts(one.text):
            found.ask(f"What if only {quote(pair.ground)} is changed, and nothing else?", Strength.COMPUTED)
    for sides in list(relations.gates(reading))[:1]:
        found.ask(
            f"How could {clause(sides.other)} stop being needed for {clause(sides.one)}?", Strength.STATED
        )
    return found
