"""What a text states about two of its parts: steps that wait, assumptions, contradictions, choices."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from legacymind.text.frameworks.reading import Reading, Sentence, Sides
from legacymind.text.frameworks.trouble import Onset
from legacymind.text.words import STOP_WORDS

_UNTIL: Final = re.compile(
    r"^(?P<what>.{0,60}?\b(?:cannot|can't|can not|must not|mustn't|may not|won't|will not|don't)\b"
    r" [^,;.]{3,60}?)"
    r" (?:before|until|unless) (?P<gate>(?:[^,;.]|\.(?=\w)){6,80})"
)
_DEPENDS: Final = re.compile(
    r"(?P<what>[^,;.]{4,60}?) (?:depends on|is blocked by|is waiting for|hinges on) (?P<gate>[^,;.]{4,80})"
)
# Without any of these words neither pattern matches; both take time that grows with the sentence.
_GATE_WORDS: Final = (
    " before ",
    " until ",
    " unless ",
    "depends on",
    "blocked by",
    "waiting for",
    "hinges on",
)
_ASSUMED: Final = re.compile(
    r"\b(?:(?:i|we) (?:assume|suppose|expect|take it|presume)|assuming)(?: that)? (?P<what>[^.;?!]{8,})"
)
_OTHERWISE: Final = re.compile(
    r"^(?:if (?:it|they|that|this|not)(?: (?:doesn't|does not|isn't|is not|don't|do not|aren't|fails))?"
    r"|otherwise),? (?P<then>[^.;?!]{6,})"
)
_RULE: Final = re.compile(
    r"\b(?:must (?:not )?be|must (?:always|never)|should (?:always|never)|always|never)\b"
)
_YES_OR_NO: Final = re.compile(
    r"^(?:and |but |so )?(?:is|are|does|do|may|must|should|isn't|aren't|doesn't|don't) (?!you\b|i\b|we\b)"
)
_OPEN: Final = re.compile(r"\b(?:should (?:i|we|they|he|she|it)|whether|either (?:i|we|they|you))\b")
_YET: Final = re.compile(
    r"^(?:(?P<firm>and yet|yet|in fact|actually)|but|however|still|nevertheless)[, ] ?(?P<case>.+)"
)
_CLAIM: Final = re.compile(
    r"\b(?:readme|docs?|documentation|spec(?:ification)?|comment|manual|contract|schedule|guide|ticket|says|claims?"
    r"|promises)\b"
)
_SHORT: Final = 120  # characters; longer statements that share words are rarely about one thing
_DATE: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b\d{1,2}\.? (?:january|february|march|april|may|june"
    r"|july|august|september|october|november|december)\b"
)
_END: Final = re.compile(r"\b(?:ends?|expires?|deadline|freeze|due|closes|runs out|begins?|starts)\b")
_WILL: Final = re.compile(r"\b(?:will|takes?|should|promised|expects?|going to|planned)\b|'ll\b")
_SETTING: Final = re.compile(
    r"\b(?P<name>[A-Za-z]\w{0,40}[_-]\w{1,40})"
    r"(?P<value> (?:is|was|to|of|=) \d[\d.,]*(?: ?[A-Za-z%]{1,8}\b)?)"
)
_FELT: Final = re.compile(
    r"^(?P<what>(?:.{0,40} )?(?:i|we|he|she|they)"
    r"(?:'m|'re| am| are| is| feel| feels| felt| was| were| miss| hate| love)\b[^.;!?]{2,60}?)"
    r" (?:since|because|after|when)"
    r" (?P<event>(?:i|we|he|she|they|it|you|my|our|the|nobody|no one|everyone|all)\b[^.;!?]{4,90})"
)
_COMMON: Final = frozenset(
    """keep move have with into that this they them from more than what when will would should make take just
        only also very both each other either onto over there their your ours start stop""".split()
)
_LONG_WORD: Final = re.compile(r"\w{4,}")


@dataclass(frozen=True, slots=True)
class GatedStep:
    """A step and what it waits for.

    If ``is_clause``, both are clauses, as in "we cannot drop it" and "the app is out"; else both are nouns.
    """

    what: str
    gate: str
    is_clause: bool


@dataclass(frozen=True, slots=True)
class Assumption:
    """An assumption, and what follows in the text if it is false."""

    what: str
    otherwise: str | None


@dataclass(frozen=True, slots=True)
class Choice:
    """Two options, and the sentences of the text about one of them only."""

    options: Sides
    about_one: tuple[str, ...]
    about_other: tuple[str, ...]


def gates(reading: Reading) -> Iterator[GatedStep]:
    """The steps that have to wait."""
    for sentence in reading.stated:
        if not any(word in sentence.low for word in _GATE_WORDS):
            continue
        until = sentence.search(_UNTIL)
        if found := until or sentence.search(_DEPENDS):
            yield GatedStep(sentence.part(found, "what"), sentence.part(found, "gate"), until is not None)


def assumptions(reading: Reading) -> Iterator[Assumption]:
    """The assumptions that the text names as such."""
    for n, sentence in enumerate(reading.sentences):
        found = None if sentence.asks else sentence.search(_ASSUMED)
        if found is None:
            continue
        following = ((after, after.search(_OTHERWISE)) for after in reading.sentences[n + 1 : n + 3])
        otherwise = next((after.part(then, "then") for after, then in following if then), None)
        yield Assumption(sentence.part(found, "what"), otherwise)


def contradictions(reading: Reading) -> Iterator[Sides]:
    """Statements that cannot both hold: one and its denial, or a claim and a case against it."""
    brief = [one for one in reading.stated if one.topics and len(one.text) < _SHORT][:40]
    plain = [one for one in brief if not one.has("negation")]
    for denial in (one for one in brief if one.has("negation")):
        for one in plain:
            differing = len(one.topics ^ denial.topics)
            if differing <= 1 < len(one.topics & denial.topics) and one.numbers == denial.numbers:
                yield Sides(one.text, denial.text)
    for here, after in pairwise(reading.sentences):
        claims = here.search(_CLAIM)
        found = (
            None if here.asks or after.asks or not (claims or here.has("absolute")) else after.search(_YET)
        )
        if found and (found["firm"] or (claims and here.topics & after.topics)):
            yield Sides(here.text, after.part(found, "case"))


def rules_and_cases(reading: Reading) -> Iterator[Sides]:
    """A rule of the text (``one``), and the text's own question about a case of it."""
    for asked in reading.asked:
        if asked.search(_YES_OR_NO):
            for sentence in reading.stated:
                if sentence.search(_RULE) and _first_topic(asked) == _first_topic(sentence):
                    yield Sides(sentence.text, asked.text)


