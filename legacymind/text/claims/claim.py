"""Reads a fact as a claim: an attribute of its subject, the value, and whether it is denied.

Only attributes with one value at a time are read: "Ada knows Bob" and "Ada knows Eve" agree. The patterns are
for English sentences.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

LONGEST: Final = 300
"""Characters of the longest fact that is read; a longer one says more than one thing."""

NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
OPPOSITES: Final = {
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

_SEVERAL: Final = frozenset(
    "one some part example reason problem issue risk goal thing point step question task todo note rule idea "
    "option alternative requirement feature member user client customer dependency project friend hobby "
    "advantage benefit challenge topic there here what who which this that these those everything".split()
)
"""Words before "is" that begin one of several statements: "the risk is", "one of them is", "there is"."""

_NAME: Final = r"(?P<value>(?:the |a town called )?[A-Z\d].*)"
"""A value that begins as a name or a number: "a flat" would not exclude "Lyon"."""
_NUMBER: Final = rf"(?:about |over |exactly |only )?(?P<value>[$€£]?\d[\d,.]*|{'|'.join(NUMBERS)})\b"
_NOT: Final = r"(?P<not>(?:does|do|is|am|are) not |no longer |never )?"
_PAST: Final = (
    "founded|created|written|directed|developed|produced|performed|composed|invented|designed|led|managed|"
    "maintained|headed|employed|built|published|owned"
)

_PATTERNS: Final = tuple(
    re.compile(rf"(?P<subject>(?:\S+ ){{0,4}}?){pattern}")
    for pattern in (
        rf"(?P<attribute>(?i:{_SINGLE}))(?: (?:is|are)(?: now| currently| set to)?(?P<not> not)?|:| =) "
        r"(?P<value>.+)",
        rf"(?:currently )?{_NOT}(?P<attribute>(?:live|reside|work|report|belong)s? (?:in|at|for|to)) {_NAME}",
        rf"(?:is|are) (?P<not>not )?(?P<attribute>(?:located|based|hosted|deployed) (?:in|on|at)) {_NAME}",
        rf"(?:is|are|was|were) (?P<not>not )?(?P<attribute>(?:{_PAST}) by|educated at|a citizen of) {_NAME}",
        rf"(?:was|were) (?P<not>not )?(?P<attribute>born (?:in|on)) {_NAME}",
        rf"(?:is|am|are) (?P<not>not )?(?P<attribute>(?:married|engaged) to|from) {_NAME}",
        rf"(?:is|am|are) (?P<not>not )?{_NUMBER} (?P<attribute>(?:year|month)s?[ -]old)",
        rf"{_NOT}(?P<attribute>(?:weigh|cost|last|measure)s?|(?:(?:listen|run)s? on|uses?) (?:port|version)) "
        rf"{_NUMBER}",
        rf"{_NOT}(?P<attribute>(?:run|use|require|target)s? (?:on )?[A-Za-z][\w+#-]*)(?: version)? "
        r"v?(?P<value>\d+(?:\.\d+)*)",
        rf"{_NOT}(?P<attribute>has|have) {_NUMBER} (?P<unit>[a-z]+(?:s|ren|ople))\b(?! of\b| in\b| named\b)",
        rf"(?:is|are|am) (?P<not>not )?(?:now |currently )?(?P<value>{'|'.join(OPPOSITES)})$",
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

_NAMED: Final = re.compile(r"[\"'“‘#@$€£/~]?(?:the )?[A-Z\d]|[#@/~]\w|\w[\w+.-]*(?:://|@|[./:]\w)")
_END: Final = re.compile(
    r"[;!?]|[.,](?=\s|$)|\s(?:and|but|because|since|so|which|who|where|when|while|with|after|until|as|for|to)\s"
)
"""Where a value ends."""

_NO_STATEMENT: Final = re.compile(
    r"[{}\[\]()<>|\\`_]|[=;,:*]\s*$|\?|\b(?:[Ii]f|[Uu]nless|[Ww]hether|[Oo]r|may|might|could|would)\b"
)
_WORD: Final = re.compile(r"\w+")
_VALUE_WORD: Final = re.compile(r"\d+(?:[.:]\d+)*|\w+")
_NEGATION: Final = re.compile(r"\b(?:not|never|no longer)\b")
_CONTRACTED: Final = re.compile(r"n['’]t\b")
_FILLER: Final = frozenset(
    "a an the is are am do does did will would can could currently now also still just really very "
    "this that his her their its my our your to".split()
)
_VERBS: Final = frozenset(
    "live reside work report belong weigh cost last measure listen run use require target".split()
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
        return frozenset(f"{self.subject} {self.attribute}".split()) - {"of"}


def plain(text: str) -> str | None:
    """The text with single spaces, full forms of negations, and no full stop at the end.

    None for a text that is too long, is code, asks, or states a condition.
    """
    if len(text) > LONGEST or _NO_STATEMENT.search(text):
        return None
    full = _CONTRACTED.sub(" not", text.replace("can't", "cannot").replace("can’t", "cannot"))
    return " ".join(full.replace("cannot", "can not").split()).rstrip(".")


def claim(name: str, text: str) -> Claim | None:
    """What a ``plain`` text about the entity ``name`` claims; None if no pattern reads it."""
    after = text[len(name) :] if text.lower().startswith(name.lower()) else text
    for pattern in _PATTERNS:
        match = pattern.match(after.lstrip())
        if match is not None and (value := _value(match["value"])):
            groups = match.groupdict()
            attribute = groups.get("attribute") or "is"
            unit = groups.get("unit")
            return Claim(
                " ".join(_others(name, match["subject"])),
                _attribute(f"{attribute} {unit}" if unit else attribute),
                value.lower(),
                bool(groups.get("not")),
            )
    return next(_described(name, text), None)


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
            yield Claim("", " ".join(words), value.lower(), denied)


def agree(one: str, other: str) -> bool:
    """Whether two values can both be right: one has all words of the other, or only one is a number."""
    if OPPOSITES.get(one) == other:
        return False
    if one in OPPOSITES and other in OPPOSITES:
        return True
    first, second = _value_words(one), _value_words(other)
    return first <= second or second <= first


def denies(text: str) -> bool:
    """Whether a ``plain`` text has a negation."""
    return _NEGATION.search(text.lower()) is not None


def statement(name: str, text: str) -> frozenset[str]:
    """The words of a ``plain`` text apart from negations, fillers and the name, verbs without endings."""
    own = {word.lower() for word in _WORD.findall(name)}
    return frozenset(
        word if len(word) < 4 else word.removesuffix("s")
        for word in _WORD.findall(_NEGATION.sub(" ", text.lower()))
        if word not in _FILLER | _PRONOUN | own
    )


def words_of(text: str) -> list[str]:
    """The words of a text, in its case."""
    return _WORD.findall(text)


def _value(text: str) -> str:
    return _END.split(text, maxsplit=1)[0].strip()


def _others(name: str, text: str) -> list[str]:
    """The words of a text in lower case that are neither the entity's name nor a pronoun."""
    own = {word.lower() for word in _WORD.findall(name)} | _PRONOUN
    return [word for word in _WORD.findall(text.lower()) if word not in own]


def _attribute(attribute: str) -> str:
    """The attribute in lower case, with verbs of the third person as in the others."""
    first, _, rest = attribute.lower().partition(" ")
    verb = (
        "has" if first == "have" else first.removesuffix("s") if first.removesuffix("s") in _VERBS else first
    )
    return f"{verb} {rest}".strip()


def _value_words(value: str) -> set[str]:
    words: list[str] = _VALUE_WORD.findall(value.replace(",", ""))
    return {NUMBERS.get(word, word) for word in words if word not in _FILLER}
