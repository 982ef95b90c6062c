"""The two places for the vectors of all nodes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal

Slot = Literal["a", "b"]
"""One of the two places for the vectors of all nodes."""

SLOTS: Final[tuple[Slot, ...]] = ("a", "b")

Property = str | int | float | bool | datetime | list[str] | list[float] | None
"""A value that Neo4j stores as a property; None removes the property."""


def active_slot(database: Mapping[str, Property]) -> Slot:
    """The slot whose vectors are searched, from the properties of the ``LegacyMind`` node."""
    return "b" if database.get("active_slot") == "embedding_b" else "a"


def other_slot(slot: Slot) -> Slot:
    """The slot beside this one."""
    return "b" if slot == "a" else "a"
