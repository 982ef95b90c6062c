"""What a constraint or a type of a door excludes: two nodes of one session, and numbers beyond 32 bits."""

from typing import Any

import pytest

from legacymind.errors import ChainBroken
from legacymind.mind import Mind
from tests.services.chain.chains import FIVE, Chain, T, make
from tests.wire import raw

pytestmark = pytest.mark.anyio


@pytest.fixture
async def doubled(unconstrained: Mind) -> Chain:
    """A session of which two nodes have the id."""
    made = await make(unconstrained, "one")
    await made.raw(
        "MATCH (h:Session {namespace: $ns, id: $session}) CREATE (x:Session) SET x = properties(h)"
    )
    return made


async def test_two_nodes_of_a_session_are_a_fault_of_this_session_only(doubled: Chain) -> None:
    mind = doubled.mind
    other = await make(mind, "two")
    audit = await mind.verify_all()
    assert {report.session_id: report.verdict for report in audit.reports} == {
        "one": "broken",
        "two": "intact",
    }
    report = await doubled.verify()
    assert "2 nodes have the session's id" in report.faults[-1].fault
    assert (await other.verify()).verdict == "intact"


async def test_nothing_is_appended_to_one_of_two_nodes_of_a_session(doubled: Chain) -> None:
    """Neither by a process that has the session's head in its cache nor by another."""
    own = {"content": "six", "session_id": "one"}
    writes: list[tuple[str, dict[str, Any]]] = [
        ("think", own | {"injection_scale": 0}),
        ("think", own),
        ("think_batch", {"thoughts": [{"content": "six"}, {"content": "seven"}], "session_id": "one"}),
        ("thought_plan", {"session_id": "one", "plan_description": "six"}),
        ("redact_thought", {"thought_id": doubled.ids[0], "reason": "asked for"}),
    ]
    before = await doubled.one("MATCH (t:Thought {namespace: $ns}) RETURN count(t)")
    async with Mind(doubled.mind.settings, embedder=doubled.mind.vectors.embedder) as another:
        for name, arguments in writes:
            for mind in (doubled.mind, another):
                with pytest.raises(ChainBroken, match="Two nodes have the id"):
                    await mind.operations[name].call(arguments)
    assert await doubled.one("MATCH (t:Thought {namespace: $ns}) RETURN count(t)") == before


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
    report = await chain.verify()
    assert report.verdict == "broken"
    assert (report.faults[0].kind, report.faults[0].step) == ("missing", 2)
