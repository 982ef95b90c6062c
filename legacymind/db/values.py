"""Converts the driver's values into Python's."""

import sys
from array import array
from datetime import UTC, datetime
from typing import Any, Final, cast

from neo4j.graph import Node
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time
from neo4j.vector import Vector

_SCALARS: Final = frozenset({str, int, float, bool, type(None)})
"""The types of most values; they stay as they are."""


def _in_utc(at: datetime) -> datetime:
    """A time with an offset of 0 as one of ``UTC``.

    The driver reads that offset as a zone with the name UTC. Sent back, it would be later than the same time
    without a name.
    """
    return at if at.utcoffset() else at.replace(tzinfo=UTC)


def to_python(value: Any) -> Any:
    """A value with the driver's date-times as ``datetime`` and its vectors as ``array``, at any depth.

    Local times, dates and points, which LegacyMind does not store but other tools may, become text. A node
    becomes its properties.
    """
    if type(value) in _SCALARS:
        return value
    if isinstance(value, DateTime):
        return str(value) if value.tzinfo is None else _in_utc(value.to_native())
    if isinstance(value, Vector):
        numbers = array("f", value.raw())  # big-endian; all stored vectors are of 32-bit floats
        if sys.byteorder == "little":
            numbers.byteswap()
        return numbers
    if isinstance(value, list):
        # Most items are scalars, and a call for each would take most of the time.
        return [item if type(item) in _SCALARS else to_python(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict | Node):
        return {key: to_python(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, Date | Time | Duration | Point):
        return str(value)
    return value
