"""Three frameworks that question what a text states: Socratic, dialectical and lateral thinking."""

from legacymind.text.frameworks import quantities, relations, trouble
from legacymind.text.frameworks.findings import COMPUTED, STATED, TWO_SIDED, Findings, clause, quote
from legacymind.text.frameworks.quantities import amount
from legacymind.text.frameworks.reading import Reading


def socratic(reading: Reading) -> Findings:
    """Hold a rule against the text's own case, and a stated cause against its alternatives."""
    found = Findings()
    for sides in list(relations.rules_and_cases(reading))[:1]:
        found.ask(f"Does {quote(sides.one)} hold for the case of {quote(sides.other)}?", COMPUTED)
    for sides in list(relations.contradictions(reading))[:1]:
        found.ask(
            f"What would have to be true for both {clause(sides.one)} and {clause(sides.other)}?", TWO_SIDED
        )
    for one in reading.asked:
        for pair in quantities.comparisons(one):
            difference = amount(abs(pair.other.value - pair.one.value), pair.one.kind)
            found.ask(f"What takes the {difference} between the two in {quote(one.text)}?", COMPUTED)
    return found


def dialectical(reading: Reading) -> Findings:
    """Set the reasons of two options, or two statements that contradict each other, side by side."""
    found = Findings()
    for choice in list(relations.choices(reading))[:1]:
        one, other = clause(choice.options.one), clause(choice.options.other)
        if choice.about_one and choice.about_other:
            found.ask(
                f"Which weighs more, {quote(choice.about_one[0])} or {quote(choice.about_other[0])}?",
                COMPUTED,
            )
        elif choice.about_one or choice.about_other:
            with_, without = (one, other) if choice.about_one else (other, one)
            reason = quote((choice.about_one or choice.about_other)[0])
            found.ask(f"The text weighs {with_} by {reason}. What does {without} cost or bring?", COMPUTED)
        else:
            found.ask(f"What would {one} show or bring that {other} would not?", STATED)
    for sides in list(relations.contradictions(reading))[:1]:
        found.insight(f"Both cannot hold: {clause(sides.one)}, and {clause(sides.other)}.", COMPUTED)
        found.ask(f"Which was checked last, {clause(sides.one)} or {clause(sides.other)}?", COMPUTED)
    return found


def lateral(reading: Reading) -> Findings:
    """Turn round what the text states: change only a part, cause the failure, do without both options."""
    found = Findings()
    for one in reading.sentences:
        for pair in quantities.parts(one):
            found.ask(f"What if only {quote(pair.ground)} is changed, and nothing else?", COMPUTED)
        for share in quantities.shares(one):
            if one.has("trouble"):
                found.ask(
                    f"What would make all {share.whole} {share.noun} fail: {quote(one.text)}?", TWO_SIDED
                )
    for sides in list(trouble.works_and_fails(reading))[:1]:
        found.ask(
            f"What would have to be done to get {clause(sides.other)} where now {clause(sides.one)}?",
            TWO_SIDED,
        )
    for choice in list(relations.choices(reading))[:1]:
        one, other = clause(choice.options.one), clause(choice.options.other)
        found.ask(f"What would make both {one} and {other} unnecessary?", STATED)
    for gate in list(relations.gates(reading))[:1]:
        if not gate.is_clause:
            found.ask(f"How could {clause(gate.what)} do without {clause(gate.gate)}?", STATED)
    return found
