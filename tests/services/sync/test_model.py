"""Whatever three homes do, and whatever becomes of their files, they end with the same memory.

``python -m bench.sync`` runs thousands of histories.
"""

import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from legacymind.db.graph import Transaction
from legacymind.db.query import Query
from legacymind.mind import Mind
from legacymind.services.sync import knowledge, service, steps
from legacymind.services.sync.arrival import Arrival
from legacymind.services.sync.knowledge import KnowledgeStore
from legacymind.services.sync.reconcile import Row
from legacymind.services.sync.segments import Place, Segment
from tests.services.sync.histories import History, Step
from tests.services.sync.homes import clocks
from tests.services.sync.world import Broken, play

pytestmark = [*map(pytest.mark.__getattr__, ("anyio", "engine", "slow", "alone")), pytest.mark.limit(1200)]

SEEDS = (
    *range(7),
    302,
    2_000_004,
    2_000_040,
    2_000_053,
    5_000_044,
    5_000_314,
    5_000_329,
    5_000_412,
    5_000_419,
    5_000_487,
    5_000_617,
    5_000_648,
    5_001_363,
    5_001_549,
    5_002_417,
    6_000_610,
    7_000_118,
    8_000_397,
    9_000_667,
    9_000_836,
    10_000_641,
    13_001_437,
)
"""The last ones found faults."""


async def run(homes: Sequence[Mind], history: History, folder: Path) -> None:
    with clocks():
        await play(homes, history, folder / "homes", f"model-{uuid.uuid4()}")


async def test_three_homes_end_with_the_same_memory(homes: list[Mind], tmp_path: Path) -> None:
    for seed in SEEDS:
        await run(homes, History.of(seed), tmp_path)


def unverified(patch: pytest.MonkeyPatch) -> None:
    def believed(*_: object) -> bool:
        return True

    patch.setattr(steps, "sound", believed)


def without_removals(patch: pytest.MonkeyPatch) -> None:
    async def nothing(*_: object) -> None: ...

    patch.setattr(KnowledgeStore, "remove", nothing)


def by_arrival(patch: pytest.MonkeyPatch) -> None:
    def last(_: Row, there: Row) -> dict[str, Any]:
        return dict(there)

    for module in (knowledge, steps):
        patch.setattr(module, "reconciled", last)


def renumbered(patch: pytest.MonkeyPatch) -> None:
    run = Transaction.run

    async def shifted(self: Transaction, query: Query[Any], parameters: Mapping[str, Any]) -> list[Any]:
        if query is steps.STORE_STEPS and any(
            "branches" in one["properties"] for one in parameters["sessions"]
        ):
            for row in parameters["rows"]:
                row["properties"]["step_index"] += 1
        return await run(self, query, parameters)

    patch.setattr(Transaction, "run", shifted)


def read_before_stored(patch: pytest.MonkeyPatch) -> None:
    read, store = Place.read, service.store
    seen: list[dict[str, Any]] = []

    async def noted(self: Place, replica: str, number: int, before: str) -> Segment | None:
        if found := await read(self, replica, number, before):
            kept = {"number": number, "sha": found.sha, "refused": list[str]()}
            seen[:] = [{"place": self.name, "replica": replica, "kept": kept}]
        return found

    async def early(here: Arrival, lines: Any) -> None:
        for given in seen:
            await here.graph.run(service.KEEP, {**given, "namespace": here.namespace})
        seen.clear()
        await store(here, lines)

    patch.setattr(Place, "read", noted)
    patch.setattr(service, "store", early)


FAULTS = {
    "applies what it did not verify": unverified,
    "drops removals": without_removals,
    "takes what comes last": by_arrival,
    "numbers a branch again": renumbered,
    "counts as read what it has not stored": read_before_stored,
}


def made(*steps: Step) -> History:
    """A home thinks, and its segment is carried to another one, which then does the steps."""
    first = (Step("think", 1, DRAWS), Step("sync", 1, DRAWS), Step("carry", 0, DRAWS))
    return History(0, ((0, 1, 2),), (0.0, 0.0, 0.0), (*first, *steps))


DRAWS = (0.1, 0.1, 0.9, 0.9)
KILLED = [made(Step("killed_sync", 0, (0.1, ((n + 0.5) / 60) ** 0.5, 0.9, 0.9))) for n in range(4, 14)]
HISTORIES_OF = {
    "applies what it did not verify": [made(Step("tamper", 0, DRAWS), Step("sync", 0, DRAWS))],
    "counts as read what it has not stored": KILLED,
}
"""The histories that show a fault; otherwise those of the first seeds."""


@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_that_is_put_in_is_found(name: str, homes: list[Mind], tmp_path: Path) -> None:
    for history in HISTORIES_OF.get(name) or [History.of(seed) for seed in SEEDS]:
        with pytest.MonkeyPatch.context() as patch:
            FAULTS[name](patch)
            try:
                await run(homes, history, tmp_path)
                continue
            except Broken:
                pass
        await run(homes, history, tmp_path)  # it is the fault that breaks it
        return
    pytest.fail("no history shows it")
