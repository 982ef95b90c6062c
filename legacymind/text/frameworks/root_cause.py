"""Root cause: from the symptom to what differs, what changed and what is known of the error."""

from legacymind.text.frameworks import logs, quantities, relations, trouble
from legacymind.text.frameworks.failures import failures
from legacymind.text.frameworks.findings import COMPUTED, TWO_SIDED, Findings, clause, quote
from legacymind.text.frameworks.reading import Reading


def root_cause(reading: Reading) -> Findings:
    """Ask what differs between cases, what an event changed, and what the message of an error leaves open.

    If the text expresses feelings, ask about their beginning or reason instead of proposing tests.
    """
    found = Findings()
    _errors(reading, found)
    onsets = list(trouble.onsets(reading))
    for onset in onsets[:2]:
        found.ask(f"How could {clause(onset.event)} lead to {clause(onset.what)}?", TWO_SIDED)
        found.step(f"Compare {clause(onset.what)} before and after {clause(onset.event)}.", TWO_SIDED)
    for sides in list(trouble.works_and_fails(reading))[:2]:
        found.ask(f"What else differs between {clause(sides.one)} and {clause(sides.other)}?", COMPUTED)
    for when, case in list(trouble.only_in(reading))[:1]:
        found.ask(f"What is different {when} {clause(case)}, compared with all other cases?", TWO_SIDED)
    for sentence in reading.sentences:
        for share in quantities.shares(sentence):
            if sentence.has("trouble"):
                found.ask(
                    f"What do the {share.part} {share.noun} have in common that the other "
                    f"{share.whole - share.part} lack: {quote(sentence.text)}?",
                    COMPUTED,
                )
    for text in list(trouble.surprises(reading))[:1]:
        found.ask(f"Which explanation would predict that {quote(text)}?", TWO_SIDED)
    for text in list(trouble.version_ranges(reading))[:1]:
        found.ask(f"Which change between {quote(text)} is the first that shows it?", TWO_SIDED)
        found.step(f"Halve the changes between {quote(text)} until one is left.", TWO_SIDED)
    for sides in list(trouble.repetitions(reading))[:1]:
        found.ask(f"Has {clause(sides.one)} ever happened without {clause(sides.other)}?", TWO_SIDED)
    for text in list(trouble.suspects(reading))[:1]:
        found.ask(f"Is the trouble gone without it: {quote(text)}?", TWO_SIDED)
        found.step(f"Undo only this, and look again: {quote(text)}.", COMPUTED)
    for sides in list(trouble.in_spite_of(reading))[:1]:
        found.ask(f"Why did {quote(sides.other)} not prevent {quote(sides.one)}?", TWO_SIDED)
    for text in list(trouble.unchecked(reading))[:1]:
        found.insight(f"Not looked at so far: {quote(text)}.", TWO_SIDED)
        found.step(f"Look there first: {quote(text)}.", TWO_SIDED)
    felt = list(relations.feelings(reading))
    for onset in felt[:1]:
        found.ask(f"Which part of {clause(onset.event)} weighs most in {clause(onset.what)}?", TWO_SIDED)
    if len(reading.chain) > 1 and not felt:
        parts = [reading.chain[0].one, *(link.other for link in reading.chain)][:3]
        found.insight(" ← ".join(clause(part) for part in parts), COMPUTED)
        found.ask(f"And why {clause(reading.chain[-1].other)}?", TWO_SIDED)
        found.meta["depth"] = str(len(reading.chain))
    return found


def _errors(reading: Reading, found: Findings) -> None:
    for failure in failures(reading.lines)[:2]:
        found.ask(failure.question, TWO_SIDED)
        if failure.fact:
            found.insight(failure.fact, TWO_SIDED)
    trace = logs.trace(reading.lines)
    if trace is None:
        return
    if trace.first:
        how = "caused" if trace.caused else "was being handled when"
        then = quote(trace.error) if trace.caused else f"{quote(trace.error)} came"
        found.insight(f"The first error is {quote(trace.first)}; it {how} {then}.", COMPUTED)
        found.ask(
            f"Is {quote(trace.first)} expected there, so that only the handling of it is wrong, "
            f"or is it the one to prevent?",
            TWO_SIDED,
        )
    if trace.source:
        found.insight(f"{quote(trace.error)} comes from the line {quote(trace.source)}.", TWO_SIDED)
        found.step(f"Print what {quote(trace.source)} works on when it fails.", TWO_SIDED)
