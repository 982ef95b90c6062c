"""First principles: separates facts from assumptions, and rebuilds from the facts."""

from legacymind.model.frameworks import FrameworkOutput
from legacymind.text.frameworks.findings import Findings, clause, focus, quote
from legacymind.text.frameworks.reading import Reading


def first_principles(reading: Reading) -> FrameworkOutput:
    """Separate facts from assumptions, constraints and customs, and ask what remains without those."""
    found = Findings("first_principles")
    facts = [
        one
        for one in reading.sentences
        if (one.numbers or one.has("observed"))
        and not (one.asks or one.goal or one.has("hedge", "belief", "absolute"))
    ]
    assumed = [
        one for one in reading.carrying("belief", "absolute", "hedge") if not (one.asks or one.has("feeling"))
    ]
    bound = [one for one in reading.carrying("norm") if not one.asks]
    custom = reading.carrying("custom")
    goals = [one.goal for one in reading.sentences if one.goal]
    found.count(facts=len(facts), assumptions=len(assumed), constraints=len(bound), customs=len(custom))

    for one in facts[:2]:
        found.insight(f"Given: {quote(one.text)}.")
    for one in assumed[:2]:
        sign = one.marks.get("belief") or one.marks.get("absolute") or one.marks["hedge"]
        found.insight(f"Assumed (“{sign.lower()}”): {quote(one.text)}.")
    for one in bound[:2]:
        found.insight(f"A constraint (“{one.marks['norm'].lower()}”): {quote(one.text)}.")
    for one in custom[:1]:
        found.insight(f"By custom (“{one.marks['custom'].lower()}”), not by need: {quote(one.text)}.")

    for one in bound[:2]:
        found.ask(f"Is “{one.marks['norm'].lower()}” a law or somebody's choice in {quote(one.text)}?")
    for one in custom[:1]:
        found.ask(f"What was the original reason, and does it still hold: {quote(one.text)}?")
    for one in assumed[:2]:
        found.ask(f"What follows if {quote(one.text)} is not so?")
    for goal in goals[:1]:
        found.ask(f"What is the least that {clause(goal)} needs, if nothing of today's solution is kept?")
    for thing, _ in reading.things[:1]:
        found.ask(f"What is “{thing}” for here, and could that be had without it?")
    main = focus(reading)
    if main and not (bound or assumed or goals or main.has("feeling")):
        found.ask(f"Which simpler facts does {quote(main.text)} rest on?")

    for one in assumed[:1]:
        found.step(f"Test the most important assumption: {quote(one.text)}.")
    for one in bound[:1]:
        found.step(f"Ask who set the constraint {quote(one.text)}, and what it protects.")
    if facts and (goals or assumed):
        toward = f" towards {clause(goals[0])}" if goals else ""
        found.step(f"Start again from {quote(facts[0].text)}{toward}, adding one thing at a time.")
    return found.output()
