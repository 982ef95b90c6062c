"""First principles: what the figures leave, and which assumptions carry the rest."""

from collections.abc import Iterator
from typing import Final

from legacymind.text.frameworks import quantities, relations
from legacymind.text.frameworks.findings import COMPUTED, STATED, TWO_SIDED, Findings, clause, quote
from legacymind.text.frameworks.quantities import Limit, Quantity, amount, times
from legacymind.text.frameworks.reading import Reading, Sentence

_MEASURES: Final = ("time", "bytes", "percent", "euros", "dollars")


def first_principles(reading: Reading) -> Findings:
    """Compare figures with limits, parts with wholes and values of one name; ask what assumptions rest on."""
    found = Findings()
    for limit, figure, sentence in list(_against_limits(reading))[:2]:
        if figure.value > limit.figure.value:
            factor = times(figure.value / limit.figure.value)
            found.insight(
                f"{quote(figure.written)} is over {quote(limit.ground)}, {factor} times as much.", COMPUTED
            )
            found.ask(f"Which gives way, {clause(sentence.text)} or {quote(limit.ground)}?", COMPUTED)
        elif figure.value >= limit.figure.value / 4:
            left = amount(limit.figure.value - figure.value, limit.figure.kind)
            found.insight(f"{quote(figure.written)} leaves {left} of {quote(limit.ground)}.", COMPUTED)
            found.ask(f"What else has to fit into the {left} that {quote(limit.ground)} leaves?", COMPUTED)
    for one in reading.sentences:
        for pair in quantities.parts(one):
            share = 100 * pair.one.value / pair.other.value
            rest = amount(pair.other.value - pair.one.value, pair.other.kind)
            found.insight(
                f"{quote(pair.one.written)} is {times(share)} % of {quote(pair.other.written)}; "
                f"{rest} remain.",
                COMPUTED,
            )
            found.ask(f"Are the {rest} that remain enough, without {quote(pair.ground)}?", COMPUTED)
        for pair in quantities.comparisons(one):
            wondered = one.asks or one.has("trouble", "loop")
            if pair.one.kind == "time" and not wondered:
                continue  # two durations of one sentence are mostly of different things
            difference = amount(abs(pair.other.value - pair.one.value), pair.one.kind)
            found.insight(
                f"Between {quote(pair.one.written)} and {quote(pair.other.written)} are {difference}.",
                TWO_SIDED,
            )
            if wondered and pair.one.kind == "time":
                found.ask(f"Where do the {difference} come from: {quote(one.text)}?", COMPUTED)
    for one, other in _one_name_two_values(reading)[:1]:
        found.insight(f"One name has two values: {quote(one)} and {quote(other)}.", COMPUTED)
        found.ask(f"Which of the two is checked first, {quote(one)} or {quote(other)}?", COMPUTED)
    for assumption in list(relations.assumptions(reading))[:1]:
        if assumption.otherwise:
            found.ask(
                f"What shows that {clause(assumption.what)}, so that not {clause(assumption.otherwise)}?",
                COMPUTED,
            )
            found.step(f"Try it out on purpose: does {clause(assumption.otherwise)} happen?", TWO_SIDED)
        else:
            found.ask(f"How could it be checked that {clause(assumption.what)}?", STATED)
    return found


def _against_limits(reading: Reading) -> Iterator[tuple[Limit, Quantity, Sentence]]:
    """Limits with the largest figure of their kind in the same sentence, else in the one before or after.

    A limit of what grows is left to the framework ``systems``, which computes when it is reached.
    """
    growing = {rate.figure.kind for one in reading.sentences for rate in quantities.rates(one)}
    for n, sentence in enumerate(reading.sentences):
        for limit in quantities.limits(sentence):
            if limit.figure.kind not in _MEASURES or limit.figure.kind in growing:
                continue
            before = reading.sentences[n - 1 : n] if n else ()
            for near in (sentence, *before, *reading.sentences[n + 1 : n + 2]):
                figures = [] if near.asks else _besides_limits(near, limit.figure.kind)
                if figures:
                    yield limit, max(figures, key=lambda one: one.value), near
                    break


def _besides_limits(sentence: Sentence, kind: str) -> list[Quantity]:
    limits = [limit.figure for limit in quantities.limits(sentence)]
    return [one for one in sentence.figures if one.kind == kind and one not in limits]


def _one_name_two_values(reading: Reading) -> list[tuple[str, str]]:
    """Two spellings of one identifier, each with its own figure."""
    values: dict[str, dict[str, str]] = {}
    for one in reading.sentences:
        for name, value in relations.settings_of(one.text):
            values.setdefault(name.replace("_", "").replace("-", "").lower(), {}).setdefault(
                value, f"{name}{value}"
            )
    several = [list(of.values()) for of in values.values() if len(of) > 1]
    return [(written[0], written[1]) for written in several]
