"""The authors that a thought names, looked up once for each name."""

import time
from dataclasses import dataclass, field
from typing import Final

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.db.rows.search import AuthorsRow
from legacymind.text import fulltext, query_analysis

_FRESH: Final = 60.0
"""Seconds after which names are looked up again: a name may belong to a new author."""

_NAMESPACES: Final = 100
"""Namespaces whose authors are remembered."""


@dataclass(slots=True)
class _Known:
    """The names of one namespace that were looked up, and the authors they belong to."""

    until: float
    names: set[str] = field(default_factory=set[str])
    authors: set[str] = field(default_factory=set[str])


async def find_authors(graph: Graph, namespace: str, text: str) -> AuthorsRow:
    """The authors with a name among the words of a text. Raises DatabaseError."""
    names = fulltext.author_queries(namespace, text)
    if not names:
        return {"authors": [], "alike": [], "introduced": []}
    (row,) = await graph.run(queries.find_authors, {"names": names, "namespace": namespace})
    return row


async def with_author_names(graph: Graph, namespace: str, text: str) -> tuple[str, list[str]]:
    """The text with other names of authors replaced by their own, and the authors it names.

    Raises DatabaseError.
    """
    row = await find_authors(graph, namespace, text)
    others = {one["word"]: one["author"] for one in row["introduced"]}
    others |= {
        one["word"]: one["author"] for one in row["alike"] if query_analysis.alike(one["word"], one["author"])
    }
    asked = query_analysis.with_names(text, others)
    return asked, query_analysis.named_authors(asked, {*row["authors"], *others.values()})


class Authors:
    """Finds the authors that texts name. A name costs one statement a minute in each namespace."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[str, _Known] = {}

    async def named(self, namespace: str, text: str) -> list[str]:
        """The authors that a text names by a capitalised word. Raises DatabaseError."""
        known = self._known.get(namespace)
        if known is None or known.until < time.monotonic():
            while len(self._known) >= _NAMESPACES:
                del self._known[next(iter(self._known))]
            known = self._known[namespace] = _Known(time.monotonic() + _FRESH)
        new = [name for name in fulltext.possible_authors(text) if name not in known.names]
        if new:
            known.authors.update((await find_authors(self._graph, namespace, " ".join(new)))["authors"])
            known.names.update(new)
        return query_analysis.named_authors(text, known.authors)
