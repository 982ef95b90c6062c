"""The driver's values as Python's own."""

import sys
from array import array
from typing import Any, cast

from neo4j.time import DateTime
from neo4j.vector import Vector


def to_python(value: Any) -> Any:
    """Driver values as Python's own: its date-times become ``datetime``, its vectors ``array``."""
    if isinstance(value, DateTime):
        return value.to_native()
    if isinstance(value, Vector):
        numbers = array("f", value.raw())  # big-endian; we ask for none but of 32-bit floats
        if sys.byteorder == "little":
            numbers.byteswap()
        return numbers
    if isinstance(value, list):
        return [to_python(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: to_python(item) for key, item in cast("dict[str, Any]", value).items()}
    return value
