"""Overload: a bounded number of statements runs at once, and calls beyond those that may wait are refused."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from contextvars import copy_context
from dataclasses import replace
from typing import Any

import pytest
from neo4j.exceptions import IncompleteCommit

from legacymind.calls import Caller, current_call, in_background, one_call, work_for
from legacymind.db.gate import Gate
from legacymind.errors import Busy, DatabaseUnreachable
from legacymind.mind import Mind
from legacymind.services.chain.reads import READ_HEAD
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio


class Line:
    """Calls that wait at a gate, which is made before; ``order`` has the names of those that came through."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self.outside = copy_context()  # a task made inside of a place would need no place
        self.order: list[str] = []

    async def _work(self, name: str, caller: str | None) -> None:
        with ExitStack() as stack:
            work_for(Caller(name=caller or ""))
            stack.enter_context(in_background() if caller is None else one_call())
            async with self._gate.place():
                self.order.append(name)
                await asyncio.sleep(0)

    async def call(self, name: str, caller: str | None) -> "asyncio.Task[None]":
        """A call by this caller, or background work, that has reached the gate."""
        task = asyncio.create_task(self._work(name, caller), context=self.outside.copy())
        await asyncio.sleep(0)
        return task


async def test_background_work_leaves_a_place_for_calls() -> None:
    gate, started, released = Gate(2, 10, 60.0), list[int](), asyncio.Event()

    async def work(number: int) -> None:
        with in_background():
            async with gate.place():
                started.append(number)
                await released.wait()

    async with asyncio.TaskGroup() as tasks:
        for number in range(2):
            tasks.create_task(work(number))
        await asyncio.sleep(0.01)
        assert started == [0]
        async with asyncio.timeout(10), gate.place():
            released.set()
    assert started == [0, 1]


async def test_a_cancelled_call_frees_its_place_at_once() -> None:
    gate = Gate(1, 1, 60.0)
    line = Line(gate)
    async with gate.place():
        waits = await line.call("waits", "a")
        with pytest.raises(Busy) as refused:
            await (await line.call("refused", "a"))
        assert (refused.value.retry_after or 0) >= 1
        waits.cancel()
        await asyncio.gather(waits, return_exceptions=True)
        assert gate.waiting == 0
        late = await line.call("late", "a")
    late_too = await line.call("with a place", "a")  # cancelled while it works
    late_too.cancel()
    await asyncio.gather(late, late_too, return_exceptions=True)
    async with gate.place():
        assert line.order[0] == "late"


class Working(FakeEmbedder):
    """An embedder that takes some time, as a model does."""

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """As FakeEmbedder, a moment later."""
        await asyncio.sleep(0.01)
        return await super().embed(texts, query=query)


@pytest.mark.slow
async def test_300_searches_at_once_are_answered_or_refused_and_a_neighbour_is_unharmed(mind: Mind) -> None:
    embedder = Working()
    limits = replace(mind.limits, statements=4, waiting=20)
    async with Mind(mind.settings, embedder=embedder, limits=limits) as crowded:
        await mind.think("a copper kettle")
        await crowded.search("warm")
        embedder.calls.clear()

        async def neighbour() -> int:
            return len([await mind.search(f"kettle {n}", limit=1) for n in range(5)])

        neighbours = asyncio.create_task(neighbour())
        work_for(Caller(name="a client of a server"))
        calls = [crowded.search(f"copper {n}", limit=1) for n in range(300)]
        *results, answered = await asyncio.gather(*calls, neighbours, return_exceptions=True)
        work_for(Caller())
        refused = [result for result in results if isinstance(result, Busy)]
        assert len(refused) == 300 - 24
        assert not [r for r in results if isinstance(r, BaseException) and not isinstance(r, Busy)]
        assert len(embedder.calls) == 24  # a refused call is not embedded
        assert answered == 5
        assert refused[0].envelope()["error"].get("retry_after", 0) >= 1
        assert crowded.graph.gate.waiting == 0
        assert (await crowded.search("copper", limit=1)).hits


async def test_the_statements_of_a_call_share_its_retry_time(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    await mind.graph.ready()
    attempts = 0

    async def cut_off(*given: Any) -> Any:
        nonlocal attempts
        attempts += 1
        raise IncompleteCommit("cut off")

    monkeypatch.setattr(mind.graph._connected(), "execute", cut_off)  # pyright: ignore[reportPrivateUsage]
    with one_call():
        current_call().retried = mind.settings.retry_time
        with pytest.raises(DatabaseUnreachable):
            await mind.graph.run(READ_HEAD, {"namespace": "n", "session_id": "s"})
    assert attempts == 1
