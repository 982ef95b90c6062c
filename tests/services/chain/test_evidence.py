"""What is no step of a chain proves nothing: reads of evidence mark it, and ``verify --action`` names it."""

import uuid
from collections.abc import AsyncIterator
from typing import LiteralString

import pytest

from legacymind.errors import NotFound
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.services.chain.chains import Chain, T, make, think
from tests.steps import own_namespace
from tests.wire import raw

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    async with own_namespace(engine_settings) as opened:
        yield opened


ACTION = "deploy"


@pytest.fixture
async def decided(mind: Mind) -> Chain:
    """A session whose last step led to the action, as only one does."""
    await raw(
        mind,
        "MATCH (n {namespace: $ns}) WHERE n:Action OR n.action_id IS NOT NULL DETACH DELETE n",
        ns=mind.settings.namespace,
    )
    chain = await make(mind)
    last = await think(mind, chain.session, "approved", action_id=ACTION)
    return Chain(mind, chain.session, [*chain.ids, last])


# Approvals that somebody made by hand.
FORGED: dict[str, LiteralString] = {
    "bare": "SET x.title = null",
    "marked": "SET x.chained = true",
    "with hashes": "SET x.chained = true, x.step_index = 0, x.chain_hash = 'x', x.content_hash = 'x'",
    "with a session": "SET x.session_id = session",
    "a session that is no text": "SET x.session_id = [session], x.chained = true, x.step_index = 0",
    "a session that no call accepts": "SET x.session_id = ' ', x.chained = true, x.step_index = 0",
    "no id": "SET x.id = null, x.session_id = session, x.chained = true, x.step_index = 6",
    "an id that is no text": "SET x.id = 7, x.session_id = session, x.chained = true, x.step_index = 6",
    "a step as text": "SET x.session_id = session, x.chained = true, x.step_index = '6'",
}


@pytest.mark.parametrize("name", FORGED)
async def test_a_forged_approval_is_marked_and_breaks_the_verification_of_the_action(
    decided: Chain, name: str
) -> None:
    mind, own = decided.mind, str(uuid.uuid4())
    assert (await mind.verify_all(action_id=ACTION)).verdict == "intact"
    await raw(
        mind,
        "MATCH (a:Action {namespace: $ns, id: $action}) CREATE (x:Thought)-[:FOR_ACTION]->(a) "
        "SET x = {id: $own, namespace: $ns, content: 'approved by the board', is_private: false, "
        "created_at: datetime(), recorded_at: datetime(), thought_type: 'decision', action_id: $action} "
        "WITH x, $session AS session " + FORGED[name],
        ns=mind.settings.namespace,
        action=ACTION,
        own=own,
        session=decided.session,
    )
    read = await mind.operations["thought_for_action"].call({"action_id": ACTION})
    trail = await mind.operations["thought_reasoning_trail"].call({"action_id": ACTION})
    (forged,) = {path[-1].thought_id for path in trail.trails} - {decided.ids[-1]}
    assert forged == own or forged.startswith("no id, node ")
    # Verification decides about a step of a session; reads only mark what is none.
    marks = {decided.ids[-1]: None, forged: None if "no call accepts" in name else True}
    assert {path[-1].thought_id: path[-1].outside_chain for path in trail.trails} == marks
    # A list reads its items by their ids, and so leaves out a thought without a usable one.
    listed = {decided.ids[-1]: None, own: marks[own]} if forged == own else {decided.ids[-1]: None}
    assert {thought.thought_id: thought.outside_chain for thought in read.thoughts} == listed
    audit = await mind.verify_all(action_id=ACTION)
    assert audit.verdict == "broken"
    assert audit.unproven == [forged] or audit.unnamed == ["A session whose id no call accepts: ' '."]
    assert decided.session in {report.session_id for report in audit.reports}


HIDDEN: dict[str, LiteralString] = {
    "FOR_ACTION deleted": "MATCH (t)-[r:FOR_ACTION]->() DELETE r",
    "FOR_ACTION made to wait": "MATCH (t)-[r:FOR_ACTION]->(x) DELETE r "
    "MERGE (p:Pending {namespace: $ns, id: x.id}) CREATE (t)-[:AWAITS {type: 'FOR_ACTION'}]->(p)",
    "action_id removed": "REMOVE t.action_id",
}


@pytest.mark.parametrize("name", HIDDEN)
async def test_a_decision_that_was_hidden_from_its_action_is_found(decided: Chain, name: str) -> None:
    await raw(
        decided.mind,
        "MATCH (t:Thought {id: $id}) WITH t, $ns AS ns " + HIDDEN[name],
        id=decided.ids[-1],
        ns=decided.mind.settings.namespace,
    )
    audit = await decided.mind.verify_all(action_id=ACTION)
    assert [(report.verdict, report.broken_at) for report in audit.reports] == [("broken", 5)]


async def test_a_private_step_proves_an_action_too(decided: Chain) -> None:
    other = await make(decided.mind)
    await think(decided.mind, other.session, "a private reason", action_id=ACTION, is_private=True)
    await other.raw(T + "SET t.content = 'forged'")
    audit = await decided.mind.verify_all(action_id=ACTION)
    assert {report.session_id: report.verdict for report in audit.reports} == {
        decided.session: "intact",
        other.session: "broken",
    }


async def test_an_action_to_which_nothing_led_is_not_found(mind: Mind) -> None:
    with pytest.raises(NotFound, match="led to nothing-led-here"):
        await mind.verify_all(action_id="nothing-led-here")
