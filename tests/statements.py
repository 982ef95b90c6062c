"""Every statement of the package."""

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from typing import Any

import legacymind.db
import legacymind.services
from legacymind.db.query import LOADED, Query


@cache
def every_statement() -> list[Query[Any]]:
    """All of them, for tests that compare each with a server."""
    for package in (legacymind.db, legacymind.services):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    return [*LOADED]


def assert_declared(query: Query[Any], columns: Iterable[str]) -> None:
    """The columns that a server returned are those of the statement's type."""
    if query.is_value:
        assert len([*columns]) == 1, query.file
    else:
        assert sorted(columns) == sorted(query.columns)
