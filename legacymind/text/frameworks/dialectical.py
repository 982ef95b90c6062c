"""Dialectical thinking: opposing statements, and conditions under which both hold."""

from legacymind.model.frameworks import FrameworkOutput
from legacymind.text.frameworks.causes import Sides
from legacymind.text.frameworks.findings import Findings, clause, focus, quote
from legacymind.text.frameworks.reading import Reading


def dialectical(reading: Reading) -> FrameworkOutput:
    """Find theses and their antitheses, explicit or implied, and ask how both can be kept."""
    found = Findings("dialectical")
    tensions = [one.contrast for one in reading.sentences if one.contrast]
    options = [one.options for one in reading.sentences if one.options]
    denied = _denied(reading)
    onesided = [one for one in reading.carrying("absolute", "value", "norm") if not one.asks]
    decided = [one.goal for one in reading.sentences if one.goal and one.decided]
    found.count(tensions=len(tensions), options=len(options), contradictions=len(denied))

    for sides in tensions[:2]:
        found.insight(f"Thesis {clause(sides.one)}, antithesis {clause(sides.other)}.")
    for sides in options[:1]:
        found.insight(f"Undecided between {clause(sides.one)} and {clause(sides.other)}.")
    for sides in denied[:2]:
        found.insight(f"Stated and denied: {quote(sides.one)}, and {quote(sides.other)}.")
    if onesided and not (tensions or denied):
        found.insight(f"One-sided: nothing in the text argues against {quote(onesided[0].text)}.")

    for sides in tensions[:2]:
        found.ask(f"Under which condition do both hold: {clause(sides.one)}, and {clause(sides.other)}?")
    for sides in denied[:1]:
        found.ask(f"In which sense is each right: {quote(sides.one)}, {quote(sides.other)}?")
    for sides in options[:1]:
        found.ask(f"What does {clause(sides.one)} get right that {clause(sides.other)} would lose?")
    for one in onesided[:1]:
        found.ask(f"Who would say the opposite of {quote(one.text)}, and what do they see?")
    for goal in decided[:1]:
        found.ask(f"What is the best argument against {clause(goal)}?")
    main = focus(reading)
    if main and not found.questions:
        found.ask(f"What would have to be true for the opposite of {quote(main.text)}?")

    for sides in tensions[:1]:
        found.step(
            f"Combine {clause(sides.one)} and {clause(sides.other)} in one sentence that both sides "
            "would sign."
        )
    for sides in denied[:1]:
        found.step(
            f"Find out which of the two is older or more exact: {quote(sides.one)}, {quote(sides.other)}."
        )
    for sides in options[:1]:
        found.step(
            f"Argue for {clause(sides.other)} as its best advocate would, then for {clause(sides.one)}."
        )
    for goal in decided[:1]:
        found.step(f"Before {clause(goal)}, write down what would make it a mistake.")
    return found.output()


def _denied(reading: Reading) -> list[Sides]:
    """Pairs of statements about the same topics, one of them negated."""
    stated = [one for one in reading.sentences if not one.asks and one.topics][:40]
    plain = [one for one in stated if not one.has("negation")]
    return [
        Sides(one.text, other.text)
        for other in stated
        if other.has("negation")
        for one in plain
        if len(one.topics & other.topics) >= max(2, min(len(one.topics), len(other.topics)) - 1)
    ][:3]
