"""Every statement of the package."""

import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict  # typing's knows only typing's own

import legacymind.db
import legacymind.services
from legacymind.db.query import LOADED, Query
from legacymind.db.rows import by_name


@cache
def every_statement() -> list[Query[Any]]:
    """All of them, for tests that compare each with a server."""
    for package in (legacymind.db, legacymind.services):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    return [*LOADED]


def assert_declared(query: Query[Any], columns: Iterable[str]) -> None:
    """The columns that a server returned are those of the statement's type."""
    names, row = {*columns}, query.row
    if get_origin(row) is tuple:
        assert len(names) == len(get_args(row)), query.file
    elif is_dataclass(row):
        needed = {one.name for one in fields(row) if one.default is one.default_factory is MISSING}
        assert needed <= names <= {one.name for one in fields(row)}, query.file
    elif is_typeddict(row):
        assert names == {*get_type_hints(row)}, query.file
    elif not by_name(row):
        assert len(names) == 1, query.file
