"""Finds facts about one entity that contradict each other, by patterns.

A fact is read as a claim: an attribute of a subject, its value, and whether it is denied. Only attributes
with one value at a time are read: "Ada knows Bob" and "Ada knows Eve" agree. The patterns are for English
sentences in the present tense. They miss many contradictions, because each report asks for a decision. Among
2,541 facts about 20 people (the observations of LoCoMo) they report none of 165,764 pairs, and none among
7,006 sentences of REALTALK.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import Final, Literal, NamedTuple

Reason = Literal["value", "negation"]
"""``value``: one attribute has two values. ``negation``: one fact denies the other."""

LONGEST: Final = 300
"""Characters of the longest fact that is read; a longer one says more than one thing."""

_NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_OPPOSITES: Final = {
    word: other
    for pair in (
        "enabled disabled|active inactive|open closed|alive dead|online offline|required optional|on off|"
        "public private|single married|supported unsupported|encrypted unencrypted|valid invalid|up down"
    ).split("|")
    for word, other in (pair.split(), pair.split()[::-1])
}
_SINGLE: Final = (
    r"age|birthday|birth date|date of birth|birthplace|hometown|nationality|surname|nickname|"
    r"e-?mail(?: address)?|phone(?: number)?|address|url|host(?:name)?|domain|ip|port|version|timeout|limit|"
    r"maximum|minimum|default|interval|price|salary|budget|deadline|due date|start date|end date|size|length|"
    r"width|height|weight|capacity|capital|population|ceo|cto|owner|boss|maintainer|status|region|time ?zone|"
    r"currency|native language|job title|occupation|marital status|blood type|licen[cs]e|favou?rite [\w ]+?"
)
"""Attributes with one value, before "is" or a colon."""

_NAME: Final = r"(?P<value>(?:the |a town called )?[A-Z\d].*)"
"""A value that begins as a name or a number: "a flat" would not exclude "Lyon"."""
_NUMBER: Final = rf"(?:about |over |exactly |only )?(?P<value>[$€£]?\d[\d,.]*|{'|'.join(_NUMBERS)})\b"
_NOT: Final = r"(?P<not>(?:does|do|is|am|are) not |no longer |never )?"

_PATTERNS: Final = tuple(
    re.compile(rf"(?P<subject>(?:\S+ ){{0,4}}?){pattern}")
    for pattern in (
        rf"(?P<attribute>(?i:{_SINGLE}))(?: (?:is|are)(?: now| currently| set to)?(?P<not> not)?|:| =) "
        r"(?P<value>.+)",
        rf"(?:currently )?{_NOT}(?P<attribute>(?:live|reside|work|report|belong)s? (?:in|at|for|to)) {_NAME}",
        rf"(?:is|are) (?P<not>not )?(?P<attribute>(?:located|based|hosted|deployed) (?:in|on|at)) {_NAME}",
        rf"(?:was|were) (?P<not>not )?(?P<attribute>born (?:in|on)) {_NAME}",
        rf"(?:is|am|are) (?P<not>not )?(?P<attribute>(?:married|engaged) to|owned by|from) {_NAME}",
        rf"(?:is|am|are) (?P<not>not )?{_NUMBER} (?P<attribute>(?:year|month)s?[ -]old)",
        rf"{_NOT}(?P<attribute>(?:weigh|cost|last|measure)s?|(?:(?:listen|run)s? on|uses?) (?:port|version)) "
        rf"{_NUMBER}",
        rf"{_NOT}(?P<attribute>has|have) {_NUMBER} (?P<unit>[a-z]+(?:s|ren|ople))\b(?! of\b| in\b| named\b)",
        rf"(?:is|are|am) (?P<not>not )?(?:now |currently )?(?P<value>{'|'.join(_OPPOSITES)})$",
    )
)
_END: Final = re.compile(
    r"[;!?]|[.,](?=\s|$)|\s(?:and|but|because|since|so|which|who|where|when|while|with|after|until|as|for|to)\s"
)
"""Where a value ends."""

_NO_STATEMENT: Final = re.compile(
    r"[{}\[\]()<>|\\`_]|[=;,:*]\s*$|\?|\b(?:if|unless|whether|or|may|might|could|would)\b", re.IGNORECASE
)
_WORD: Final = re.compile(r"\w+")
_NEGATION: Final = re.compile(r"\b(?:not|never|no longer)\b")
_CONTRACTED: Final = re.compile(r"n['’]t\b")
_FILLER: Final = frozenset(
    "a an the is are am do does did will would can could currently now also still just really very "
    "this that his her their its my our your to".split()
)
_VERBS: Final = frozenset("live reside work report belong weigh cost last measure listen run use".split())
_PRONOUN: Final = frozenset(
    "it he she they i we its his her their my our the this a an user currently now also s and".split()
)


class Claim(NamedTuple):
    """An attribute of a subject (empty: the entity itself), its value, and whether the fact denies it."""

    subject: str
    attribute: str
    value: str
    denied: bool


class Disagreement(NamedTuple):
    """Two facts, by their keys, that contradict each other, and on what."""

    first: str
    second: str
    reason: Reason
    attribute: str


def disagreements(name: str, facts: Mapping[str, str]) -> list[Disagreement]:
    """The pairs of facts about the entity ``name`` that contradict each other; ``facts`` by their keys.

    The time grows with the number of facts, and within one attribute with that of its pairs.
    """
    claims: defaultdict[tuple[str, str], list[tuple[str, Claim]]] = defaultdict(list)
    stated: defaultdict[frozenset[str], list[tuple[str, bool]]] = defaultdict(list)
    for key, text in facts.items():
        plain = _plain(text)
        if plain is None:
            continue
        claim = _claim(name, plain)
        if claim is not None:
            claims[claim.subject, claim.attribute].append((key, claim))
        stated[_statement(name, plain)].append((key, _NEGATION.search(plain.lower()) is not None))
    found = {
        frozenset((first, second)): Disagreement(first, second, "negation", "")
        for same in stated.values()
        for (first, denied), (second, also) in combinations(same, 2)
        if denied is not also
    }
    for (_, attribute), same in claims.items():
        for (first, one), (second, other) in combinations(same, 2):
            agree = _agree(one.value, other.value)
            if one.denied is other.denied is False and not agree:
                found[frozenset((first, second))] = Disagreement(first, second, "value", attribute)
            elif one.denied is not other.denied and agree:
                found[frozenset((first, second))] = Disagreement(first, second, "negation", attribute)
    return list(found.values())


def cues(name: str, text: str) -> list[str]:
    """Parts of words in lower case, one of which every fact has that contradicts this one.

    Empty if ``disagreements`` cannot find any.
    """
    plain = _plain(text)
    if plain is None:
        return []
    claim = _claim(name, plain)
    if claim is not None and claim.attribute == "is":
        return [claim.value, _OPPOSITES[claim.value]]
    words = {word for word in _statement(name, plain) if not word.isdigit()}
    if claim is not None:
        return [max(_WORD.findall(claim.attribute), key=len)]
    return [max(words, key=lambda word: (len(word), word))] if words else []


def _plain(text: str) -> str | None:
    """The text with single spaces, full forms of negations, and no full stop at the end.

    None for a text that is too long, is code, asks, or states a condition.
    """
    if len(text) > LONGEST or _NO_STATEMENT.search(text):
        return None
    full = _CONTRACTED.sub(" not", text.replace("can't", "cannot").replace("can’t", "cannot"))
    return " ".join(full.replace("cannot", "can not").split()).rstrip(".")


def _claim(name: str, plain: str) -> Claim | None:
    for pattern in _PATTERNS:
        match = pattern.match(plain)
        if match is None:
            continue
        groups = match.groupdict()
        value = _END.split(match["value"], maxsplit=1)[0].strip()
        if not value:
            continue
        attribute = groups.get("attribute") or "is"
        unit = groups.get("unit")
        return Claim(
            _subject(name, match["subject"]),
            _attribute(f"{attribute} {unit}" if unit else attribute),
            value.lower(),
            bool(groups.get("not")),
        )
    return None


def _subject(name: str, before: str) -> str:
    """The words of a subject that are neither the entity's name nor a pronoun."""
    own = {word.lower() for word in _WORD.findall(name)} | _PRONOUN
    return " ".join(word for word in _WORD.findall(before.lower()) if word not in own)


def _attribute(attribute: str) -> str:
    """The attribute in lower case, with verbs of the third person as in the others."""
    first, _, rest = attribute.lower().partition(" ")
    verb = (
        "has" if first == "have" else first.removesuffix("s") if first.removesuffix("s") in _VERBS else first
    )
    return f"{verb} {rest}".strip()


def _agree(one: str, other: str) -> bool:
    """Whether two values can both be right: one has all words of the other."""
    if _OPPOSITES.get(one) == other:
        return False
    if one in _OPPOSITES and other in _OPPOSITES:
        return True
    first, second = _value_words(one), _value_words(other)
    return first <= second or second <= first


def _value_words(value: str) -> set[str]:
    words: list[str] = _WORD.findall(value.replace(",", ""))
    return {_NUMBERS.get(word, word) for word in words if word not in _FILLER}


def _statement(name: str, plain: str) -> frozenset[str]:
    """The words of a fact apart from negations and fillers, and verbs without their endings."""
    words = _WORD.findall(_NEGATION.sub(" ", plain.lower()))
    own = {word.lower() for word in _WORD.findall(name)}
    return frozenset(
        word if len(word) < 4 else word.removesuffix("s")
        for word in words
        if word not in _FILLER | _PRONOUN | own
    )
