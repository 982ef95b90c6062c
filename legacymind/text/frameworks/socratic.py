"""Socratic method: asks for the meaning, the evidence and the exceptions of claims."""

from legacymind.model.frameworks import FrameworkOutput
from legacymind.text.frameworks.findings import Findings, clause, focus, quote
from legacymind.text.frameworks.reading import Reading


def socratic(reading: Reading) -> FrameworkOutput:
    """Question certainties first, then reasons, doubts, values and the thought's own questions.

    A feeling is not a claim: the question about it is when it is strongest, not what proves it.
    """
    found = Findings("socratic")
    claims = [one for one in reading.claims if not one.has("feeling")]
    certain = [one for one in reading.carrying("absolute") if not (one.asks or one.has("feeling"))]
    doubted = [one for one in reading.carrying("hedge") if not one.asks]
    reasoned = [one for one in reading.sentences if one.cause and not one.has("feeling")]
    valued = [one for one in reading.carrying("value") if not one.asks]
    asked = reading.asked
    found.count(claims=len(claims), reasons=len(reasoned), certainties=len(certain), questions=len(asked))

    for one in [one for one in certain if not one.cause][:2]:
        found.insight(f"Certain without a reason: “{one.marks['absolute']}” in {quote(one.text)}.")
    bare = [one for one in claims if not (one.cause or one.numbers)]
    if len(claims) > 1 and bare:
        which = (
            "Of 2 claims 1 has"
            if len(claims) == 2 and len(bare) == 1
            else f"{len(bare)} of {len(claims)} claims have"
        )
        found.insight(f"{which} neither a reason nor a figure, as {quote(bare[0].text)}.")
    for one in asked[:1]:
        found.insight(f"The open question: {quote(one.text)}.")

    for one in certain[:2]:
        found.ask(f"Is there one case in which “{one.marks['absolute']}” is not so: {quote(one.text)}?")
    for one in reasoned[:2]:
        if one.cause:
            found.ask(
                f"How is it known that {clause(one.cause.other)} is why {clause(one.cause.one)},"
                " and not merely coincidental?"
            )
    for one in doubted[:2]:
        found.ask(
            f"What makes it “{one.marks['hedge'].lower()}” in {quote(one.text)}, and what would settle it?"
        )
    for one in valued[:1]:
        found.ask(f"“{one.marks['value']}” by which measure, and compared with what: {quote(one.text)}?")
    for one in asked[:2]:
        found.ask(f"What would an answer have to contain to close {quote(one.text)}?")
    main = focus(reading)
    if main and main.has("feeling"):
        found.ask(f"When is it strongest, and when is it gone: {quote(main.text)}?")
    elif main:
        found.ask(f"What was seen, by whom, that shows {quote(main.text)}?")
    for thing, count in reading.things[:1]:
        found.ask(f"Is “{thing}” the same thing in all {count} sentences that mention it?")

    for one in certain[:1]:
        found.step(f"Look for one counterexample to {quote(one.text)}.")
    for one in doubted[:1]:
        found.step(f"Find out what {quote(one.text)} depends on, before building on it.")
    for one in asked[:1]:
        found.step(f"Write down what is known already about {quote(one.text)}, and what is not.")
    return found.output()
