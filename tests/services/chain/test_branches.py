"""A session that two machines continued has a branch for each, and every branch verifies."""

from collections.abc import AsyncIterator
from typing import LiteralString

import pytest

from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.services.chain.chains import H, branch, make, rehash, think
from tests.services.chain.documented import check_agrees
from tests.steps import own_namespace

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    async with own_namespace(engine_settings) as opened:
        yield opened


async def test_each_branch_of_a_session_verifies_and_its_own_thoughts_go_on(mind: Mind) -> None:
    chain = await make(mind)
    await branch(chain, 2, ["four elsewhere", "five elsewhere", "six elsewhere"])
    await branch(chain, 4, [])
    report = await chain.verify()
    assert (report.verdict, report.thought_count, report.faults) == ("intact", 8, [])
    assert "2 branches" in report.message
    await check_agrees(chain, report)
    await think(mind, chain.session, "six")
    await think(mind, chain.session, "seven")
    report = await chain.verify()
    assert (report.verdict, report.thought_count) == ("intact", 10)


async def test_a_branch_can_begin_before_every_step(mind: Mind) -> None:
    chain = await make(mind)
    first = await branch(chain, 0, ["another second"])
    await branch(chain, 2, ["another fourth"])
    report = await chain.verify()
    assert (report.verdict, report.thought_count) == ("intact", 7)
    assert "3 branches" in report.message
    await rehash(mind, first[0], {"content": "changed"})
    assert {(one.kind, one.step) for one in (await chain.verify()).faults} == {("hash", 1)}


CHANGES: dict[str, tuple[LiteralString, str, str]] = {
    "no head": (H + "REMOVE h.branches", "duplicate", "broken"),
    "cut off": (
        H + "MATCH (t:Thought {id: split(h.branches[0], ' ')[3]}) DETACH DELETE t",
        "head",
        "truncated",
    ),
    "another head": (H + "SET h.branches = ['x' + h.branches[0]]", "head", "truncated"),
}


@pytest.mark.parametrize("name", CHANGES)
async def test_a_branch_that_was_changed_is_a_fault(mind: Mind, name: str) -> None:
    chain = await make(mind)
    await branch(chain, 2, ["four elsewhere", "five elsewhere"])
    change, kind, verdict = CHANGES[name]
    await chain.raw(change)
    report = await chain.verify()
    assert (report.verdict, report.complete) == (verdict, kind != "head")
    assert {(one.kind, one.step) for one in report.faults} == {(kind, 4)}
