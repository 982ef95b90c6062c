"""Reads a fact as a claim: an attribute of its subject, the value, and whether it is denied.

Only attributes with one value at a time are read: "Ada knows Bob" and "Ada knows Eve" agree. The patterns are
for English sentences.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from legacymind.text.claims.opposites import denied
from legacymind.text.claims.quantities import NUMBER_WORDS
from legacymind.text.claims.values import FILLER, MONTHS, STATES, WEEKDAYS

LONGEST: Final = 300
"""Characters of the longest fact that is read; a longer one says more than one thing."""

_SINGLE: Final = (
    r"age|birthday|birth date|date of birth|birthplace|hometown|nationality|surname|nickname|"
    r"e-?mail(?: address)?|phone(?: number)?|address|url|host(?:name)?|domain|ip|port|version|timeout|limit|"
    r"maximum|minimum|default|interval|price|salary|budget|deadline|due date|start date|end date|size|length|"
    r"width|height|weight|capacity|capital|population|ceo|cfo|cto|owner|boss|maintainer|president|mayor|"
    r"region|time ?zone|currency|native language|job title|occupation|marital status|blood type|licen[cs]e|"
    r"(?:default|primary|preferred) [\w-]+|favou?rite [\w ]+?"
)
"""Attributes with one value, before "is" or a colon."""

_ROLE: Final = "manager|supervisor|chair(?:man|woman|person)?|director|captain|landlord"
"""Others, of which the value may come first: "Tom is Ada's manager"."""

_SAME: Final = {
    "weight": ("weigh",),
    "price": ("cost",),
    "port": ("listen on", "listen on port", "run on port", "use port", "bind to", "bind to port"),
    "work at": ("work for", "employed by", "employed at"),
    "live in": (
        "reside in",
        "based in",
        "located in",
        "headquartered in",
        "headquarters are in",
        "moved to",
        "relocated to",
        "home is in",
    ),
    "married to": ("husband", "wife", "spouse"),
    "deadline": ("due", "due date"),
    "version": ("run version", "at version", "run v"),
    "founded": ("established",),
    "run every": ("run hourly", "run daily", "run weekly", "run monthly"),
}
"""Other words for an attribute."""

_CANONICAL: Final = {other: one for one, others in _SAME.items() for other in others}
_EVENTS: Final = frozenset({"moved to", "relocated to"})
"""What may happen several times, so that two of them agree."""

_SEVERAL: Final = frozenset(
    "one some part example reason problem issue risk goal thing point step question task todo note rule idea "
    "option alternative requirement feature member user client customer dependency project friend hobby "
    "advantage benefit challenge topic son daughter brother sister child kid cat dog pet cousin colleague "
    "founder developer contributor sponsor supplier teacher "
    "there here what who which this that these those everything".split()
)
"""Words before "is" that begin one of several statements: "the risk is", "one of them is", "there is"."""

_NAME: Final = r"(?P<value>(?:the |a town called )?[A-Z\d].*)"
"""A value that begins as a name or a number: "a flat" would not exclude "Lyon"."""
_NUMBER: Final = (
    rf"(?:exactly |only )?(?P<value>(?:(?:about|around|almost|nearly|over|under|at least|at most|up to"
    rf"|more than|less than) )?(?:[$€£]?\d[\d,.]*|{NUMBER_WORDS})|no(?= [a-z]))\b"
)
_DATE: Final = rf"(?P<value>(?:before |after )?(?:(?:{MONTHS}|{WEEKDAYS}s?)\b|\d).*)"
_THEN: Final = rf" (?:(?:in|on) |(?=before|after)){_DATE}"
_NOT: Final = r"(?P<not>(?:does|do|is|am|are) not |no longer |never )?"
_TIME: Final = r"(?P<value>\d{1,2}(?::\d\d(?: ?[ap]m)?| ?[ap]m))"
_AMOUNT: Final = (
    rf"(?P<value>(?:about |over |before |after )?(?:[$€£]?\d|(?:{NUMBER_WORDS}|noon|midnight)\b).*)"
)
_PAST: Final = (
    "founded|created|written|directed|developed|produced|performed|composed|invented|designed|led|managed|"
    "maintained|headed|built|published|owned"
)
_DATED: Final = (
    "born|founded|established|incorporated|released|published|built|constructed|completed|installed|opened|"
    "launched|introduced|discontinued|acquired"
)

_PATTERNS: Final = tuple(
    re.compile(rf"(?P<subject>(?:\S+ ){{0,4}}?){pattern}")
    for pattern in (
        rf"(?P<attribute>(?i:{_SINGLE}))(?: (?:is|are)(?: now| currently| set to)?(?P<not> not)?|:| =) "
        r"(?P<value>.+)",
        rf"(?:currently )?{_NOT}(?P<attribute>(?:live|reside|work|report|belong)s? (?:in|at|for|to)) {_NAME}",
        rf"(?:has |have )?(?P<attribute>(?:moved|relocated) to) {_NAME}",
        rf"(?:is|are) (?P<not>not )?"
        rf"(?P<attribute>(?:located|based|headquartered|hosted|deployed|employed) (?:in|on|at|by)) {_NAME}",
        rf"(?P<attribute>headquarters are in|home is in) {_NAME}",
        rf"(?:is|are) (?P<not>not )?(?P<attribute>(?:written|implemented) in|licen[cs]ed under) {_NAME}",
        rf"(?:is|are|was|were|has been) (?P<not>not )?(?P<attribute>{_DATED}){_THEN}",
        rf"{_NOT}(?P<attribute>(?:end|expire|start|begin|open|close)s?|times? out|started|began|ended|expired"
        rf"|died|retired|graduated){_THEN}",
        rf"(?:is|are) (?P<not>not )?(?P<attribute>due) (?:on|by|in) {_DATE}",
        rf"(?:is|are|takes? place) (?P<not>not )?(?:scheduled )?(?P<attribute>on) {_DATE}",
        r"(?:is|are) (?P<not>not )?on the (?P<value>[a-z]+|\d+(?:st|nd|rd|th)) (?P<attribute>floor)$",
        r"(?:is|are) (?P<not>not )?(?P<attribute>at version) v?(?P<value>\d+(?:\.\d+)*)",
        r"(?:is|are) (?P<not>not )?(?P<attribute>\w+(?:ed|ilt|un|en) every) (?P<value>.+)",
        r"(?:has|have) an? (?P<attribute>[A-Za-z]+(?: [a-z]+)?) of (?P<value>\d.*)",
        rf"(?:is|are) (?P<not>not )?(?P<attribute>at) {_TIME}",
        rf"(?:is|are|was|were) (?P<not>not )?(?P<attribute>(?:{_PAST}) by|educated at|a citizen of) {_NAME}",
        rf"(?:was|were) (?P<not>not )?(?P<attribute>born (?:in|on)) {_NAME}",
        rf"(?:is|am|are) (?P<not>not )?(?P<attribute>(?:married|engaged) to|from) {_NAME}",
        rf"(?:is|am|are) (?P<not>not )?{_NUMBER} (?P<attribute>(?:year|month)s?[ -]old)",
        rf"{_NOT}(?P<attribute>(?:weigh|cost|last|measure|cover|hold|seat|span)s?) {_AMOUNT}",
        rf"{_NOT}(?P<attribute>(?:open|close|start|begin|end|run|leave|depart|arrive)s? every) "
        r"(?P<value>.+)",
        rf"{_NOT}(?P<attribute>(?:open|close|start|begin|end|run|leave|depart|arrive)s?) "
        rf"(?:at |(?=before|after)){_AMOUNT}",
        r"(?:is|are) (?P<not>not )?(?P<value>(?:about |over )?\d[\d,.]* ?[A-Za-z]+) (?P<attribute>"
        r"long|wide|high|tall|deep|thick|heavy|away)$",
        rf"{_NOT}(?P<attribute>has|have) (?P<value>\d[\d,.]* ?[A-Za-z]+) (?:of )?(?P<unit>[A-Za-z]+)$",
        rf"{_NOT}(?P<attribute>listens? on|(?:(?:listen|run)s? on|binds? to|uses?) (?:port|version)) "
        rf"(?:[\w.]+:)?{_NUMBER}(?: (?:for|in|on) (?:the )?(?P<unit>[a-z]+))?",
        rf"{_NOT}(?P<attribute>runs? v)(?P<value>\d+(?:\.\d+)*)",
        rf"{_NOT}(?P<attribute>(?:run|use|require|target)s? (?:on )?(?!(?:is|are|in|at)\b)[A-Za-z][\w+#-]*)"
        r"(?: version)? v?(?P<value>\d+(?:\.\d+)*)",
        rf"{_NOT}(?P<attribute>has|have) {_NUMBER} (?P<unit>[a-z]+(?:s|ren|ople))\b(?! of\b| in\b| named\b)",
        rf"(?:(?:is|are|am|has been|have been) |= |(?<=: ))(?P<not>not )?(?:now |currently )?"
        rf"(?:turned |switched )?(?P<value>{'|'.join(STATES)})"
        r"(?= since\b|$| (?:in|on|for|by) (?P<where>[\w-]+)$)",
        r"(?P<value>succeeded|passed|failed)$",
    )
)
_KIND: Final = re.compile(
    r"(?P<attribute>.+ the (?:city|country|continent|state|region|language|religion|sport|field|position|"
    r"role|rank|university)) of (?P<value>.+)"
)
""" "Ada works in the city of Lyon": the kind of the value is named."""

_DESCRIBED: Final = re.compile(
    r"(?P<attribute>[^:=]+?)(?: is(?: now| currently| set to)?(?P<not> not)? |: | = )(?P<value>.+)"
)
""" "The release manager of Hydra is Bob": any attribute, if the value is a name, a number or an address."""

_POSSESSIVE: Final = re.compile(r"\bof\b|['’]s\b")
_MOST: Final = 4
"""The most words of such an attribute, and of a value in lower case."""

_NAMED: Final = re.compile(
    rf"[\"'“‘#@$€£/~+]?(?:the )?[A-Z\d]|[#@/~]\w|\w[\w+.-]*(?:://|@|[./:]\w)|(?!one of\b){NUMBER_WORDS}\b"
)
_STREET: Final = re.compile(rf"(\d+[a-z]?) ((?!{MONTHS})[A-Z]\w+(?: [A-Z]\w+)+)")
"""A number and names, as in "5 Elm Street", which is no amount."""
_STREETS: Final = {"St": "Street", "Rd": "Road", "Ave": "Avenue"}

_END: Final = re.compile(
    r"[;!?]|(?<!\b[DM]r)(?<!\bMs)(?<!\bSt)[.,](?=\s|$)"
    r"|\s(?:and(?! [A-Z][\w.-]*(?: [A-Z][\w.-]*)*$)|but|because|since|so|which|who|where|when|while|with"
    r"|after|until|as|for|to)\s"
)
"""Where a value ends."""
_ON_CONDITION: Final = frozenset(("for", "with", "when", "while", "until", "after"))

_NO_STATEMENT: Final = re.compile(
    r"[{}\[\]()<>|\\`_]|[=;,:*]\s*$|\?|\b(?:[Ii]f|[Uu]nless|[Ww]hether|[Oo]r|may|might|could|would)\b"
)
_WORD: Final = re.compile(r"\w+")
_NEGATION: Final = re.compile(r"\b(?:not|never|no longer|no(?= [a-z]))\b", re.IGNORECASE)
_NEVER: Final = re.compile(r"\b(?:was|were|has|have)(?: been)? never\b")
_CONTRACTED: Final = re.compile(r"n['’]t\b")
_OFTEN: Final = (
    (re.compile(r"\bevery (?=(?:minute|hour|day|week|month|year)$)"), "every 1 "),
    *((re.compile(rf"\b{word}ly$"), f"every 1 {word}") for word in ("hour", "week", "month", "year")),
    (re.compile(r"\bdaily$"), "every 1 day"),
)
_BRITISH: Final = re.compile(r"\b(favo|colo|behavio)ur")
_AMERICAN: Final = re.compile(r"\b(favo|colo|behavio)r\w*")
_VERBS: Final = frozenset(
    "live reside work report belong weigh cost last measure cover hold seat span listen run use require "
    "target end expire start begin open close bind leave depart arrive".split()
)
_PRONOUN: Final = frozenset(
    "it he she they i we its his her their my our the this a an user currently now also s and".split()
)
_LINKS: Final = frozenset("of in for at on current is was are were not".split())


class Claim(NamedTuple):
    """An attribute of a subject (empty: the entity itself), its value, and whether the fact denies it."""

    subject: str
    attribute: str
    value: str
    denied: bool

    @property
    def key(self) -> frozenset[str]:
        """What two claims about one thing share: "staging URL of Hydra" is "Hydra's staging URL"."""
        attribute = _CANONICAL.get(self.attribute, self.attribute)
        return frozenset(f"{self.subject} {attribute}".split()) - {"of"}

    @property
    def is_event(self) -> bool:
        """Whether it tells of what may happen several times, to different values."""
        return self.attribute in _EVENTS

    @property
    def cues(self) -> list[str]:
        """Parts of words, one of which every claim with the same key has."""
        if self.attribute in STATES.values():
            return [word for word, state in STATES.items() if state == self.attribute]
        one = _CANONICAL.get(self.attribute, self.attribute)
        longest = (max(_WORD.findall(attribute), key=len) for attribute in (one, *_SAME.get(one, ())))
        return [_AMERICAN.sub(r"\1", word) for word in longest]


def plain(text: str) -> str | None:
    """The text with single spaces, full forms of negations, opposites as negations, and no full stop.

    None for a text that is too long, is code, asks, or states a condition.
    """
    if len(text) > LONGEST or _NO_STATEMENT.search(text):
        return None
    full = _CONTRACTED.sub(" not", text.replace("can't", "cannot").replace("can’t", "cannot"))
    full = " ".join(full.replace("cannot", "can not").split()).rstrip(".")
    for pattern, words in _OFTEN:
        full = pattern.sub(words, full)
    return denied(full)


def claim(name: str, text: str) -> Claim | None:
    """What a ``plain`` text about the entity ``name`` claims; None if no pattern reads it."""
    told = _told(name).fullmatch(text)
    if told is not None:
        return Claim("", _attribute(told["his"] or told["of"]), told["value"], denied=False)
    after = text[len(name) :] if text.lower().startswith(name.lower()) else text
    for pattern in _PATTERNS:
        match = pattern.match(after.lstrip())
        if match is not None and (value := _value(match["value"])):
            groups = match.groupdict()
            attribute = groups.get("attribute") or STATES[value.lower()]
            unit = groups.get("unit")
            return Claim(
                " ".join(_others(name, f"{match['subject']} {groups.get('where') or ''}")),
                _attribute(f"{attribute} {unit}" if unit else attribute),
                value,
                bool(groups.get("not")),
            )
    return next(_described(name, text), None)


@lru_cache(maxsize=64)
def _told(name: str) -> re.Pattern[str]:
    """ "Jane is the CEO of Acme", "Jane is Acme's CEO": the value comes first."""
    own = re.escape(name)
    return re.compile(
        rf"(?!{own}\b)(?P<value>[A-Z][\w.'’ -]*?) is (?:now |currently )?"
        rf"(?:(?:the )?{own}['’]s (?P<his>{_SINGLE}|{_ROLE})"
        rf"|the (?P<of>{_SINGLE}|{_ROLE}) of (?:the )?{own})",
        re.IGNORECASE,
    )


def _described(name: str, text: str) -> Iterator[Claim]:
    for pattern in (_KIND, _DESCRIBED):
        match = pattern.match(text)
        if match is None:
            continue
        before, value = match["attribute"], _value(match["value"])
        words = [word for word in _others(name, before) if word not in _LINKS]
        if (
            not value
            or not 0 < len(words) <= _MOST + (pattern is _KIND)
            or not _SEVERAL.isdisjoint((words[0], words[-1]))
        ):
            continue
        short = _POSSESSIVE.search(before) is not None and len(value.split()) < _MOST
        if pattern is _KIND or short or _NAMED.match(value):
            denied = _NEGATION.search(before) is not None or match.groupdict().get("not") is not None
            yield Claim("", " ".join(words), value, denied)


def denies(text: str) -> bool:
    """Whether a ``plain`` text has a negation."""
    return _NEGATION.search(text.lower()) is not None


def never_was(text: str) -> bool:
    """Whether a ``plain`` text denies that something has ever happened, whatever the circumstances."""
    return _NEVER.search(text) is not None


def statement(name: str, text: str) -> frozenset[str]:
    """The words of a ``plain`` text apart from negations, fillers and the name, verbs without endings."""
    own = {word.lower() for word in _WORD.findall(name)}
    return frozenset(
        word if len(word) < 4 else word.removesuffix("s")
        for word in _WORD.findall(_NEGATION.sub(" ", text.lower()))
        if word not in FILLER | _PRONOUN | own
    )


def _value(text: str) -> str:
    """The value at the beginning of a text; none for an amount on a condition, as "60 s for uploads"."""
    end = _END.search(text)
    value = text[: end.start()].strip() if end is not None else text.strip()
    if end is not None and end[0].strip() in _ON_CONDITION and re.match(r"[$€£]?\d", value):
        return ""
    street = _STREET.fullmatch(value)
    if street is not None:
        *name, kind = street[2].split()
        return " ".join((*name, _STREETS.get(kind, kind), street[1]))
    return "0" if value == "no" else value


def _others(name: str, text: str) -> list[str]:
    """The words of a text in lower case that are neither the entity's name nor a pronoun."""
    own = {word.lower() for word in _WORD.findall(name)} | _PRONOUN
    return [word for word in _WORD.findall(text.lower()) if word not in own]


def _attribute(attribute: str) -> str:
    """The attribute in lower case, with verbs of the third person as in the others."""
    first, _, rest = _BRITISH.sub(r"\1r", attribute.lower()).partition(" ")
    verb = (
        "has" if first == "have" else first.removesuffix("s") if first.removesuffix("s") in _VERBS else first
    )
    return f"{verb} {rest}".strip()
