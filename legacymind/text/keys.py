"""Keys that decide whether two names, or two facts, are the same."""

import hashlib
import re
import unicodedata

_SPACE = re.compile(r"\s+")


def normalised(name: str) -> str:
    """The key of a name: NFKC, case-folded, single spaces."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", name)).strip().casefold()


def fact_key(content: str) -> str:
    """The key of a fact: the SHA-256 digest of its normalised text, in hexadecimal."""
    return hashlib.sha256(normalised(content).encode()).hexdigest()
