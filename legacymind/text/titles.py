"""Titles: the captions of nodes in Neo4j Browser."""

from typing import Final

_LONGEST: Final = 60


def title(content: str) -> str:
    """The beginning of a text on one line, at most 60 characters."""
    first = " ".join(content.split())
    return first if len(first) <= _LONGEST else first[: _LONGEST - 1] + "…"
