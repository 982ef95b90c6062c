"""What a constraint or a type of a door excludes: two nodes of one session, and numbers beyond 32 bits."""

from collections.abc import AsyncIterator

import pytest

from legacymind.errors import LegacyMindError
from legacymind.mind import Mind
from tests.services.chain.chains import FIVE, T, make, think
from tests.wire import raw

pytestmark = pytest.mark.anyio


@pytest.fixture
async def unconstrained(mind: Mind) -> AsyncIterator[Mind]:
    """A database from which somebody removed the constraint on sessions."""
    await raw(mind, "DROP CONSTRAINT session_key IF EXISTS")
    try:
        yield mind
    finally:
        await raw(mind, "MATCH (n {namespace: $ns}) DETACH DELETE n", ns=mind.settings.namespace)
        await raw(
            mind,
            "CREATE CONSTRAINT session_key IF NOT EXISTS "
            "FOR (s:Session) REQUIRE (s.namespace, s.id) IS UNIQUE",
        )


async def test_two_nodes_of_a_session_are_a_fault_of_this_session_only(unconstrained: Mind) -> None:
    mind = unconstrained
    chain, other = await make(mind, "one"), await make(mind, "two")
    await chain.raw(
        "MATCH (h:Session {namespace: $ns, id: $session}) CREATE (x:Session) SET x = properties(h)"
    )
    audit = await mind.verify_all()
    assert {report.session_id: report.verdict for report in audit.reports} == {
        "one": "broken",
        "two": "intact",
    }
    report = await chain.verify()
    assert "duplicate session: 2 nodes have this session's id" in [fault.fault for fault in report.faults]
    async with Mind(mind.settings, embedder=mind.vectors.embedder) as another:
        with pytest.raises(LegacyMindError):
            await another.operations["redact_thought"].call({"thought_id": chain.ids[0], "reason": "x"})
    assert (await other.verify()).verdict == "intact"


@pytest.mark.parametrize("step", [2**31, 2**40, 2**62])
async def test_a_step_beyond_32_bits_is_outside_of_the_chain(mind: Mind, step: int) -> None:
    chain = await make(mind, "session")
    await raw(
        mind,
        FIVE + "CREATE (x:Thought) SET x = e {.*, id: randomUUID(), step_index: $step}",
        ns=mind.settings.namespace,
        session="session",
        step=step,
    )
    report = await chain.verify()
    assert (report.verdict, report.thought_count) == ("broken", 5)
    assert [(fault.kind, fault.step) for fault in report.faults] == [("outside", None)]
    tree = await mind.operations["thought_tree"].call({"session_id": "session"})
    assert all(node.step_index is None or node.step_index < 2**31 for node in tree.tree)


async def test_a_number_beyond_32_bits_is_read_as_none(mind: Mind) -> None:
    chain = await make(mind, "session")
    await chain.raw(T + "SET t.access_count = 4294967296, t.step_index = 4294967296")
    read = await mind.get(chain.ids[2])
    assert read.thought is not None
    assert (read.thought.access_count, read.thought.step_index) == (None, None)
    await think(mind, "session", "goes on")
