"""What an empty answer says of a namespace that has nothing."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.services.shared import checks
from legacymind.services.shared.quotas import LIST_NAMESPACES
from legacymind.settings import Settings

FIND_EMPTY = load("nodes/find_empty_namespaces", str, writes=False)

_READ: Final = 1_000
"""Namespaces that are compared."""

_SHOWN: Final = 10


async def unknown(graph: Graph, settings: Settings, spaces: Sequence[str]) -> str | None:
    """A sentence on those of the namespaces that have nothing, with the known ones that may be used."""
    missing = await graph.run(FIND_EMPTY, {"namespaces": spaces})
    if not missing:
        return None
    allowed = checks.fixed_namespaces(settings)
    (known,) = await graph.run(LIST_NAMESPACES, {"after": "", "take": _READ})
    named = ", ".join(map(repr, missing))
    others = [name for name in known if not allowed or name in allowed]
    near = dict.fromkeys([*get_close_matches(missing[0], others), *others])
    shown = f" Known: {', '.join(map(repr, list(near)[:_SHOWN]))}." if near else ""
    return f"Nothing is stored in the namespace {named}.{shown}"
