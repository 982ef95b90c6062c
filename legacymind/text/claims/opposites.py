"""Says opposites as denials: "is incompatible" as "is not compatible", and "hates" as "not like"."""

import re
from typing import Final

_VERBS: Final = {
    "like": "dislike hate detest loathe",
    "allow": "forbid prohibit disallow ban block",
    "accept": "reject refuse",
    "include": "exclude",
    "have": "lack",
    "trust": "distrust mistrust",
}
_SAME: Final = {"like": "love enjoy", "allow": "permit", "have": "has", "larger": "bigger"}
"""Other words for the positive ones."""

_ADJECTIVES: Final = {
    "taller": "shorter",
    "larger": "smaller",
    "faster": "slower",
    "older": "younger",
    "higher": "lower",
    "heavier": "lighter",
    "better": "worse",
    "cheaper": "dearer",
    "able": "unable",
    "present": "absent",
    "right": "wrong",
    "safe": "dangerous",
}
_PREFIX: Final = (
    r"un(?!der|til|less|i(?:t|on|que|vers|corn|form)|cle)|non-?|in(?=compatible|complete|correct|accurate|active"
    r"|secure|dependent|sufficient|valid|visible|efficient|stable|eligible|flexible|consistent|capable|expensive)"
    r"|im(?=possible|mutable|mature|polite|perfect)|ir(?=regular|relevant|reversible|responsible)"
    r"|il(?=legal|logical)|dis(?=connected|honest|satisfied)"
)


def _forms(words: str) -> str:
    return "|".join(rf"{word}(?:e?s)?" for word in words.split())


_OTHERS: Final = tuple(
    (re.compile(rf"(?<!\bto )\b(?:{_forms(others)})\b"), positive) for positive, others in _SAME.items()
)
_DENIALS: Final = tuple(
    (re.compile(rf"(?<!\bnot )(?<!\bto )\b(?:{_forms(others)})\b(?! (?:of|on)\b)"), f"not {positive}")
    for positive, others in _VERBS.items()
)
_POSITIVE: Final = {other: positive for positive, other in _ADJECTIVES.items()}
_SAID: Final = re.compile(
    r"\b(?P<be>is|are|was|were|am|be|been|remains?) (?P<not>not )?"
    r"(?P<adverb>(?:very|currently|now|fully|still|completely) )?"
    rf"(?:(?:{_PREFIX})(?P<rest>[a-z]{{4,}})|(?P<other>{'|'.join(_POSITIVE)}))\b"
)


def denied(text: str) -> str:
    """The text with the opposites of other words as denials of these; an attribute before a noun stays.

    Acme may have paid and unpaid invoices, so only what something is said to be or to do is replaced.
    """
    for pattern, positive in (*_OTHERS, *_DENIALS):
        text = pattern.sub(positive, text)
    return _SAID.sub(_positive, text)


def _positive(found: re.Match[str]) -> str:
    positive = found["rest"] or _POSITIVE[found["other"]]
    return f"{found['be']} {'' if found['not'] else 'not '}{found['adverb'] or ''}{positive}"


def spellings(word: str) -> list[str]:
    """A word and those that ``denied`` replaces by it and that do not contain it."""
    others = [table.get(word, "") for table in (_VERBS, _SAME, _ADJECTIVES)]
    return [word, *(one for one in " ".join(others).split() if word not in one)]
