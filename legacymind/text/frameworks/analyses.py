"""The seven frameworks: what each finds in a text. A finding quotes the words that it rests on."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from legacymind.model.frameworks import Framework
from legacymind.text.frameworks.reading import Figure, Reading, Sentence, amount, quote

FindingKind = Literal["insight", "question", "step"]


class Finding(NamedTuple):
    """An insight, a question or a next step."""

    kind: FindingKind
    text: str


_PART: Final = r"([^,;:!?]{4,90}?)"  # of one clause; its length bounds the time of a pattern
_END: Final = r"(?=[,;:!?]|\.(?:\s|$)|$)"
_MAYBE: Final = r"(?:maybe|perhaps|possibly)"
_CHOICE: Final = rf"(?:^(?:should|shall) (?:we|i) |\beither (?:we )?){_PART},? or (?:we )?{_PART}{_END}"
_TROUBLE: Final = r"(?:fail|crash|hang|br[eo]ak|brok|error|slow|wrong|leak|lose|grow|doubl|drop|worse)"
_SINCE: Final = rf"(?:since|right after) ((?:the|an?|my|our|we|i|it|they)\b[^,;:!?]{{4,80}}?){_END}"
_BEGAN: Final = rf"^((?!i\b)[^,;:!?]{{2,40}}?{_TROUBLE}[^,;:!?]{{0,60}}?) {_SINCE}"
_FAILS: Final = r"(?:fails?|crash(?:es)?|hangs?|breaks?|exits? with|times out)"

_RULES: Final[tuple[tuple[Framework, FindingKind, str, str], ...]] = (
    ("ooda", "question", "What would be seen if {0}, but not if {1}?",
     rf"^{_MAYBE} {_PART}(?:,? or|,? or {_MAYBE}|, {_MAYBE}) {_PART}{_END}"),
    ("ooda", "step", "Write down what would show that {0} was wrong.",
     rf"\b(?:we|i) (?:have )?(?:decided|chose|agreed) (?:to|on|that) {_PART}{_END}"),
    ("socratic", "question", "Who would disagree about {0}, and with which reason?",
     rf"^(?:every|no)(?:one|body| one) (?:agrees|knows|says|thinks|believes) (?:that )?{_PART}{_END}"),
    ("first_principles", "question", "How could it be checked that {0}?",
     rf"\b(?:i|we) (?:assume|suppose|presume|believe|guess|suspect) (?:that )?{_PART}{_END}"),
    ("lateral", "question", "What would make both {0} and {1} unnecessary?", _CHOICE),
    ("root_cause", "question", "Which part of {1} weighs most in {0}?",
     rf"^(i(?:'m| am| feel) (?!going)[^,;:!?]{{4,60}}?) {_SINCE}"),
    ("root_cause", "question", "How could {1} lead to {0}?", _BEGAN),
    ("root_cause", "step", "Compare {0} before and after {1}.", _BEGAN),
    ("root_cause", "question", "What else differs between {0} and {1}?",
     rf"^([^;:!?]{{4,90}}? (?:works?|starts?|passes|runs)\b[^;:!?]{{0,60}}?) but "
     rf"([^;:!?]{{0,60}}?{_FAILS}\b[^;:!?]{{0,60}}?){_END}"),
    ("systems", "question", "If {1} takes longer, what happens to {0}?",
     rf"^([^,;:!?]{{1,40}}? (?:cannot|can't|must not) [^,;:!?]{{2,60}}?) (?:before|until) {_PART}{_END}"),
    ("systems", "question", "What sets a limit to this: {0}?",
     r"\b(the (?:more|less|longer) [^,;:]{2,60}, the (?:more|less|fewer|worse|slower)\b[^.;:]{0,60})"),
    ("dialectical", "question", "What would {0} bring that {1} would not?", _CHOICE),
)  # fmt: skip
"""Findings that one sentence gives."""

_ERRORS: Final = (
    (r"KeyError: ['\"][\w. -]{1,40}", "Is the key that {} names optional, or was it renamed?"),
    (r"'NoneType' object|Cannot read propert(?:y|ies) of", "What returned nothing just before {}?"),
    (r"No module named '?[\w.]{1,60}", "Is {} about a package that the running interpreter should have?"),
    (r"Connection refused|ECONNREFUSED", "Does a process listen where {} came from, as seen from there?"),
    (r"[Aa]ddress already in use|EADDRINUSE", "Which process holds the address of {}?"),
    (r"Permission denied|EACCES", "As which user does it run, and who owns what {} is about?"),
    (r"No such file or directory|ENOENT", "Relative to which folder was the path of {} looked up?"),
    (r"No space left on device|ENOSPC", "What grew on the device of {}: logs, temporary files, data?"),
    (r"code 137\b|OOMKilled", "{} means signal 9: how much memory was in use, and what is the limit?"),
    (r"deadlock detected", "In which order does each side take its locks before {}?"),
)  # fmt: skip
"""Kinds of errors, and the question that the message of each leaves open."""

_ERROR: Final = re.compile("|".join(f"({pattern})" for pattern, _ in _ERRORS))

_FROM_TO: Final = re.compile(r"\bfrom (\S+ ?\S{0,8}) to (\S+ ?\S{0,8})")
_MUST: Final = re.compile(r"^(?:the|an?|every|all|any) [^,;:]{3,40} (?:must|should|always|never|ought to)\b")
_LIMIT: Final = ("limit", "budget", "at most", "maximum", "max", "no more than")
_OF_IT: Final = ("of that", "of which", "of it", "of them")
_BECAUSE: Final = re.compile(rf"^{_PART},? because {_PART}{_END}")
_RATE: Final = re.compile(r" (?:an?|per|each|every) (second|minute|hour|day)\b")
_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400}
_TURN: Final = ("yet", "but", "however", "still")
_CLAIMS: Final = "say says said claim claims promise promises".split()
_DENIES: Final = re.compile(r"\b(?:not|never|no|cannot|\w{2,8}n't)\b")


def ooda(reading: Reading) -> Iterator[Finding]:
    """Observe a figure that changed at least twofold."""
    for sentence in reading.stated:
        sides = sentence.match(_FROM_TO) or ()
        pair = [one for side in sides for one in sentence.figures if side.startswith(one.written)]
        if len(pair) == 2 and pair[0].kind == pair[1].kind and (low := min(one.value for one in pair)):
            times = max(one.value for one in pair) / low
            if times >= 2:
                change = f"From {quote(pair[0].written)} to {quote(pair[1].written)}"
                more = "more" if pair[1].value > pair[0].value else "less"
                yield Finding("insight", f"{change} is {times:.3g} times {more}.")


def socratic(reading: Reading) -> Iterator[Finding]:
    """Hold a rule of the text against the text's own question."""
    rules = [sentence for sentence in reading.stated if _MUST.search(sentence.low)]
    for asked in reading.sentences:
        for rule in rules:
            if asked.asks and rule.words & asked.words:
                case = quote(asked.text)
                yield Finding("question", f"Does {quote(rule.text)} hold for the case of {case}?")


