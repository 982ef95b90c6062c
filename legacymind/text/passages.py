"""Text as embedding, full text and identity need it; pure functions."""

import hashlib
import re
import unicodedata
from typing import Final

CODE_FENCE: Final = re.compile(
    # Also indented, as in a list, and quoted. One that is never closed is prose: nothing said is to be lost.
    r"^[ \t>]*(`{3,}|~{3,})[^`\n]*$.*?^[ \t>]*\1[^\n]*$",
    re.DOTALL | re.MULTILINE,
)
"""A fenced block of Markdown."""

_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w+")

MAX_TERMS: Final = 64
"""Terms of a full-text query; Lucene refuses 1,025."""

STOP_WORDS: Final = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between
    both but by can could did do does doing down during each few for from further had has have having he her
    here hers him his how i if in into is it its itself just let me more most my no nor not now of off on once
    only or other our ours out over own same she should so some such than that the their them then there these
    they this those through to too under until up us very was we were what when where which while who whom why
    will with would you your yours""".split()
)
"""English words that carry no topic. Lucene's own list is shorter and finds less."""


def for_embedding(content: str, *, technical: bool) -> str:
    """What the model sees of a thought: no control characters, no code unless technical, single spaces.

    No lower-casing, since models differ. When nothing is left, the original.
    """
    shown = content if technical else CODE_FENCE.sub(" ", content)
    shown = "".join(
        " " if character in "\n\t\r" else character
        for character in shown
        if character in "\n\t\r" or unicodedata.category(character) != "Cc"
    )
    return _SPACE.sub(" ", shown).strip() or content


def of_entity(name: str, entity_type: str, description: str | None) -> str:
    """What the model sees of an entity: name, type and description, as they are recalled."""
    typed = f"{name} ({entity_type})" if entity_type else name
    return f"{typed} - {description}" if description else typed


def of_fact(entity: str, content: str) -> str:
    """What the model sees of an observation: what it is about, and what it says."""
    return f"{entity}: {content}"


def namespace_key(namespace: str) -> str:
    """A namespace as one token of full text, which no stemmer changes: it ends in a digit."""
    return f"n{hashlib.sha256(namespace.encode()).hexdigest()[:32]}0"


NO_WORDS: Final = '+ns_key:"none"'
"""A full-text query that finds nothing."""


def full_text_query(namespace: str, content: str) -> str | None:
    """Any user text as a safe Lucene query inside a namespace, or None when no word is left.

    Every word becomes a quoted term, so that quotes, slashes, ``AND`` and brackets are just text.
    """
    words = dict.fromkeys(word.lower() for word in _WORD.findall(content))
    terms = [word for word in words if word not in STOP_WORDS and len(word) <= 64][:MAX_TERMS]
    if not terms:
        return None
    quoted = " ".join(f'"{term}"' for term in terms)
    return f'+ns_key:"{namespace_key(namespace)}"^0 +({quoted})'


def normalised(name: str) -> str:
    """A name as its key: Unicode-composed, case-folded, single spaces."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", name)).strip().casefold()


def fact_key(content: str) -> str:
    """A fact as its key: the digest of its normalised text."""
    return hashlib.sha256(normalised(content).encode()).hexdigest()


def cut(content: str | None, limit: int) -> str:
    """So many characters and an ellipsis; a redacted content is empty."""
    whole = content or ""
    return whole if len(whole) <= limit else f"{whole[:limit]}…"
