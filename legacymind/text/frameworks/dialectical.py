"""Dialectical thinking: choices with their reasons, contradictions, and tensions."""

from legacymind.text.frameworks import relations
from legacymind.text.frameworks.findings import Findings, Strength, clause, quote
from legacymind.text.frameworks.reading import Reading


def dialectical(reading: Reading) -> Findings:
    """Set the reasons of two options, or two statements that contradict each other, side by side."""
    found = Findings("dialectical")
    for choice in list(relations.choices(reading))[:1]:
        one, other = clause(choice.options.one), clause(choice.options.other)
        if choice.about_one and choice.about_other:
            found.ask(
                f"Which weighs more, {quote(choice.about_one[0])} or {quote(choice.about_other[0])}?",
                Strength.COMPUTED,
            )
        elif choice.about_one or choice.about_other:
            with_, without = (one, other) if choice.about_one else (other, one)
            reason = quote((choice.about_one or choice.about_other)[0])
            found.ask(
                f"The text weighs {with_} by {reason}. What does {without} cost or bring?", Strength.COMPUTED
            )
        else:
            found.ask(f"What would {one} show or bring that {other} would not?", Strength.STATED)
    for sides in list(relations.contradictions(reading))[:1]:
        found.insight(f"Both cannot hold: {clause(sides.one)}, and {clause(sides.other)}.", Strength.COMPUTED)
        found.ask(f"Which was checked last, {clause(sides.one)} or {clause(sides.other)}?", Strength.COMPUTED)
    return found
