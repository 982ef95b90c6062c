"""Spellings and aliases of names from fixed lists."""

import re
from collections.abc import Mapping
from typing import Final

from legacymind.model.base import Mode

_SEPARATORS: Final = re.compile(r"[\s_-]+")

MODE_ALIASES: Final[Mapping[str, Mode]] = {
    "planning": "plan",
    "building": "build",
    "debugging": "debug",
    "panic": "stuck",
    "conversation": "question",
}
"""Other names of modes, accepted wherever a mode is."""


ALIASES: Final[Mapping[str, str]] = {
    **MODE_ALIASES,
    "thoughts": "thought",
    "entities": "entity",
    "observations": "observation",
    "fact": "observation",
    "facts": "observation",
    "semantic": "vector",
    "keyword": "text",
    "keywords": "text",
    "fulltext": "text",
    "hybrid": "graph",
    "newest": "created_at_desc",
    "latest": "created_at_desc",
    "oldest": "created_at_asc",
}
"""Other names, by their folded form; each is accepted in the lists that have the name it stands for."""


def folded(name: str) -> str:
    """A name for comparison: without case, spaces, hyphens and underscores."""
    return _SEPARATORS.sub("", name).casefold()
