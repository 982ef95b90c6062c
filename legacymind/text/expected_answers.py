"""The kind of answer that a query asks for, a place, a name or a reason, and the texts that mention one.

The rules are for English. Ranking raises texts that match (ranking/thoughts.py), as it raises texts
with an expression of time for queries that ask when. R@10 of LoCoMo, REALTALK and BEAM: +0.2,
+1.5 and +0.3 points; of 25 questions with another result 23 have a better one. Weights from 0.4 to 0.6 of a
standard deviation give the same. Numbers for "how many" gained nothing.
"""

import re
from typing import Final

_NAME: Final = (
    r"(?!(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b)[A-Z][a-z]+"
)
"""A capitalised word that is no date and no "I"."""

_WHERE: Final = re.compile(
    r"\bwhere\b|\b(?:what|which) (?:\w+ )?"
    r"(?:cit(?:y|ies)|countr(?:y|ies)|places?|towns?|states?|locations?)\b",
    re.IGNORECASE,
)
_PLACE: Final = (
    rf"\b(?:[Ii]n|[Aa]t|to|[Ff]rom|[Nn]ear|around|through|visit(?:ed|ing)?) (?:the |my |our )?{_NAME}"
)

_WHO: Final = re.compile(
    r"^\s*who(?:se|m)?\b|\b(?:what|which|who)\b.*\b(?:names?|named|called|books?|movies?|films?|shows?|songs?"
    r"|bands?|games?|series|albums?|podcasts?|restaurants?|authors?|artists?|singers?|musicians?|brands?"
    r"|compan(?:y|ies)|teams?|platforms?|apps?|schools?|universit(?:y|ies)|languages?)\b",
    re.IGNORECASE,
)
# Inside a sentence: at its beginning every word has a capital.
_NAMED: Final = rf'(?:[a-z,;:] ["“]?{_NAME}|["“][A-Z])'

_WHY: Final = re.compile(
    r"^\s*(?:why|what (?:made|motivated|inspired|caused|led|prompted)|for what reason)\b", re.IGNORECASE
)
_REASON: Final = (
    r"(?i)\b(?:because|since|so that|due to|reason|inspired|motivat\w+|made me|wanted to|that['’]s why"
    r"|thanks to)\b"
)


def pattern_for(query: str) -> str:
    """Return a regular expression for texts with such an answer; empty for other queries."""
    for asked, pattern in ((_WHERE, _PLACE), (_WHO, _NAMED), (_WHY, _REASON)):
        if asked.search(query):
            return pattern
    return ""
