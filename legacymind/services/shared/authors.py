"""The authors that a thought names, looked up once for each name."""

import time
from dataclasses import dataclass, field
from typing import Final

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.text import fulltext, query_analysis
from legacymind.text.fulltext import AuthorQueries

_FRESH: Final = 60.0
"""Seconds after which names are looked up again: a name may belong to a new author."""

_NAMESPACES: Final = 100
"""Namespaces whose authors are remembered."""


@dataclass(slots=True)
class _Known:
    """The names of one namespace that were looked up, and the authors they belong to.

    ``names`` has each with whether it was searched as an introduction ("I'm Kate") too. ``alike`` and
    ``introduced`` have the authors of words that are not their names.
    """

    until: float
    names: set[tuple[str, bool]] = field(default_factory=set[tuple[str, bool]])
    authors: set[str] = field(default_factory=set[str])
    alike: dict[str, str] = field(default_factory=dict[str, str])
    introduced: dict[str, str] = field(default_factory=dict[str, str])

    def missing(self, names: list[AuthorQueries]) -> list[AuthorQueries]:
        """The names that were not looked up yet."""
        return [
            name
            for name in names
            if not self.names & {(name["word"], True), (name["word"], name["introduced"] != "")}
        ]

    async def look_up(self, graph: Graph, namespace: str, names: list[AuthorQueries]) -> None:
        """Add the authors that these names belong to. Raises DatabaseError."""
        if not names:
            return
        (row,) = await graph.run(queries.find_authors, {"names": names, "namespace": namespace})
        self.names.update((name["word"], name["introduced"] != "") for name in names)
        self.authors.update(row["authors"])
        self.introduced |= {one["word"]: one["author"] for one in row["introduced"]}
        self.alike |= {
            one["word"]: one["author"]
            for one in row["alike"]
            if query_analysis.alike(one["word"], one["author"])
        }

    def named(self, text: str, names: list[AuthorQueries]) -> tuple[str, list[str]]:
        """The text with the names of authors for its other ``names``, and the authors it names."""
        words = {name["word"] for name in names}
        introductions = {name["word"] for name in names if name["introduced"]}
        others = {word: author for word, author in self.introduced.items() if word in introductions}
        others |= {word: author for word, author in self.alike.items() if word in words}
        asked = query_analysis.with_names(text, others)
        return asked, query_analysis.named_authors(asked, {*self.authors, *others.values()})


async def with_author_names(
    graph: Graph, namespace: str, text: str, own_session: str
) -> tuple[str, list[str]]:
    """The text with other names of authors replaced by their own, and the authors it names.

    Authors of public thoughts count, and those of private ones of ``own_session``.

    Raises DatabaseError.
    """
    names, known = fulltext.author_queries(namespace, text, own_session), _Known(0.0)
    await known.look_up(graph, namespace, names)
    return known.named(text, names)


class Authors:
    """Finds the authors that texts name. A name costs one statement a minute in each namespace."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[str, _Known] = {}

    async def named(self, namespace: str, text: str) -> tuple[str, list[str]]:
        """As ``with_author_names``, but of public thoughts, and only capitalised words count as names.

        Raises DatabaseError.
        """
        known = self._known.get(namespace)
        if known is None or known.until < time.monotonic():
            while len(self._known) >= _NAMESPACES:
                del self._known[next(iter(self._known))]
            known = self._known[namespace] = _Known(time.monotonic() + _FRESH)
        names = [name for name in fulltext.author_queries(namespace, text) if name["word"][0].isupper()]
        await known.look_up(self._graph, namespace, known.missing(names))
        return known.named(text, names)
