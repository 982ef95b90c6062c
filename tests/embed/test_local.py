"""Runs of a local model: spread over the cores, in order, and ended with their call."""

import asyncio
from collections.abc import Callable, Sequence
from threading import Barrier, BrokenBarrierError
from typing import cast

import pytest

from legacymind.embed import local
from legacymind.embed.local import LocalModel, Runner
from legacymind.embed.windows import Window

pytestmark = pytest.mark.anyio

TEXTS = [f"{number}" for number in range(12)]


class Counting:
    """A model that gives a text its number as a vector. ``before`` is called in each run."""

    framing = 2

    def __init__(self, before: Callable[[], object]) -> None:
        self.runs = 0
        self._before = before

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Windows so long that each one is a run of its own."""
        return [Window(number, text, 3 * local.RUN_TOKENS) for number, text in enumerate(texts)]

    def vectors(self, contents: Sequence[str], query: bool) -> list[list[float]]:
        """The number of each text."""
        self.runs += 1
        self._before()
        return [[float(content)] for content in contents]


def runner(model: Counting, threads: int = 0) -> Runner:
    return Runner("test", lambda threads: cast("LocalModel", model), threads)


async def test_a_call_of_many_runs_uses_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local.os, "cpu_count", lambda: 4)
    # Half the cores are for the threads of one run, so three runs at once use all: no fewer pass the barrier.
    together = Barrier(3)
    model = Counting(lambda: together.wait(timeout=30))
    assert await runner(model).embed(TEXTS) == [[float(text)] for text in TEXTS]
    assert model.runs == len(TEXTS)


async def test_a_set_number_of_threads_is_not_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local.os, "cpu_count", lambda: 4)
    together = Barrier(2)

    def alone() -> None:
        with pytest.raises(BrokenBarrierError):
            together.wait(0.05)
        together.reset()

    assert await runner(Counting(alone), threads=1).embed(TEXTS[:3]) == [[0.0], [1.0], [2.0]]


async def test_a_run_that_fails_ends_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local.os, "cpu_count", lambda: 4)

    def fail() -> None:
        raise ValueError("no such operator")

    model = Counting(fail)
    own = runner(model)
    with pytest.raises(ValueError, match="no such operator"):
        await own.embed(TEXTS)
    begun = model.runs
    assert begun < len(TEXTS)
    await asyncio.sleep(0.05)
    assert model.runs == begun
