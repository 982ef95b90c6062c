"""Overload: a bounded number of statements runs at once, callers take turns, further calls are refused."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from contextvars import copy_context
from dataclasses import replace
from typing import Any

import pytest
from neo4j.exceptions import IncompleteCommit

from legacymind.calls import call_from, current_call, in_background
from legacymind.calls import caller as client
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
            client.set(caller or "")
            stack.enter_context(in_background() if caller is None else call_from("namespace"))
            async with self._gate.place():
                self.order.append(name)
                await asyncio.sleep(0)

    async def call(self, name: str, caller: str | None) -> "asyncio.Task[None]":
        """A call by this caller, or background work, that has reached the gate."""
        task = asyncio.create_task(self._work(name, caller), context=self.outside.copy())
        await asyncio.sleep(0)
        return task


async def test_callers_take_turns_and_background_work_comes_last() -> None:
    gate = Gate(1, 10, 60.0)
    line = Line(gate)
    async with gate.place():
        tasks = [await line.call("background", None)]
        tasks += [await line.call(f"many {n}", "many") for n in range(3)]
        tasks += [await line.call("few", "few")]
        assert gate.waiting == 4
    await asyncio.gather(*tasks)
    assert line.order == ["many 0", "few", "many 1", "many 2", "background"]


async def test_the_newest_call_of_the_busiest_caller_gives_way_to_another_caller() -> None:
    gate = Gate(1, 3, 60.0)
    line = Line(gate)
    async with gate.place():
        many = [await line.call(f"many {n}", "many") for n in range(4)]
        few = await line.call("few", "few")
    results = await asyncio.gather(*many, few, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), type(None), Busy, Busy, type(None)]
    assert line.order == ["many 0", "few", "many 1"]


async def test_the_statements_of_a_call_wait_together() -> None:
    gate = Gate(1, 2, 60.0)
    line = Line(gate)

    async def call(name: str) -> None:
        client.set("caller")
        with call_from("namespace"):
            async with asyncio.TaskGroup() as statements:
                for number in range(3):
                    statements.create_task(statement(f"{name} {number}"))

    async def statement(name: str) -> None:
        async with gate.place():
            line.order.append(name)

    async with gate.place():
        outside = line.outside
        tasks = [asyncio.create_task(call(name), context=outside.copy()) for name in ("a", "b", "c")]
        await asyncio.sleep(0.01)
        assert gate.waiting == 2
    *answered, refused = await asyncio.gather(*tasks, return_exceptions=True)
    assert answered == [None, None]
    assert isinstance(refused, ExceptionGroup)
    assert line.order == ["a 0", "a 1", "a 2", "b 0", "b 1", "b 2"]


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
    settings = replace(mind.settings, max_statements=4, max_waiting=20)
    async with Mind(settings, embedder=embedder) as crowded:
        await mind.think("a copper kettle")
        await crowded.search("warm")
        embedder.calls.clear()

        async def neighbour() -> int:
            return len([await mind.search(f"kettle {n}", limit=1) for n in range(5)])

        neighbours = asyncio.create_task(neighbour())
        client.set("a client of a server")
        calls = [crowded.search(f"copper {n}", limit=1) for n in range(300)]
        *results, answered = await asyncio.gather(*calls, neighbours, return_exceptions=True)
        client.set("")
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
    with call_from("caller"):
        current_call().retried = mind.settings.retry_time
        with pytest.raises(DatabaseUnreachable):
            await mind.graph.run(READ_HEAD, {"namespace": "n", "session_id": "s"})
    assert attempts == 1