def first_principles(reading: Reading) -> Iterator[Finding]:
    """Compare a figure with the limit that the next sentence gives, and a part with its whole."""
    for before, sentence in pairwise(reading.stated):
        limits = sentence.figures[:1] if sentence.has(*_LIMIT) and not _rate(before) else []
        for limit in limits:
            for figure in (one for one in before.figures[-1:] if one.kind == limit.kind):
                left = amount(abs(limit.value - figure.value), limit.kind)
                relation = f"is {left} over" if figure.value > limit.value else f"leaves {left} of"
                yield Finding("insight", f"{quote(figure.written)} {relation} {quote(limit.written)}.")
    for sentence in reading.stated:
        if sentence.has(*_OF_IT) and len(sentence.figures) == 2:
            whole, part = sentence.figures
            if whole.kind == part.kind and 0 < part.value < whole.value:
                percent = f"{100 * part.value / whole.value:.3g} %"
                yield Finding("insight", f"{quote(part.written)} is {percent} of {quote(whole.written)}.")


def root_cause(reading: Reading) -> Iterator[Finding]:
    """Ask what an error leaves open, and why once more at the end of a chain of causes."""
    for sentence in reading.sentences:
        for found in _ERROR.finditer(sentence.text):
            yield Finding("question", _ERRORS[(found.lastindex or 1) - 1][1].format(quote(found[0])))
    causes = [sides for sentence in reading.stated if (sides := sentence.match(_BECAUSE))]
    for (effect, cause), (middle, last) in pairwise(causes):
        if len({*cause.lower().split()} & {*middle.lower().split()}) > 2:
            yield Finding("insight", f"{quote(effect)} ← {quote(cause)} ← {quote(last)}")
            yield Finding("question", f"And why {quote(last)}?")


def systems(reading: Reading) -> Iterator[Finding]:
    """Find when a rate reaches a limit."""
    rates = [rate for sentence in reading.stated if (rate := _rate(sentence))]
    for limit in (one for of in reading.stated if of.has(*_LIMIT) for one in of.figures):
        for figure, seconds in rates:
            if figure.kind == limit.kind and 0 < figure.value < limit.value:
                after = amount(limit.value / figure.value * seconds, "time")
                each = f"{quote(figure.written)} each {amount(seconds, 'time')}"
                yield Finding(
                    "insight", f"From nothing, {each} reaches {quote(limit.written)} after {after}."
                )


def dialectical(reading: Reading) -> Iterator[Finding]:
    """Set two statements that cannot both hold side by side."""
    for here, after in pairwise(reading.stated):
        shared = len(here.words & after.words)
        denied = bool(_DENIES.search(here.low)) is not bool(_DENIES.search(after.low))
        if denied and shared > 1 and shared >= 0.8 * max(len(here.words), len(after.words)):
            yield Finding("insight", f"Both cannot hold: {quote(here.text)}, and {quote(after.text)}.")
        turns = after.low.replace(",", " ").partition(" ")[0] in _TURN
        if turns and here.has(*_CLAIMS, "is supposed to", "according to"):
            yield Finding("question", f"Which was checked last, {quote(here.text)} or {quote(after.text)}?")


_COMPUTED: Final[Mapping[Framework, Callable[[Reading], Iterator[Finding]]]] = {
    "ooda": ooda,
    "socratic": socratic,
    "first_principles": first_principles,
    "root_cause": root_cause,
    "systems": systems,
    "dialectical": dialectical,
}


def findings(name: Framework, reading: Reading) -> Iterator[Finding]:
    """What a framework finds, what follows from several parts of the text first."""
    yield from _COMPUTED[name](reading) if name in _COMPUTED else ()
    for framework, kind, finding, pattern in _RULES:
        for sentence in reading.sentences if framework == name else ():
            if parts := sentence.match(re.compile(pattern)):
                yield Finding(kind, finding.format(*map(quote, parts)))


def _rate(sentence: Sentence) -> tuple[Figure, int] | None:
    """A figure for each of so many seconds, as 40 MB an hour."""
    for figure in sentence.figures:
        if found := _RATE.match(sentence.low.partition(figure.written.lower())[2]):
            return figure, _SECONDS[found[1]]
    return None
