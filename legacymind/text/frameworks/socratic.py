"""Socratic method: rules and their cases, claims and what the same text holds against them."""

from legacymind.text.frameworks import quantities, relations
from legacymind.text.frameworks.findings import Findings, Strength, clause, quote
from legacymind.text.frameworks.quantities import amount
from legacymind.text.frameworks.reading import Reading


def socratic(reading: Reading) -> Findings:
    """Hold a rule against the text's own case, and a stated cause against its alternatives."""
    found = Findings("socratic")
    for sides in list(relations.rules_and_cases(reading))[:1]:
        found.ask(f"Does {quote(sides.one)} hold for the case of {quote(sides.other)}?", Strength.COMPUTED)
    for sides in list(relations.contradictions(reading))[:1]:
        found.ask(
            f"What would have to be true for both {clause(sides.one)} and {clause(sides.other)}?",
            Strength.TWO_SIDED,
        )
    for one in reading.asked:
        for pair in quantities.comparisons(one):
            difference = amount(abs(pair.other.value - pair.one.value), pair.one.kind)
            found.ask(f"What takes the {difference} between the two in {quote(one.text)}?", Strength.COMPUTED)
    return found
