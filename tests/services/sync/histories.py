"""Histories of three homes that share a namespace, made from a seed.

A history is a list of steps with numbers that are drawn before it runs, so any part of one is a history too,
and a seed replays it.
"""

import random
from dataclasses import dataclass
from typing import Final

HOMES: Final = 3

WEIGHTS: Final = {
    "think": 8,
    "outcome": 2,
    "pin": 2,
    "relate": 1,
    "redact": 2,
    "state": 8,
    "describe": 2,
    "supersede": 3,
    "connect": 2,
    "merge": 3,
    "forget": 3,
    "forget_entity": 1,
    "meet": 8,
    "sync": 5,
    "killed_sync": 5,
    "forget_read": 1,
    "carry": 6,
    "carry_some": 3,
    "carry_cut": 2,
    "carry_last": 2,
    "tamper": 1,
}
"""The kinds of steps, and how often each is drawn."""

_FIRST: Final = ("think", "state", "state", "think", "state", "meet", "meet", "meet")

TOPOLOGIES: Final = (
    ((0, 1, 2),),
    ((0, 1), (1, 2)),
    ((0, 1), (1, 2), (0, 2)),
    ((0, 1, 2), (0, 1)),
)
"""The homes that write to each place."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one home does; ``draws`` choose among what there is then."""

    kind: str
    home: int
    draws: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class History:
    """Steps of three homes, whose clocks differ, and the places that they share."""

    seed: int
    places: tuple[tuple[int, ...], ...]
    skews: tuple[float, ...]
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, seed: int) -> "History":
        """The history of a seed."""
        draw = random.Random(seed)
        most = draw.choice((0.0, 2.0, 600.0))
        kinds = [*_FIRST, *draw.choices([*WEIGHTS], [*WEIGHTS.values()], k=draw.randint(10, 25))]
        steps = [Step(kind, draw.randrange(HOMES), tuple(draw.random() for _ in range(4))) for kind in kinds]
        skews = tuple(draw.uniform(-most, most) for _ in range(HOMES))
        return cls(seed, draw.choice(TOPOLOGIES), skews, tuple(steps))
