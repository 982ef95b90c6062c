"""Converts the driver's values into Python's."""

import sys
from array import array
from typing import Any, cast

from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time
from neo4j.vector import Vector


def to_python(value: Any) -> Any:
    """A value with the driver's date-times as ``datetime`` and its vectors as ``array``, at any depth.

    Local times, dates and points, which LegacyMind does not store but other tools may, become text.
    """
    if isinstance(value, DateTime):
        return str(value) if value.tzinfo is None else value.to_native()
    if isinstance(value, Vector):
        numbers = array("f", value.raw())  # big-endian; all stored vectors are of 32-bit floats
        if sys.byteorder == "little":
            numbers.byteswap()
        return numbers
    if isinstance(value, list):
        return [to_python(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: to_python(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, Date | Time | Duration | Point):
        return str(value)
    return value
