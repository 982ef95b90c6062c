"""Root cause: follows the chain of causes from the symptom to the last one given."""

from collections.abc import Sequence

from legacymind.model.frameworks import FrameworkOutput
from legacymind.text.frameworks.causes import Sides
from legacymind.text.frameworks.findings import Findings, clause, focus, quote
from legacymind.text.frameworks.reading import Reading, Sentence


def root_cause(reading: Reading) -> FrameworkOutput:
    """Follow the stated causes to the last one, and ask for the next cause, for changes and for a test.

    If the text expresses feelings, ask what is needed instead of proposing tests.
    """
    found = Findings("root_cause")
    causal = [one for one in reading.sentences if one.cause]
    chain = reading.chain
    felt = reading.carrying("feeling")
    began = [one.began for one in reading.sentences if one.began]
    trouble = [one for one in reading.carrying("trouble") if not (one.asks or one.has("hedge", "belief"))]
    again = [one for one in reading.carrying("loop") if not one.asks]
    found.count(causes=len(causal), depth=len(chain), feelings=len(felt), suspects=len(began))

    if reading.error:
        found.insight(f"The symptom is {quote(reading.error)}; it shows where, not why.")
    for one in felt[:2]:
        found.insight(f"“{one.marks['feeling'].lower()}” is about this: {quote(one.text)}.")
    if len(chain) > 1:
        found.insight(
            " ← ".join(clause(part) for part in [chain[0].one, *(link.other for link in chain)][:3])
        )
    for one in causal[:2]:
        if one.cause and (len(chain) < 2 or one.cause not in chain):
            sure = f" (only “{one.marks['hedge'].lower()}”)" if one.has("hedge") else ""
            found.insight(f"Given as the cause{sure}: {clause(one.cause.other)}, of {clause(one.cause.one)}.")
    for when in began[:1]:
        found.insight(f"Something changed then: {clause(when)}.")
    for one in again[:1]:
        found.insight(f"It comes back (“{one.marks['loop'].lower()}”): {quote(one.text)}.")

    about = reading.error or next((one.text for one in trouble if not one.began), None)
    if felt and not reading.error:
        _ask_gently(found, felt, began, chain)
        return found.output()
    if chain:
        found.ask(f"And why {clause(chain[-1].other)}?")
    for when in began[:1]:
        seen = f", and was {quote(about)} never seen before?" if about else "?"
        found.ask(f"What exactly changed {clause(when)}{seen}")
    for sides in [one.cause for one in causal if one.cause][:1]:
        found.ask(f"Has {clause(sides.one)} ever been so without {clause(sides.other)}?")
    for one in trouble[:2]:
        if not one.cause:
            found.ask(f"What causes {quote(one.text)}, and under which conditions does it happen?")
    if reading.error and not causal:
        found.ask(f"Which value or state, one step earlier, made {quote(reading.error)} unavoidable?")
    if not found.questions and (main := focus(reading)):
        found.ask(f"What caused {quote(main.text)}?")

    for sides in chain[-1:]:
        found.step(f"Undo {clause(sides.other)} alone, and see whether {clause(sides.one)} goes away.")
    for when in began[:1]:
        found.step(f"Compare what runs now with what ran before {clause(when)}.")
    if reading.error:
        place = f", beginning at `{reading.identifiers[0]}`" if reading.identifiers else ""
        found.step(f"Trace {quote(reading.error)} back to where its input was still right{place}.")
    return found.output()


def _ask_gently(
    found: Findings, felt: Sequence[Sentence], began: Sequence[str], chain: Sequence[Sides]
) -> None:
    for one in felt[:2]:
        found.ask(f"What is needed, and missing, in {quote(one.text)}?")
    for when in began[:1]:
        found.ask(f"What was there before, and is missed {clause(when)}?")
    for sides in chain[-1:]:
        found.ask(f"What would help a little, even while {clause(sides.other)} stays as it is?")
    found.step(f"Name the one thing that would ease {quote(felt[0].text)} first.")