def _first_topic(sentence: Sentence) -> str | None:
    return next((word for word in re.findall(r"\w[\w'-]*", sentence.low) if word in sentence.topics), None)


def deadlines(reading: Reading) -> Iterator[Sides]:
    """A step with a date (``one``), and the sentence with the date at which something ends."""
    dated = [one for one in reading.stated if one.search(_DATE)]
    ends = [one for one in dated if one.search(_END)]
    for one in dated:
        if one not in ends and one.search(_WILL):
            yield from (Sides(one.text, end.text) for end in ends)


def feelings(reading: Reading) -> Iterator[Onset]:
    """A feeling and what the text gives as its beginning or reason."""
    for sentence in reading.stated:
        found = sentence.search(_FELT) if sentence.has("feeling") else None
        if found:
            yield Onset(sentence.part(found, "what"), sentence.part(found, "event"))


def settings_of(text: str) -> Iterator[tuple[str, str]]:
    """The identifiers of a sentence with the figure that each is set to: ``max_size`` and `` is 10 MB``."""
    for found in _SETTING.finditer(text):
        yield found["name"], found["value"]


def choices(reading: Reading) -> Iterator[Choice]:
    """The choices that the text leaves open."""
    for sentence in reading.sentences:
        options = sentence.options
        if not options or not sentence.search(_OPEN):
            continue
        if not (_is_option(options.one) and _is_option(options.other)):
            continue
        first, second = _stems(options.one), _stems(options.other)
        rest = [each for each in reading.stated if each is not sentence]
        yield Choice(options, _about(rest, first - second, second), _about(rest, second - first, first))


def _is_option(text: str) -> bool:
    """Whether a side begins like an option: with a verb or a noun, possibly after ``we``."""
    first, *rest = text.lower().split()
    return bool(rest) and (first in ("we", "i", "you", "they", "the", "a", "an") or first not in STOP_WORDS)


def _about(rest: list[Sentence], stems: frozenset[str], others: frozenset[str]) -> tuple[str, ...]:
    """The sentences with a word of one option and none of the other."""
    return tuple(
        one.text for one in rest if _stems(one.text) & stems and not _stems(one.text) & (others - stems)
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:5] for word in _LONG_WORD.findall(text.lower()) if word not in _COMMON)
