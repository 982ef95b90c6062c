"""A chain to which others append while it is verified or exported is intact, also over a network."""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from legacymind.db.options import Address
from legacymind.errors import Conflict
from legacymind.mind import Mind
from legacymind.model.chain import ChainReport
from legacymind.operations.results import jsonable
from legacymind.services.chain.verification import ChainService
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.services.chain.chains import T, make, think
from tests.services.chain.documented import run
from tests.services.chain.network import far

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.limit(1800)]

LONG = os.environ.get("LEGACYMIND_TEST_FAULTS") == "long"
WRITERS = 12
DELAY, LOOKS = (0.15, 100) if LONG else (0.03, 10)
"""Seconds of the network in each direction, and how often the chain is looked at."""
PAUSE = 1.0 if LONG else 0.0
"""Seconds between two thoughts of a writer, so that a chain that is looked at for long stays short."""


@pytest.fixture
async def distant(settings: Settings, address: Address) -> AsyncIterator[Mind]:
    """A mind with a network between it and the server."""
    async with far(address.uri, DELAY) as uri:
        elsewhere = settings.changed(neo4j_uri=uri, neo4j_password=address.password)
        async with Mind(elsewhere, embedder=FakeEmbedder()) as mind:
            yield mind


@asynccontextmanager
async def written(mind: Mind) -> AsyncGenerator[None]:
    """Others write to the session meanwhile, and redact every tenth thought."""

    async def write(writer: int) -> None:
        number = 0
        while True:
            own = await think(mind, "session", f"{writer} {number}")
            if number % 10 == 9:
                await mind.operations["redact_thought"].call({"thought_id": own, "reason": "asked for"})
            number += 1
            await asyncio.sleep(PAUSE)

    await think(mind, "session", "the first")
    writers = [asyncio.create_task(write(writer)) for writer in range(WRITERS)]
    try:
        yield
    finally:
        for task in writers:
            task.cancel()
        await asyncio.gather(*writers, return_exceptions=True)


async def verified(distant: Mind) -> str:
    return (await distant.verify("session")).message


async def exported(distant: Mind) -> str:
    try:
        lines = [line async for line in distant.export_chain("session")]
    except Conflict:  # two texts were redacted meanwhile, of which it has one: it says to export again
        return await exported(distant)
    return run(lines)


async def compared(distant: Mind) -> str:
    heads = jsonable(await distant.chain_heads())
    (report,) = (await distant.verify_all("session", exports={"heads.json": heads})).reports
    return report.message if report.known_head else f"not proven: {report.message}"


@pytest.mark.parametrize("look", [verified, exported, compared])
async def test_no_false_alarm_while_others_write(
    mind: Mind, distant: Mind, look: Callable[[Mind], Awaitable[str]]
) -> None:
    async with written(mind):
        said = [await look(distant) for _ in range(LOOKS)]
    odd = [
        text
        for text in said
        if "not proven" in text or not ("intact" in text or "steps verify, without a key" in text)
    ]
    assert not odd, odd
    assert len(set(said)) > 1


async def test_a_fault_that_only_one_reading_finds_is_none(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a step that is redacted while it is read, with properties from before and from after."""
    chain = await make(mind)
    read = vars(ChainService)["_read"]

    async def undone(*arguments: object) -> ChainReport:
        report = await read(*arguments)
        await chain.raw(T + "REMOVE t.redacted_at")
        return report

    await chain.raw(T + "SET t.redacted_at = datetime()")
    assert (await chain.verify()).verdict == "broken"
    with monkeypatch.context() as patched:
        patched.setattr(ChainService, "_read", undone)
        assert (await chain.verify()).verdict == "intact"
