"""The authors that texts name: those of a namespace are kept in the process and matched there."""

import re
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.model.base import ALWAYS
from legacymind.text import fulltext, query_analysis
from legacymind.text.fulltext import PossibleName

READ_AUTHORS = load("recall/read_authors", tuple[list[str], datetime], writes=False)
FIND_INTRODUCED = load("recall/find_introduced", tuple[str, str | None], writes=False)


_FRESH: Final = 60.0
"""Seconds after which authors of new thoughts are read."""

_WHOLE: Final = 600.0
"""Seconds after which all are read again: imported thoughts may be older than the last read."""

_OVERLAP: Final = timedelta(minutes=2)
"""A thought may be committed so long after its time."""

_NAMESPACES: Final = 100
"""Namespaces whose authors are kept."""

_AUTHORS: Final = 5_000
"""Authors of a namespace that are kept; later ones are not recognised."""


@dataclass(slots=True)
class _Known:
    """The authors of a namespace by the words of their names in lower case, and who introduced themselves."""

    whole_until: float
    until: float = 0.0
    since: datetime = ALWAYS
    authors: set[str] = field(default_factory=set[str])
    by_word: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    introduced: dict[str, str | None] = field(default_factory=dict[str, str | None])

    def add(self, authors: Iterable[str]) -> None:
        """Add authors, up to the most that are kept."""
        for author in authors:
            if author not in self.authors and len(self.authors) < _AUTHORS:
                self.authors.add(author)
                for word in re.findall(r"\w+", author.lower()):
                    self.by_word[word].add(author)

    def only(self, name: PossibleName) -> str | None:
        """The one author with this name."""
        found = self.by_word.get(name.word.lower(), set[str]())
        return next(iter(found)) if len(found) == 1 else None


class Authors:
    """Finds the authors of public thoughts that texts name. A process has one: it keeps the authors."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[str, _Known] = {}

    async def named(self, namespace: str, text: str, *, capitalised: bool = False) -> tuple[str, list[str]]:
        """The text with other names of authors replaced by their own, and the authors it names.

        A word that is the name of no author may be the one by which an author introduced themselves. A name
        that several authors share names none. ``capitalised``: only words with a capital count as names.
        Raises DatabaseError.
        """
        names = [
            name
            for name in fulltext.possible_names(namespace, text)
            if not capitalised or name.word[0].isupper()
        ]
        if not names:
            return text, []
        known = await self._fresh(namespace)
        unknown = [name for name in names if name.word.lower() not in known.by_word]
        await self._introduced(namespace, known, unknown)
        others = {
            name.word: author
            for name in unknown
            if name.introduced and (author := known.introduced.get(name.word)) is not None
        }
        asked = query_analysis.with_names(text, others)
        authors = {author for name in names if (author := known.only(name)) is not None}
        return asked, query_analysis.named_authors(asked, {*authors, *others.values()})

    async def _fresh(self, namespace: str) -> _Known:
        """The authors of a namespace, with those of thoughts that were stored since the last read."""
        now = time.monotonic()
        known = self._known.get(namespace)
        if known is None or known.whole_until < now:
            while len(self._known) >= _NAMESPACES:
                del self._known[next(iter(self._known))]
            known = _Known(now + _WHOLE)
        if known.until < now:
            ((authors, read_at),) = await self._graph.run(
                READ_AUTHORS, {"namespace": namespace, "since": known.since}
            )
            known.add(authors)
            known.introduced.clear()
            known.since, known.until = read_at - _OVERLAP, now + _FRESH
            self._known[namespace] = known
        return known

    async def _introduced(self, namespace: str, known: _Known, names: Iterable[PossibleName]) -> None:
        """Look up who introduced themselves by these names, once for each name."""
        missing = [name for name in names if name.introduced and name.word not in known.introduced]
        if missing and known.authors:
            rows = await self._graph.run(
                FIND_INTRODUCED,
                {
                    "namespace": namespace,
                    "names": [{"word": name.word, "introduced": name.introduced} for name in missing],
                },
            )
            known.introduced.update(rows)
