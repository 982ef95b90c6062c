"""A mind in the hands of a Python program: its event loop, its end, and many calls at once."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from threading import Thread
from typing import Any

import pytest

from legacymind.errors import InvalidInput, RequestRefused
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.wire import noted_statements

pytestmark = pytest.mark.anyio

CALLS: dict[str, Callable[[Mind], Coroutine[Any, Any, object]]] = {
    "think": lambda mind: mind.think("A kettle boils."),
    "search": lambda mind: mind.search("kettle"),
    "remember": lambda mind: mind.remember(entities=[{"name": "Kettle"}]),  # pyright: ignore[reportArgumentType]
    "verify": lambda mind: mind.verify("session"),
    "export": lambda mind: _first(mind),
    "warm_up": lambda mind: mind.warm_up(),
}


async def _first(mind: Mind) -> object:
    return await anext(aiter(mind.export()))


def in_a_thread(work: Callable[[], Coroutine[Any, Any, object]]) -> Exception | None:
    """How work fails in a new event loop of a thread that must end."""
    failed: list[Exception] = []

    def run() -> None:
        try:
            asyncio.run(work())
        except Exception as raised:
            failed.append(raised)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    return failed[0] if failed else None


@pytest.mark.parametrize("name", CALLS)
async def test_a_call_from_another_event_loop_or_thread_is_refused(mind: Mind, name: str) -> None:
    await mind.think("The first call")
    raised = await asyncio.to_thread(in_a_thread, lambda: CALLS[name](mind))
    assert isinstance(raised, RequestRefused)
    assert "another one" in raised.what
    assert "run_coroutine_threadsafe" in raised.hint
    assert (await mind.verify("session")).complete  # unharmed


async def test_warming_up_has_the_statements_of_think_and_search_planned_and_stores_nothing(
    mind: Mind,
) -> None:
    await mind.think("The first call")
    with noted_statements() as planned:
        await mind.warm_up()
    with noted_statements() as ran:
        await mind.think("A kettle boils.")
        await mind.search("kettle")
    assert set(ran) <= set(planned)
    assert (await mind.verify("session")).thought_count == 2


async def test_two_threads_that_begin_together_end_and_one_may_use_it(settings: Settings) -> None:
    mind = Mind(settings, session_id="session", embedder=FakeEmbedder())

    async def many() -> None:
        async with mind:
            await asyncio.gather(*(mind.think(f"Thought {number}") for number in range(20)))

    failures = await asyncio.gather(*(asyncio.to_thread(in_a_thread, many) for _ in range(2)))
    assert {type(each) for each in failures} == {type(None), RequestRefused}


async def test_closing_in_another_event_loop_is_refused(mind: Mind) -> None:
    await mind.think("The first call")
    assert isinstance(await asyncio.to_thread(in_a_thread, mind.close), RequestRefused)
    assert (await mind.think("The second call")).chained


@pytest.mark.parametrize("name", CALLS)
async def test_a_closed_mind_says_that_it_is_closed(mind: Mind, name: str) -> None:
    async with Mind(mind.settings, embedder=FakeEmbedder()) as other:
        await other.think("The only call", session_id="session")
    await other.close()  # again, which is harmless
    with pytest.raises(RequestRefused, match=r"is closed.*Make a new one"):
        await CALLS[name](other)


async def test_a_mind_is_no_synchronous_context_manager() -> None:
    with pytest.raises(InvalidInput, match="async with"), Mind(Settings()):
        pass


@pytest.mark.slow
async def test_two_hundred_calls_at_once_wait_for_their_turn(mind: Mind) -> None:
    limits = replace(mind.limits, statements=4, waiting=5, wait=2)
    async with Mind(mind.settings, session_id="many", embedder=FakeEmbedder(), limits=limits) as many:
        await asyncio.gather(*(many.think(f"Thought {number}", injection_scale=0) for number in range(200)))
        report = await many.verify("many")
    assert (report.verdict, report.thought_count) == ("intact", 200)
