"""OODA: observe, orient, decide, act."""

from collections.abc import Iterator
from typing import Final

from legacymind.text.frameworks import logs, quantities, trouble
from legacymind.text.frameworks.findings import COMPUTED, TWO_SIDED, Findings, clause, quote
from legacymind.text.frameworks.quantities import Pair, Quantity, amount, times
from legacymind.text.frameworks.reading import Reading, Sentence

_LEAST_TIMES: Final = 2.0  # a smaller change needs no arithmetic
_AROUND: Final = 40  # characters quoted before a figure


def ooda(reading: Reading) -> Findings:
    """Find changes and gaps in what the text observes, and what would decide between two explanations."""
    found = Findings()
    changed = [
        pair for one in reading.sentences for pair in quantities.changes(one) if pair.times >= _LEAST_TIMES
    ]
    for pair in changed[:2]:
        found.insight(_change(pair), COMPUTED)
    _log(reading, found)
    for sides in list(trouble.rivals(reading))[:1]:
        found.ask(f"What would be seen if {clause(sides.one)}, but not if {clause(sides.other)}?", TWO_SIDED)
    for supposed, seen, rest in list(_unexplained(reading))[:1]:
        found.ask(
            f"If {quote(supposed)} is the explanation, where do the other {rest} of {quote(seen)} come from?",
            COMPUTED,
        )
    decided = [one.goal for one in reading.sentences if one.goal and one.decided]
    for goal in decided[:1]:
        for pair in changed[:1]:
            both = f"{quote(pair.one.written)} and {quote(pair.other.written)}"
            found.step(f"After {clause(goal)}, compare with {both}.", COMPUTED)
    if decided:
        found.meta["stage"] = "act"
    return found


def _change(pair: Pair) -> str:
    one, other, ground = quote(pair.one.written), quote(pair.other.written), clause(pair.ground)
    if pair.other.value > pair.one.value:
        return f"{other} is {times(pair.times)} times {one}: {ground}."
    return f"{one} became {other}, {times(pair.times)} times less: {ground}."


def _log(reading: Reading, found: Findings) -> None:
    if gap := logs.gap(reading.lines):
        silence = amount(gap.seconds, "time")
        found.insight(f"Nothing is logged for {silence} after {quote(gap.before)}.", COMPUTED)
        found.ask(f"What runs in the {silence} between {quote(gap.before)} and {quote(gap.after)}?", COMPUTED)
    if pair := logs.before_trouble(reading.lines):
        found.ask(f"Was {quote(pair[0])} finished when {quote(pair[1])} came?", TWO_SIDED)
    if repeated := logs.repeated(reading.lines):
        found.insight(f"{quote(repeated.message)} comes {repeated.times} times.", TWO_SIDED)


def _unexplained(reading: Reading) -> Iterator[tuple[str, str, str]]:
    """A time of a supposed explanation, a somewhat longer one that is observed, and their difference."""
    doubtful = [one for one in reading.stated if one.has("hedge", "belief")]
    seen = [one for one in reading.stated if one not in doubtful and one.has("trouble", "loop", "observed")]
    for one in doubtful:
        for supposed in _times(one):
            for other in seen:
                for observed in _times(other):
                    if 0.5 < supposed.value / observed.value < 1:
                        rest = amount(observed.value - supposed.value, "time")
                        yield _around(one, supposed), _around(other, observed), rest


def _times(sentence: Sentence) -> list[Quantity]:
    return [one for one in sentence.figures if one.kind == "time" and one.value >= 1]


def _around(sentence: Sentence, figure: Quantity) -> str:
    """The figure with the words before it."""
    start = max(0, figure.start - _AROUND)
    words = sentence.text[start : figure.end]
    return words if start == 0 else words.partition(" ")[2] or figure.written
