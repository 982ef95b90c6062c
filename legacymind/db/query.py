"""A Cypher statement, read from its file, which declares its parameters with samples.

``/*filters*/`` in a file marks the place of conditions from the fixed list ``CONDITIONS``; nothing else
is composed at run time. (``scripts/compose_cypher.py`` writes shared parts into the files beforehand.)
The ``:param`` lines of a file are not part of the statement.
Files are written for embedding slot ``a``; ``for_slot`` derives the one for the other slot, in which the
names of the two slots are exchanged.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Generic, LiteralString, TypedDict, TypeVar, cast

from legacymind import files
from legacymind.db.filters import CONDITIONS
from legacymind.db.stored import Slot

Parameters = Mapping[str, Any]
"""The values of a statement's parameters; ``sending.checked`` compares their names."""

Row = TypeVar("Row")

COMMENT_OR_STRING = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")
_SLOT = re.compile("embedding_[ab]")
_SEARCH = re.compile(r"\bSEARCH\s+\w+\s+IN\b")
_SAMPLE = re.compile(r"^:param (\w+) .*\n", re.MULTILINE)
"""A sample parameter: a command of Neo4j Browser and Cypher Shell, not Cypher."""
_MARK = "/*filters*/"
_OTHERS = "/*other filters*/"
"""The place of the same conditions without ``session_id``, where the statement has that condition already."""


@dataclass(frozen=True, slots=True)
class Query(Generic[Row]):
    """One Cypher statement: its text, the type of its rows, and whether it writes.

    ``row`` is the type that ``db.rows`` makes of a record.
    ``names`` are the parameters that the text uses. ``long_running``: its time grows with the
    graph, so it has the time limit of a stream. ``searches_vectors``: it has a SEARCH clause, which uses a
    vector index.
    """

    file: str
    row: type[Row]
    writes: bool
    text: LiteralString
    names: frozenset[str]
    long_running: bool = False
    searches_vectors: bool = False

    def for_slot(self, slot: Slot) -> "Query[Row]":
        """The same statement for another embedding slot."""
        return self if slot == "a" else _other_slot(self)

    def filtered(self, names: Iterable[str]) -> "Query[Row]":
        """The same statement with conditions of ``CONDITIONS``; raises KeyError for any other name."""
        return _filtered(self, tuple(sorted(names)))


class NoRow(TypedDict):
    """The row of a statement that returns none."""


LOADED: Final[list[Query[Any]]] = []
"""Every statement of the modules imported so far, for tests that compare them with a server."""


def _trusted(text: str) -> LiteralString:
    # The only place where text becomes a statement: of our files, of CONDITIONS, and of the GDS client.
    return cast("LiteralString", text)


def load(
    file: str,
    row: type[Row],
    *,
    writes: bool,
    long_running: bool = False,
) -> Query[Row]:
    """Read ``cypher/FILE.cypher``; raises ValueError if it declares other parameters than it uses."""
    whole = files.text("cypher", f"{file}.cypher")
    text = _SAMPLE.sub("", whole).strip()
    if not text.startswith("//"):
        raise ValueError(f"{file}.cypher does not begin with a comment.")
    names = _names(text)
    if differing := names ^ {*_SAMPLE.findall(whole)}:
        raise ValueError(f"{file}.cypher declares and uses different parameters: {sorted(differing)}.")
    query = Query(
        file,
        row,
        writes,
        _trusted(text),
        names,
        long_running,
        searches_vectors=_SEARCH.search(_code(text)) is not None,
    )
    LOADED.append(query)
    return query


def _names(text: str) -> frozenset[str]:
    return frozenset(_PARAMETER.findall(_code(text)))


def _code(text: str) -> str:
    """A statement without its comments and strings."""
    return COMMENT_OR_STRING.sub(" ", text)


@lru_cache(maxsize=256)
def _other_slot(query: Query[Any]) -> Query[Any]:
    # Exchanged, not renamed: a statement about both slots must name both.
    text = _SLOT.sub(lambda found: "embedding_b" if found[0] == "embedding_a" else "embedding_a", query.text)
    return replace(query, text=_trusted(text))


@lru_cache(maxsize=256)
def _filtered(query: Query[Any], names: tuple[str, ...]) -> Query[Any]:
    if _MARK not in query.text:
        raise ValueError(f"{query.file}.cypher takes no filters.")
    conditions = {name: f"\n      AND {CONDITIONS[name].condition}" for name in names}
    text = query.text.replace(_MARK, "".join(conditions.values()))
    conditions.pop("session_id", None)
    text = text.replace(_OTHERS, "".join(conditions.values()))
    return replace(query, text=_trusted(text), names=_names(text))
