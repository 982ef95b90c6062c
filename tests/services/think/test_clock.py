"""The clock of this machine jumps: chains stay whole, and sessions keep their order."""

from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise

import pytest

from legacymind.mind import Mind
from legacymind.services.think import thought
from tests.steps import bare

pytestmark = pytest.mark.anyio

JUMPS = (
    timedelta(),
    timedelta(days=400),
    timedelta(days=-4_000),
    timedelta(seconds=-1),
    timedelta(hours=1),
    timedelta(),
)


class Jumping(datetime):
    """A clock that is wrong by ``by``."""

    by = timedelta()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        """The wrong time."""
        return datetime.now(tz) + cls.by


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Jumping]]:
    """The clock of thoughts."""
    monkeypatch.setattr(thought, "datetime", Jumping)
    yield Jumping
    Jumping.by = timedelta()


@pytest.mark.slow
async def test_a_chain_stays_whole_and_in_order_while_the_clock_jumps(
    mind: Mind, clock: type[Jumping]
) -> None:
    ids: list[str] = []
    for number, clock.by in enumerate(JUMPS):
        ids.append(bare(await mind.think(f"The kettle boils for the time {number}", session_id="s")))
    report = await mind.verify("s")
    assert (report.verdict, report.complete, report.thought_count) == ("intact", True, len(JUMPS))
    _, *steps = [line async for line in mind.export_chain("s")]
    assert [(step["step_index"], step["id"]) for step in steps] == list(enumerate(ids))
    for earlier, later in pairwise(ids):
        assert (await mind.thoughts_links(earlier)).followed_by == [later]
    thread = [thought.id for thought in (await mind.thoughts_thread("s")).thoughts]
    assert sorted(thread) == sorted(ids)  # a thread is in the order of time, which the clock told
    found = await mind.search("kettle boils", session_id="s", limit=20)
    assert {hit.id for hit in found.hits} == set(ids)
