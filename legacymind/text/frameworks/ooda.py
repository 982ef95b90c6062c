"""OODA: observe, orient, decide, act."""

from legacymind.model.frameworks import FrameworkOutput
from legacymind.text.frameworks.findings import Findings, clause, quote
from legacymind.text.frameworks.reading import Reading, Sentence


def ooda(reading: Reading) -> FrameworkOutput:
    """Separate observations from interpretations, find the stage of the loop, and ask for the next stage."""
    found = Findings("ooda")
    observed = [one for one in reading.sentences if _is_observation(one)]
    oriented = [one for one in reading.carrying("belief", "hedge") if not one.asks]
    open_options = [one.options for one in reading.sentences if one.options]
    decided = [one.goal for one in reading.sentences if one.goal and one.decided]
    wished = [one.goal for one in reading.sentences if one.goal and not one.decided]
    stage = "act" if decided else "decide" if open_options or wished else "orient" if oriented else "observe"
    found.count(
        observations=len(observed) + bool(reading.error), readings=len(oriented), decisions=len(decided)
    )
    if observed or reading.error or stage != "observe":
        found.meta["stage"] = stage

    if reading.error:
        found.insight(f"Observed: the error {quote(reading.error)}.")
    for one in observed[:3]:
        found.insight(f"Observed: {quote(one.text)}.")
    for one in oriented[:2]:
        sign = one.marks.get("belief") or one.marks["hedge"]
        found.insight(f"An interpretation, not an observation ({sign.lower()}): {quote(one.text)}.")
    for goal in decided[:2]:
        found.insight(f"Decided: {clause(goal)}.")

    if reading.error:
        began = next((one.began for one in reading.sentences if one.began), None)
        found.ask(
            f"Is {quote(reading.error)} seen every time {clause(began)}, and never before?"
            if began
            else f"When was {quote(reading.error)} seen first, and what was different before?"
        )
    for one in oriented[:2]:
        found.ask(f"Which observation would show whether {quote(one.text)} holds?")
    for sides in open_options[:2]:
        found.ask(
            f"What would have to be seen to choose {clause(sides.one)}, what to choose {clause(sides.other)}?"
        )
    if observed and not (decided or wished or open_options):
        found.ask(f"What is to be decided, now that {quote(observed[-1].text)}?")

    for goal in decided[:2]:
        check = f", then look again at {quote(observed[0].text)}" if observed else ""
        found.step(f"Do it: {clause(goal)}{check}.")
    for goal in wished[:2]:
        found.step(f"Decide on {clause(goal)}: by when, and how to see that it is done.")
    for sides in open_options[:1]:
        found.step(f"Try whichever of {clause(sides.one)} and {clause(sides.other)} is undone more easily.")
    if reading.error and not decided:
        found.step(f"Make {quote(reading.error)} happen at will, in the smallest case that still shows it.")
    for one in oriented[:1]:
        found.step(f"Look before acting on {quote(one.text)}: it is not observed yet.")
    return found.output()


def _is_observation(one: Sentence) -> bool:
    """Whether a sentence has figures or verbs of perception, without doubt and not as a goal."""
    return bool(one.numbers or one.has("observed", "trouble")) and not (
        one.asks or one.has("belief", "hedge") or one.goal or one.the_more
    )
