"""In every test, rows from a server have exactly the keys of their types, in nested maps too."""

import types
from typing import (
    Annotated,
    Any,
    NotRequired,
    Required,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from typing_extensions import is_typeddict  # typing's knows only typing's own

from legacymind.db.connection import Connection, Transaction
from legacymind.db.query import Parameters, Query

_FEW = 3
_OPEN = {"StoredDatabase"}
"""Types of which a statement returns all properties of a node, and code reads these."""


def install() -> None:
    """Check what every statement returns."""
    execute, run = Connection.execute, Transaction.run

    async def checked_execute(
        self: Connection, query: Query[Any], parameters: dict[str, Any], limit: float | None = None
    ) -> list[Any]:
        return checked(query, await execute(self, query, parameters, limit))

    async def checked_run(self: Transaction, query: Query[Any], parameters: Parameters) -> list[Any]:
        return checked(query, await run(self, query, parameters))

    Connection.execute = checked_execute
    Transaction.run = checked_run


def checked(query: Query[Any], rows: list[Any]) -> list[Any]:
    """The rows; fails if one differs from the statement's type."""
    for row in rows[:_FEW]:
        assert fits(row, query.row), f"{query.file} returned {row}, which is no {query.row.__name__}"
    return rows


def fits(value: Any, kind: Any) -> bool:
    """Whether the maps in a value have the keys of the TypedDicts in a type. Null fits: nothing was found."""
    if value is None:
        return True
    if get_origin(kind) in (Annotated, NotRequired, Required):
        return fits(value, get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return any(fits(value, one) for one in get_args(kind))
    if get_origin(kind) is list:
        (one,) = get_args(kind)
        return isinstance(value, list) and all(fits(item, one) for item in cast("list[Any]", value)[:_FEW])
    if get_origin(kind) is tuple and isinstance(value, list | tuple):
        return all(map(fits, cast("list[Any]", value), get_args(kind)))
    if not is_typeddict(kind):
        return not isinstance(value, dict) or kind in (Any, object, dict) or get_origin(kind) is dict
    if not isinstance(value, dict):
        return False
    if kind.__name__ in _OPEN:
        return True
    hints = get_type_hints(kind)
    return value.keys() == hints.keys() and all(fits(value[name], hints[name]) for name in hints)
