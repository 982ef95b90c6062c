"""Values of rows: the driver's types become Python's, at any depth."""

from array import array
from datetime import UTC, datetime

import pytest
from neo4j.spatial import CartesianPoint
from neo4j.time import Date, DateTime, Duration, Time
from neo4j.vector import Vector, VectorEndian

from legacymind.db.values import to_python
from legacymind.mind import Mind
from tests.wire import raw

NOON = datetime(2026, 11, 23, 12, 0, 0, 123456, UTC)


def test_every_type_of_the_driver_becomes_one_of_python() -> None:
    vector = Vector(array("f", [1.0, -0.5]).tobytes(), "f32", byteorder=VectorEndian.LITTLE)
    row = {"at": [DateTime.from_native(NOON), {"vector": vector}], "text": "kept", "none": None}
    assert to_python(row) == {
        "at": [NOON, {"vector": array("f", [1.0, -0.5])}],
        "text": "kept",
        "none": None,
    }
    foreign = [
        Date(2026, 1, 2),
        Time(12, 30),
        DateTime(2026, 1, 2, 3, 4, 5),
        Duration(days=1),
        CartesianPoint((1, 2)),
    ]
    assert [type(value) for value in to_python(foreign)] == [str] * len(foreign)


@pytest.mark.anyio
async def test_a_time_that_was_read_is_the_same_to_the_server(mind: Mind) -> None:
    (row,) = await raw(mind, "RETURN datetime('2026-01-01T00:00:00Z') AS at")
    (answer,) = await raw(mind, "RETURN $at = datetime('2026-01-01T00:00:00Z') AS same", at=row["at"])
    assert answer["same"]
