"""Lateral thinking: a part instead of the whole, all cases instead of some, neither of two options."""

from legacymind.text.frameworks import quantities, relations, trouble
from legacymind.text.frameworks.findings import Findings, Strength, clause, quote
from legacymind.text.frameworks.reading import Reading


def lateral(reading: Reading) -> Findings:
    """Turn round what the text states: change only a part, cause the failure, do without both options."""
    found = Findings("lateral")
    for one in reading.sentences:
        for pair in quantities.parts(one):
            found.ask(f"What if only {quote(pair.ground)} is changed, and nothing else?", Strength.COMPUTED)
        for share in quantities.shares(one):
            if one.has("trouble"):
                found.ask(
                    f"What would make all {share.whole} {share.noun} fail: {quote(one.text)}?",
                    Strength.TWO_SIDED,
                )
    for sides in list(trouble.works_and_fails(reading))[:1]:
        found.ask(
            f"What would have to be done to get {clause(sides.other)} where now {clause(sides.one)}?",
            Strength.TWO_SIDED,
        )
    for choice in list(relations.choices(reading))[:1]:
        one, other = clause(choice.options.one), clause(choice.options.other)
        found.ask(f"What would make both {one} and {other} unnecessary?", Strength.STATED)
    for gate in list(relations.gates(reading))[:1]:
        if not gate.is_clause:
            found.ask(f"How could {clause(gate.what)} do without {clause(gate.gate)}?", Strength.STATED)
    return found
