"""The form in which a statement and its parameters are sent, so that the server plans each statement once.

Neo4j keeps a plan for every combination of the types of a statement's parameters. Null is a type of its own,
and a string or a list has another type for each order of magnitude of its length. A map has one type,
whatever it holds. So strings, lists, floats and what may be null are sent as members of one map, ``$given``.
Whole numbers remain parameters: a LIMIT inside SEARCH accepts nothing else.
"""

import re
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, LiteralString, cast, get_origin, get_type_hints, is_typeddict

from legacymind.db.filters import CONDITIONS
from legacymind.db.parameters.schema import SchemaName
from legacymind.db.query import COMMENT_OR_STRING, Parameters, Query


class _Given(dict[str, Any]):
    """The map ``$given``, with a text of its names only.

    The driver makes the text of all parameters for its log, whether it logs or not. That takes 0.2 ms for a
    vector, and would put thoughts into the log.
    """

    def __repr__(self) -> str:
        return f"<{', '.join(self)}>"


DriverParameters = dict[str, Any]
"""Parameters as the driver declares them; ``checked`` makes them of a statement's own type."""

_GIVEN: Final = "given"
"""The name of the map."""

_OF_ONE_TYPE: Final = (int, bool, datetime, SchemaName)

_PARAMETER: Final = re.compile(rf"{COMMENT_OR_STRING.pattern}|\$(?P<name>[A-Za-z_]\w*)", re.DOTALL)


def checked(query: Query[Parameters, Any], parameters: Parameters) -> DriverParameters:
    """The parameters for the driver; raises TypeError unless their names are those in the statement's text.

    A type checker finds missing and misspelt keys. It cannot see surplus keys of a TypedDict built elsewhere,
    nor whether the filters with values are those that were added to the text.
    """
    values = cast("DriverParameters", parameters)
    if values.keys() != query.names:
        missing = sorted(query.names - values.keys())
        extra = sorted(values.keys() - query.names)
        raise TypeError(f"{query.file}.cypher: missing parameters {missing}, unknown parameters {extra}")
    members = _members(query)
    if not members:
        return values
    sent = {name: value for name, value in values.items() if name not in members}
    sent[_GIVEN] = _Given((name, values[name]) for name in members)
    return sent


@lru_cache(maxsize=512)
def sent_text(query: Query[Any, Any]) -> LiteralString:
    """The statement's text for the parameters that ``checked`` returns."""
    members = _members(query)

    def member(found: re.Match[str]) -> str:
        return f"${_GIVEN}.{found['name']}" if found["name"] in members else found[0]

    return cast("LiteralString", _PARAMETER.sub(member, query.text))


@lru_cache(maxsize=512)
def _members(query: Query[Any, Any]) -> frozenset[str]:
    """The names of the parameters that are sent in the map."""
    if not is_typeddict(query.parameters):
        return frozenset()
    types = {name: one.type for name, one in CONDITIONS.items()} | get_type_hints(query.parameters)
    return frozenset(name for name in query.names if not _has_one_type(types[name]))


def _has_one_type(kind: Any) -> bool:
    """Whether Neo4j sees one type in all values of ``kind``."""
    return kind in _OF_ONE_TYPE or get_origin(kind) is dict or is_typeddict(kind)
