"""What a text says about something that is wrong: when it began, where it happens and where it does not."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from legacymind.text.frameworks.reading import Reading, Sentence, Sides

_GOOD: Final = re.compile(
    r"\b(?:works?|worked|fine|pass(?:es|ed)?|succeeds?|succeeded|instant(?:ly)?|ok|okay|never on|green"
    r"|starts?|correct(?:ly)?|normal(?:ly)?|fast)\b"
)
_BAD: Final = re.compile(
    r"\b(?:fail(?:s|ed|ing)?|crash(?:es|ed)?|hangs?|exits?|breaks?|broken?|errors?|times? out|timed out|stuck"
    r"|slow(?:er|ly)?|red|wrong|wrongly|leaks?|loses?|lost|rejects?|dies|died|killed|freezes|flaky|stale)\b"
)
_NOT_GOOD: Final = re.compile(
    r"(?:\bnot|n't|\bnever|\bno longer) (?:\w+ )?(?:works?|pass(?:es)?|succeeds?|starts?)\b"
)
_NEGATED: Final = re.compile(r"\b(?:not?|never|nobody|none)\b|n't\b")
_CONCEDED: Final = re.compile(r"^(?:although|even though|though|while)\b[^,]*, ", re.IGNORECASE)
_THE_REST: Final = re.compile(r"\b(?:else|others?|later ones|the rest|locally|elsewhere)\b")
_NEVER_ELSEWHERE: Final = re.compile(
    r"^(?P<bad>.{8,}?),? (?:and|but) (?P<good>never (?:on|in|for|with|when) .{3,})"
)
_ONLY: Final = re.compile(
    r"\b(?:(?:happens?|fails?|occurs?|breaks?|crashes|hangs?|appears?|seen) only"
    r"|only (?:happens|fails|occurs|breaks|crashes|hangs|appears))"
    r" (?P<when>for|on|in|when|if|after|with|while|under|at) (?P<case>.{4,})"
    r"|\bonly affect(?:s|ing) (?P<affected>.{4,})"
)
_BEGAN: Final = re.compile(
    r"\b(?:began|begins?|started|starts|happens|appeared|dates back|came|comes?|again|broke|broken|failing"
    r"|fails?|slower|went|doubled|dropped|rose|fell)\b.*?\b(?:since|after|following|right after|ever since)"
    r" (?P<event>"
    r"(?:the|an?|my|our|his|her|their|i|we|he|she|it|they|some\w*|\w+'s|\w+ing|v\d[\w.]*|version)\b(?:[^.,;!?\"]|\.(?=\w)){6,70})"
)
_SINCE_FIRST: Final = re.compile(
    r"^(?:ever )?since (?P<event>(?:the|an?|our|my|v\d)\b.{3,60}?)"
    r"(?<! to)(?<! of)(?<! in)(?<! on)(?<! at)(?<! by)(?<! for)(?<! from)(?<! with)(?<! and)"
    r",? (?P<what>(?:the|an?|our|my|all|every|no|some|it|they|we|i)\b.{6,})"
)
_VERBS: Final = r"(?:fails?|crash(?:es)?|hangs?|breaks?|works?|pass(?:es)?|succeeds?|starts?)"
_WHERE: Final = r"(?:on|in|for|with|without|under|when|after)"
_BOTH: Final = re.compile(
    rf"^(?P<first>(?:the|an?|our|my|all|it|they)\b[^,;]{{2,60}}? {_VERBS} {_WHERE} [^,;]{{2,60}}?)"
    rf",? (?:and|but) (?P<second>{_VERBS} {_WHERE} [^,;]{{2,60}})"
)
_PREPOSITION: Final = re.compile(r" (?:(?:ever )?since|(?:right )?after|following) $", re.IGNORECASE)
_CHANGED: Final = re.compile(r"\b(?:went from|doubled|tripled|halved|dropped|rose|fell|slower|again)\b")
_REFERS_BACK: Final = re.compile(r"^(?:it|this|that|they|both)\b")
_RIVALS: Final = re.compile(
    r"\b(?:maybe|perhaps|possibly|might be|may be|could be|is it) (?P<one>[^.;?!]{2,80}?)"
    r"(?:,? or (?:maybe |perhaps |is it )?|, (?:maybe|perhaps|possibly) )(?P<other>[^.;?!]{2,80})"
)
_WE: Final = re.compile(r"\b(?:i|we)\b")
_PERSONAL: Final = re.compile(r"(?:yes |no )?(?:i|we|you|he|she|they|my|our)\b")
# A clause begins with one of these; a word after "although" that is none of them makes no clause.
_CLAUSE: Final = (
    r"(?=(?:the|an?|there|i|we|you|he|she|it|they|this|that|these|those|my|our|its|his|her|their|all|no|nobody"
    r"|every\w*)\b)"
)
_ALTHOUGH: Final = re.compile(
    rf"^(?P<main>[^.;]{{8,}}?),? (?:although|even though|though) {_CLAUSE}(?P<reason>[^.;]{{8,}})"
)
_ALTHOUGH_FIRST: Final = re.compile(
    rf"^(?:although|even though|though) {_CLAUSE}(?P<reason>[^,;.]{{8,}}), {_CLAUSE}(?P<main>[^.;]{{8,}})"
)
_STRANGE: Final = re.compile(
    r"^(?:strangely|oddly|surprisingly|weirdly|curiously|unexpectedly),? (?P<what>\w.{8,})"
)
_VERSIONS: Final = re.compile(r"\bbetween (?P<range>`?v?\d+\.\d[\w.-]*`? and `?v?\d+\.\d[\w.-]*`?)(?!\w)")
_EACH_TIME: Final = re.compile(
    r"^(?:every|each) time (?:that )?(?P<act>(?:i|we|you|he|she|it|they|the|a|my|our)\b[^,.;]{3,60}),"
    r" (?P<result>(?:i|we|you|he|she|it|they|the|a|my|our|its)\b[^.!]{6,90})"
)
_SUSPECT: Final = re.compile(r"\bthe only (?:change|difference|thing that changed)\b")
_UNCHECKED: Final = re.compile(
    r"\b(?:(?:nobody|no one)(?: has| have)?(?: yet| ever)?|(?:haven't|hasn't|have not|has not|'ve never"
    r"|has never|have never|not yet)(?: yet| been)*)"
    r" (?:looked|checked|measured|tested|tried|verified|profiled)\b"
    r"|\b(?:is|are|was|were) (?:still )?(?:untested|unchecked|unverified)\b"
)


@dataclass(frozen=True, slots=True)
class Onset:
    """Something that began with an event."""

    what: str
    event: str


def works_and_fails(reading: Reading) -> Iterator[Sides]:
    """A case that works (``one``) and a case that fails, in one sentence or in two that follow each other."""
    for sentence in reading.stated:
        if sentence.contrast and (sides := _by_outcome(sentence.contrast.one, sentence.contrast.other)):
            yield sides
        since = sentence.search(_SINCE_FIRST)
        rest = sentence.text[since.start("what") :] if since else sentence.text
        both = _BOTH.search(rest.lower())
        if both and (
            sides := _by_outcome(rest[slice(*both.span("first"))], rest[slice(*both.span("second"))])
        ):
            yield sides
        found = sentence.search(_NEVER_ELSEWHERE)
        if found and _BAD.search(found["bad"]):
            yield Sides(sentence.part(found, "good"), sentence.part(found, "bad"))
    for here, after in pairwise(reading.sentences):
        if here.contrast or after.contrast or here.asks or after.asks or not after.search(_THE_REST):
            continue
        if sides := _by_outcome(here.text, after.text):
            yield sides


def _by_outcome(first: str, second: str) -> Sides | None:
    first, second = _CONCEDED.sub("", first), _CONCEDED.sub("", second)
    one, other = _works(first), _works(second)
    if one is None or other is None or one == other:
        return None
    return Sides(first, second) if one else Sides(second, first)


def _works(text: str) -> bool | None:
    """Whether the text says that something works; None if it says neither, or both."""
    low = text.lower()
    if _NOT_GOOD.search(low):
        return False
    good, bad, negated = _GOOD.search(low), _BAD.search(low), _NEGATED.search(low)
    if bool(good) == bool(bad) or (negated and "never on" not in low):
        return None
    return bool(good)


def only_in(reading: Reading) -> Iterator[tuple[str, str]]:
    """The only case in which something happens, split: ``for`` and ``users of the partner link``."""
    for sentence in reading.stated:
        if found := sentence.search(_ONLY):
            if found["affected"]:
                yield "for", sentence.part(found, "affected")
            else:
                yield found["when"], sentence.part(found, "case")


def onsets(reading: Reading) -> Iterator[Onset]:
    """What began, or has been so, since an event."""
    before: Sentence | None = None
    for sentence in reading.sentences:
        found = None if sentence.asks or sentence.has("feeling") else sentence.search(_BEGAN)
        if found and _is_trouble(sentence, before):
            what = _PREPOSITION.sub("", sentence.text[: found.start("event")])
            if before and sentence.search(_REFERS_BACK) and len(what.split()) < 7:
                what = before.text
            if len(what.split()) > 2:
                yield Onset(what, sentence.part(found, "event"))
        first = None if found or sentence.asks or sentence.has("feeling") else sentence.search(_SINCE_FIRST)
        if first and _BAD.search(first["what"]):
            yield Onset(sentence.part(first, "what"), sentence.part(first, "event"))
        before = sentence


def _is_trouble(sentence: Sentence, before: Sentence | None) -> bool:
    troubled = sentence.has("trouble", "trend", "loop") or sentence.search(_CHANGED)
    return bool(troubled or (before and (before.has("trouble", "trend") or before.search(_ALTHOUGH))))


def rivals(reading: Reading) -> Iterator[Sides]:
    """Two possible explanations that a sentence names, in a text about trouble."""
    if not (reading.error or reading.carrying("trouble", "loop")):
        return
    for sentence in reading.sentences:
        found = None if sentence.goal else sentence.search(_RIVALS)
        if found and len(found["other"].split()) > 1 and not _WE.search(found["one"]):
            yield Sides(sentence.part(found, "one"), sentence.part(found, "other"))


def in_spite_of(reading: Reading) -> Iterator[Sides]:
    """An observation (``one``) and what should have prevented it."""
    for sentence in reading.stated:
        found = sentence.search(_ALTHOUGH) or sentence.search(_ALTHOUGH_FIRST)
        observed = sentence.has("trouble", "observed") or sentence.numbers
        if found and observed and not _PERSONAL.match(found["main"]):
            yield Sides(sentence.part(found, "main"), sentence.part(found, "reason"))


def surprises(reading: Reading) -> Iterator[str]:
    """What the text calls strange."""
    for sentence in reading.stated:
        if found := sentence.search(_STRANGE):
            yield sentence.part(found, "what")


def version_ranges(reading: Reading) -> Iterator[str]:
    """Two versions between which something went wrong, as written."""
    for sentence in reading.stated:
        found = sentence.search(_VERSIONS)
        if found and (sentence.has("trouble") or "regress" in sentence.low):
            yield sentence.part(found, "range")


def repetitions(reading: Reading) -> Iterator[Sides]:
    """What happens (``other``) each time that something is done (``one``)."""
    for sentence in reading.stated:
        if found := sentence.search(_EACH_TIME):
            yield Sides(sentence.part(found, "act"), sentence.part(found, "result"))


def suspects(reading: Reading) -> Iterator[str]:
    """Sentences that name the only change."""
    yield from (sentence.text for sentence in reading.stated if sentence.search(_SUSPECT))


def unchecked(reading: Reading) -> Iterator[str]:
    """Sentences about something that was not checked so far."""
    yield from (sentence.text for sentence in reading.stated if sentence.search(_UNCHECKED))
