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


def folded(name: str) -> str:
    """A name for comparison: without case, spaces, hyphens and underscores."""
    return _SEPARATORS.sub("", name).casefold()
