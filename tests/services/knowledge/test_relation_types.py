"""Users name relation types up to a limit, because Neo4j never frees a type."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import RESERVED, RememberResult
from legacymind.services.knowledge import remember
from tests.fakes import FakeEmbedder
from tests.wire import Wire, one, raw

pytestmark = [pytest.mark.anyio, pytest.mark.alone]

NAMES = [f"CAPPED_{number}" for number in range(6)]


async def types(mind: Mind) -> set[str]:
    """The types of users' relations in the whole database."""
    rows = await raw(mind, "CALL db.relationshipTypes() YIELD relationshipType AS type RETURN type")
    return {row["type"] for row in rows} - RESERVED


@pytest.fixture
async def minds(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Mind]]:
    """Two minds, like two processes, with room for two more types; no relation has either yet."""
    # Always the same names, removed afterwards: types belong to the database, not to a namespace.
    gone = "MATCH ()-[r:CAPPED_0|CAPPED_1|CAPPED_2|CAPPED_3|CAPPED_4|CAPPED_5]->() DELETE r"
    await raw(mind, gone)
    monkeypatch.setattr(remember, "MAX_RELATION_TYPES", len(await types(mind)) + 2)
    async with AsyncExitStack() as stack:
        made = [Mind(mind.settings, embedder=FakeEmbedder()) for _ in range(2)]
        yield [await stack.enter_async_context(each) for each in made]
    await raw(mind, gone)


async def relate(mind: Mind, *names: str) -> RememberResult:
    links = [{"source_entity": f"{name} a", "type": name, "target_entity": f"{name} b"} for name in names]
    return await mind.operations["remember"].call({"relations": links})


async def count(mind: Mind) -> int:
    return await one(mind, "MATCH (n {namespace: $ns}) RETURN count(n)", ns=mind.settings.namespace)


async def test_more_new_types_than_the_limit_allows_are_rejected_and_nothing_is_stored(
    minds: list[Mind],
) -> None:
    mind = minds[0]
    before = await types(mind)
    with pytest.raises(InvalidInput) as raised:
        await relate(mind, *NAMES)
    assert "CAPPED_0, CAPPED_1, CAPPED_2, CAPPED_3, CAPPED_4, … would be new" in raised.value.what
    assert (
        f"the database has {len(before):,}, and at most {len(before) + 2:,} are allowed" in raised.value.what
    )
    assert raised.value.effect == "Nothing was stored or changed."
    assert raised.value.hint
    assert (await types(mind), await count(mind)) == (before, 0)


async def test_types_are_accepted_up_to_the_limit_and_known_types_always(minds: list[Mind]) -> None:
    first, second = minds
    assert (await relate(first, NAMES[0])).created == 3
    assert (await relate(second, NAMES[0], NAMES[1])).created == 3
    for mind in minds:
        with pytest.raises(InvalidInput, match="CAPPED_2 would be new"):
            await relate(mind, NAMES[2], NAMES[0])
        assert (await relate(mind, NAMES[0], NAMES[1])).created == 0
    assert {name for name in await types(first) if name in NAMES} == set(NAMES[:2])


async def test_two_concurrent_calls_do_not_both_create_the_last_type(minds: list[Mind]) -> None:
    room = len(await types(minds[0])) + 2
    calls = [relate(minds[number % 2], name) for number, name in enumerate(NAMES)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    refused = [result for result in results if isinstance(result, BaseException)]
    assert {type(error) for error in refused} == {InvalidInput}
    assert len(refused) == 4
    assert len(await types(minds[0])) == room


async def test_a_new_type_takes_no_more_statements_than_a_known_one(minds: list[Mind]) -> None:
    await relate(minds[0], NAMES[0])
    for names in (NAMES[:1], NAMES[:2], NAMES[:2]):
        with Wire() as wire:
            await relate(minds[0], *names)
        assert len(wire.statements) == 2
