"""Homes of which each has a clock of its own and may die before any statement, for the model."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta, tzinfo
from typing import Any, Final

import pytest
from neo4j.time import Duration

from legacymind.db import connection, graph
from legacymind.db.query import Parameters, Query
from legacymind.db.sending import checked, sent_text

_SKEW: ContextVar[float] = ContextVar("skew", default=0.0)
"""Seconds by which the clock of the home that acts is ahead."""

_LEFT: ContextVar[list[float]] = ContextVar("left")
"""How many statements it still runs."""

_NOW: Final = (
    ("datetime.realtime()", "(datetime.realtime() + $skew)"),
    ("datetime()", "(datetime() + $skew)"),
    ("min(datetime(startTime))", "min(datetime(startTime) + $skew)"),
)


class Killed(BaseException):
    """The process of a home was killed."""


class _Kind(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, datetime)


class _Clock(datetime, metaclass=_Kind):
    """``datetime`` with the time of the home that acts."""

    def __new__(cls, *given: Any, **named: Any) -> datetime:  # type: ignore[misc]
        return datetime(*given, **named)

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return datetime.now(tz) + timedelta(seconds=_SKEW.get())


@contextmanager
def acting(skew: float, statements: float = float("inf")) -> Generator[None]:
    """Act as a home whose clock is ahead by ``skew`` seconds, killed after so many statements."""
    skewed, left = _SKEW.set(skew), _LEFT.set([statements])
    try:
        yield
    finally:
        _SKEW.reset(skewed)
        _LEFT.reset(left)


@contextmanager
def clocks() -> Generator[None]:
    """Let ``acting`` count for all statements and all times of services."""

    def text(query: Query[Any]) -> str:
        found: str = sent_text(query)
        for plain, skewed in _NOW:
            found = found.replace(plain, skewed)
        return found

    def parameters(query: Query[Any], given: Parameters) -> dict[str, Any]:
        left = _LEFT.get([float("inf")])
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        return {**checked(query, given), "skew": Duration(microseconds=round(_SKEW.get() * 1e6))}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "sent_text", text)
        patch.setattr(connection, "checked", parameters)
        patch.setattr(graph, "checked", parameters)
        for name, module in [*sys.modules.items()]:
            if name.startswith("legacymind.services.") and getattr(module, "datetime", None) is datetime:
                patch.setattr(module, "datetime", _Clock)
        yield
