"""Verification names the step and the fault of every change that an intruder with the password makes."""

from collections.abc import AsyncIterator
from typing import LiteralString

import pytest

from legacymind.mind import Mind
from legacymind.model.base import FaultKind
from legacymind.settings import Settings
from tests.services.chain.chains import FIVE, Chain, H, T, make, rehash, think
from tests.services.chain.documented import check_agrees
from tests.steps import own_namespace
from tests.wire import raw

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    async with own_namespace(engine_settings) as opened:
        yield opened


# Changes of the link of the last step, which waits for its target.
WAITING: dict[str, LiteralString] = {
    "made another type": "SET w.type = 'CHILD_OF'",
    "made no type": "REMOVE w.type",
    "moved to another id": "SET p.id = p.id + 'x'",
    "moved to another namespace": "SET p.namespace = randomUUID()",
    "moved to another label": "SET p:Note REMOVE p:Pending",
    "doubled": "CREATE (e)-[:AWAITS {type: w.type}]->(p)",
    "removed": "DELETE w",
}

# Each change of the chain, the step that is named, and the reported fault.
TAMPERINGS: dict[str, tuple[LiteralString, int, tuple[FaultKind, str]]] = {
    "content": (T + "SET t.content = 'three!'", 2, ("content", "the content was changed")),
    "content made a number": (T + "SET t.content = 3", 2, ("record", "")),
    "salt": (T + "SET t.salt = '00'", 2, ("content", "the content was changed")),
    "salt made no hex": (T + "SET t.salt = 'salt'", 2, ("record", "")),
    "salt removed": (T + "REMOVE t.salt", 2, ("content", "the salt was removed")),
    "tag changed": (T + "SET t.tags = ['idea']", 2, ("record", "")),
    "tag added": (T + "SET t.tags = t.tags + 'debug'", 2, ("record", "")),
    "tags made numbers": (T + "SET t.tags = [1]", 2, ("record", "")),
    "significance made no number": (T + "SET t.significance = 0.0 / 0.0", 2, ("record", "")),
    "created_at made a duration": (T + "SET t.created_at = duration('P1D')", 2, ("record", "")),
    "created_at by a microsecond": (
        T + "SET t.created_at = t.created_at + duration({microseconds: 1})",
        2,
        ("record", ""),
    ),
    "created_at made a text": (
        T + "SET t.created_at = toString(datetime({datetime: t.created_at, timezone: 'Z'}))",
        2,
        ("record", ""),
    ),
    "created_at made a local time": (T + "SET t.created_at = localdatetime(t.created_at)", 2, ("record", "")),
    "hash_version made a float": (T + "SET t.hash_version = 1.0", 2, ("record", "")),
    "confidence made an integer": (FIVE + "SET b.confidence = 1", 1, ("record", "")),
    "significance made an integer": (T + "SET t.significance = 1", 2, ("record", "")),
    "author made a time": (T + "SET t.author = datetime()", 2, ("record", "")),
    "is_private made a text": (T + "SET t.is_private = 'false'", 2, ("record", "")),
    "tags made a text": (T + "SET t.tags = 'plan'", 2, ("record", "")),
    "author removed": (T + "REMOVE t.author", 2, ("record", "")),
    "hypothesis added": (T + "SET t.hypothesis = 'never'", 2, ("content", "the hypothesis was changed")),
    "hypothesis removed": (FIVE + "REMOVE d.hypothesis", 3, ("content", "the hypothesis was changed")),
    "made private": (T + "SET t.is_private = true", 2, ("record", "")),
    "chain_id": (T + "SET t.chain_id = 'another'", 2, ("record", "")),
    "submode": (T + "SET t.submode = 'sarcastic'", 2, ("record", "")),
    "context_id": (T + "SET t.context_id = 'another'", 2, ("record", "")),
    "redacts added": (T + "SET t.redacts = 'another'", 2, ("record", "")),
    "hash_version": (T + "SET t.hash_version = 2", 2, ("record", "")),
    "content removed": (
        T + "REMOVE t.content, t.salt",
        2,
        ("content", "it was removed, and no step redacts it"),
    ),
    "content removed as if redacted": (
        T + "SET t.redacted_at = datetime(), t.redacted_reason = 'x' REMOVE t.content, t.salt, t.hypothesis",
        2,
        ("content", "it was removed, and no step redacts it"),
    ),
    "another redaction's step": (
        FIVE + "SET e.redacts = c.id REMOVE c.content, c.salt",
        2,
        ("content", "it was removed, and no step redacts it"),
    ),
    "content_hash": (T + "SET t.content_hash = t.chain_hash", 2, ("record", "")),
    "chain_hash": (T + "SET t.chain_hash = t.content_hash", 2, ("hash", "")),
    "chain_hash removed": (T + "REMOVE t.chain_hash", 2, ("hash", "")),
    "prev_hash": (T + "SET t.prev_hash = t.chain_hash", 2, ("previous", "")),
    "link property": (T + "SET t.revises_thought = 'x'", 2, ("record", "")),
    "link and property removed": (
        T + "MATCH (t)-[r:REVISES]->() DELETE r REMOVE t.revises_thought",
        2,
        ("record", ""),
    ),
    "FOLLOWS removed": (T + "MATCH (t)-[r:FOLLOWS]->() DELETE r", 2, ("relationship", "previous_thought_id")),
    "REVISES removed": (T + "MATCH (t)-[r:REVISES]->() DELETE r", 2, ("relationship", "revises_thought")),
    "CHILD_OF turned elsewhere": (
        FIVE + "MATCH (c)-[r:CHILD_OF]->() DELETE r CREATE (c)-[:CHILD_OF]->(a)",
        2,
        ("relationship", "parent_id"),
    ),
    "FOR_ACTION removed": (T + "MATCH (t)-[r:FOR_ACTION]->() DELETE r", 2, ("relationship", "action_id")),
    "mark removed": (T + "SET t.chained = null", 2, ("unmarked", "")),
    "IN_SESSION removed": (T + "MATCH (t)-[r:IN_SESSION]->() DELETE r", 2, ("relationship", "IN_SESSION")),
    "IN_SESSION doubled": (
        T + "CREATE (t)-[:IN_SESSION]->(:Session {namespace: 'other', id: randomUUID()})",
        2,
        ("relationship", "IN_SESSION"),
    ),
    "FOLLOWS moved to another label": (
        T + "MATCH (t)-[r:FOLLOWS]->(x) DELETE r CREATE (t)-[:FOLLOWS]->(:Note {id: x.id, namespace: $ns})",
        2,
        ("relationship", "previous_thought_id"),
    ),
    "FOR_ACTION moved to another namespace": (
        T + "MATCH (t)-[r:FOR_ACTION]->(x) DELETE r "
        "CREATE (t)-[:FOR_ACTION]->(:Action {id: x.id, namespace: randomUUID()})",
        2,
        ("relationship", "action_id"),
    ),
    "FOLLOWS made to wait": (
        T + "MATCH (t)-[r:FOLLOWS]->(x) DELETE r "
        "MERGE (p:Pending {namespace: $ns, id: x.id}) CREATE (t)-[:AWAITS {type: 'FOLLOWS'}]->(p)",
        2,
        ("relationship", "previous_thought_id waits for its target, which exists"),
    ),
    "FOR_ACTION made to wait": (
        T + "MATCH (t)-[r:FOR_ACTION]->(x) DELETE r "
        "MERGE (p:Pending {namespace: $ns, id: x.id}) CREATE (t)-[:AWAITS {type: 'FOR_ACTION'}]->(p)",
        2,
        ("relationship", "action_id"),
    ),
    "FOR_ACTION made another type that waits": (
        T + "MATCH (t)-[r:FOR_ACTION]->(x) DELETE r "
        "MERGE (p:Pending {namespace: $ns, id: x.id}) CREATE (t)-[:AWAITS {type: 'REVISES'}]->(p)",
        2,
        ("relationship", "revises_thought"),
    ),
    **{
        f"waiting link {how}": (
            FIVE + "MATCH (e)-[w:AWAITS]->(p) " + change,
            4,
            ("relationship", "branch_from"),
        )
        for how, change in WAITING.items()
    },
    "waiting link planted": (
        FIVE + "MERGE (p:Pending {namespace: $ns, id: 'any'}) CREATE (b)-[:AWAITS {type: 'REVISES'}]->(p)",
        1,
        ("relationship", "revises_thought was added later"),
    ),
    "waiting link of another type planted": (
        FIVE + "MERGE (p:Pending {namespace: $ns, id: 'any'}) CREATE (b)-[:AWAITS {type: 'SOLVES'}]->(p)",
        1,
        ("relationship", "AWAITS"),
    ),
    "link that exists made to wait too": (
        T + "MATCH (t)-[:REVISES]->(x) "
        "MERGE (p:Pending {namespace: $ns, id: x.id}) CREATE (t)-[:AWAITS {type: 'REVISES'}]->(p)",
        2,
        ("relationship", "revises_thought"),
    ),
    "relationship added": (FIVE + "CREATE (b)-[:REVISES]->(a)", 1, ("relationship", "revises_thought")),
    "relationship doubled": (
        FIVE + "CREATE (d)-[:FOLLOWS]->(c)",
        3,
        ("relationship", "previous_thought_id"),
    ),
    "target deleted": (FIVE + "DETACH DELETE a", 0, ("missing", "")),
    "deleted in the middle": (T + "DETACH DELETE t", 2, ("missing", "")),
    "moved to another session": (T + "SET t.session_id = 'other'", 2, ("missing", "")),
    "moved to another namespace": (T + "SET t.namespace = 'other'", 2, ("missing", "")),
    "step number removed": (T + "REMOVE t.step_index", 2, ("missing", "")),
    "step number made infinite": (T + "SET t.step_index = 1.0 / 0.0", 2, ("missing", "")),
    "step doubled": (T + "CREATE (x:Thought) SET x = t {.*, id: randomUUID()}", 2, ("duplicate", "")),
    "two steps swapped": (
        FIVE + "SET b.step_index = 2, c.step_index = 1",
        1,
        ("record", ""),
    ),
    "two contents swapped": (
        FIVE + "WITH b, c, b.content AS text SET b.content = c.content, c.content = text",
        1,
        ("content", ""),
    ),
    "session deleted": (
        H + "DETACH DELETE h",
        0,
        ("relationship", "IN_SESSION"),
    ),
}


NOT_EXPORTED = {"created_at made a text", "created_at made a local time", "session deleted"}
"""Changes that an export does not show, which has times as texts, or after which there is none."""


@pytest.mark.parametrize("name", TAMPERINGS)
async def test_tampering_is_reported_at_its_step(chain: Chain, name: str) -> None:
    statement, step, (kind, said) = TAMPERINGS[name]
    await chain.raw(statement)
    report = await chain.verify()
    assert (report.valid, report.verdict) == (False, "broken")
    assert report.broken_at == step
    first = report.faults[0]
    assert (first.step, first.fault, first.thought_id) == (step, report.broken, report.broken_thought)
    if name != "step doubled":
        assert first.kind == kind
    assert said in first.fault
    assert f"step {step}" in report.message
    if name not in NOT_EXPORTED:
        await check_agrees(chain, report)
    if kind == "missing":
        assert report.broken_thought is None
    elif name != "step doubled":  # the order of the two is not defined
        claims = "MATCH (t:Thought {namespace: $ns, session_id: $session, step_index: $step}) RETURN t.id"
        assert report.broken_thought == await chain.one(claims, step=step)


@pytest.mark.parametrize(
    ("statement", "count"),
    [
        (FIVE + "DETACH DELETE e", 4),
        (FIVE + "FOREACH (t IN s[2..] | DETACH DELETE t)", 2),
        (FIVE + "FOREACH (t IN s | DETACH DELETE t)", 0),
        (H + "SET h.head_hash = 'other'", 5),
        (H + "SET h.head_step = 3", 5),
        (H + "SET h.head_step = 'last'", 5),
        (H + "SET h.head_step = 4.0", 5),
        (H + "REMOVE h.head_hash", 5),
        (H + "SET h.head_id = 'another'", 5),
        (H + "SET h.head_key_id = 'k1'", 5),
    ],
    ids=[
        "tail",
        "three",
        "all",
        "hash",
        "step",
        "step made a text",
        "step made a float",
        "no head",
        "thought",
        "key",
    ],
)
async def test_a_removed_tail_or_an_edited_head_is_incomplete_although_every_link_is_valid(
    chain: Chain, statement: LiteralString, count: int
) -> None:
    await chain.raw(statement)
    report = await chain.verify()
    assert (report.valid, report.complete, report.thought_count) == (True, False, count)
    assert report.broken_at is None
    assert "head" in report.message
    assert (report.verdict, [fault.kind for fault in report.faults]) == ("truncated", ["head"])
    if "REMOVE h.head_hash" not in statement:  # Without a head, there is no export.
        await check_agrees(chain, report)


# Values whose canonical JSON is that of the stored ones, by their stored type.
SAME_JSON: dict[str, LiteralString] = {
    "number made an integer": "SET t.significance = 1",
    "text made a time": "SET t.author = datetime(t.author)",
    "context made a time": "SET t.context_id = datetime(t.context_id)",
    "hash version made a float": "SET t.hash_version = 1.0",
}


@pytest.mark.parametrize("name", SAME_JSON)
async def test_a_value_of_another_type_with_the_same_hash_is_a_fault(mind: Mind, name: str) -> None:
    chain, time = await make(mind), "2026-11-21T15:04:05.000006Z"
    own = await think(mind, chain.session, "typed", significance=1, author=time, context_id=time)
    await raw(mind, "MATCH (t:Thought {id: $id}) WITH t " + SAME_JSON[name], id=own)
    report = await chain.verify()
    assert (report.verdict, report.broken_at, report.broken_thought) == ("broken", 5, own)
    assert [fault.kind for fault in report.faults] == ["record"]


async def test_a_recomputed_content_hash_is_reported_at_the_step(chain: Chain) -> None:
    await rehash(chain.mind, chain.ids[2], {"content": "forged"})
    report = await chain.verify()
    assert (report.broken_at, report.broken_thought) == (2, chain.ids[2])
    assert report.faults[0].kind == "hash"


async def test_a_recomputed_chain_hash_is_reported_at_the_next_step(chain: Chain) -> None:
    await rehash(chain.mind, chain.ids[2], {"content": "forged"}, await chain.hash_of(1))
    report = await chain.verify()
    assert (report.valid, report.broken_at, report.broken_thought) == (False, 3, chain.ids[3])
    assert report.faults[0].kind == "previous"


async def test_a_chain_recomputed_to_its_end_differs_from_the_head(chain: Chain) -> None:
    previous = await rehash(chain.mind, chain.ids[2], {"content": "forged"}, await chain.hash_of(1))
    for thought_id in chain.ids[3:]:
        previous = await rehash(chain.mind, thought_id, {}, previous)
    report = await chain.verify()
    assert (report.valid, report.complete) == (True, False)


async def test_a_thought_inserted_after_the_head_is_reported(chain: Chain) -> None:
    await chain.raw(
        FIVE + "CREATE (x:Thought) SET x = e {.*, id: 'slipped-' + e.id, step_index: 5, branch_from: null, "
        "previous_thought_id: null} WITH x, e MATCH (e)-[:IN_SESSION]->(h) CREATE (x)-[:IN_SESSION]->(h)"
    )
    await rehash(chain.mind, f"slipped-{chain.ids[4]}", {"content": "slipped in"}, await chain.hash_of(4))
    report = await chain.verify()
    assert (report.valid, report.complete, report.thought_count) == (True, False, 6)
    await check_agrees(chain, report)


async def test_all_faults_are_listed_and_a_fault_does_not_hide_later_ones(chain: Chain) -> None:
    await chain.raw(FIVE + "SET b.content = 'x', c.author = 'eve', d.content = 'y'")
    report = await chain.verify()
    assert (report.broken_at, report.thought_count, report.complete) == (1, 5, True)
    assert [(fault.step, fault.kind, fault.thought_id) for fault in report.faults] == [
        (1, "content", chain.ids[1]),
        (2, "record", chain.ids[2]),
        (3, "content", chain.ids[3]),
    ]
    assert report.message == (
        "Chain broken at step 1. The content or hypothesis is not what was stored (the content was changed). "
        "2 more faults."
    )


@pytest.mark.slow
async def test_a_report_lists_a_hundred_faults_and_counts_all(mind: Mind) -> None:
    thought = {"session_id": "long", "injection_scale": 0}
    thoughts = [{**thought, "content": f"thought {number}"} for number in range(100)]
    for _ in range(2):
        await mind.operations["think_batch"].call({"thoughts": thoughts})
    chain = Chain(mind, "long", [])
    await chain.raw(FIVE + "FOREACH (t IN s[50..] | SET t.content = 'forged')")
    report = await chain.verify()
    assert (len(report.faults), report.fault_count) == (100, 150)
    assert [fault.step for fault in report.faults] == list(range(50, 150))


OUTSIDE: dict[str, LiteralString] = {
    "no step": H
    + "CREATE (:Thought {id: randomUUID(), namespace: $ns, session_id: $session, content: 'forged'})"
    "-[:IN_SESSION]->(h)",
    "no relationship either": "CREATE (:Thought {id: randomUUID(), namespace: $ns, session_id: $session})",
    "negative step": FIVE + "CREATE (x:Thought) SET x = e {.*, id: randomUUID(), step_index: -1}",
    "step made a text": FIVE + "CREATE (x:Thought) SET x = e {.*, id: randomUUID(), step_index: '5'}",
    "step made a fraction": FIVE + "CREATE (x:Thought) SET x = e {.*, id: randomUUID(), step_index: 3.5}",
    "only the relationship": H + "CREATE (:Thought {id: randomUUID(), namespace: $ns})-[:IN_SESSION]->(h)",
    "another session's thought": H
    + "CREATE (:Thought {id: randomUUID(), namespace: $ns, session_id: 'x', step_index: 0})"
    "-[:IN_SESSION]->(h)",
    "no thought": H + "CREATE (:Note {id: randomUUID()})-[:IN_SESSION]->(h)",
}


@pytest.mark.parametrize("name", OUTSIDE)
async def test_what_belongs_to_the_session_but_not_to_its_chain_is_a_fault(chain: Chain, name: str) -> None:
    await chain.raw(OUTSIDE[name])
    report = await chain.verify()
    assert (report.verdict, report.valid, report.thought_count) == ("broken", False, 5)
    (fault,) = report.faults
    assert (fault.kind, fault.step) == ("outside", None)
    assert fault.thought_id
    assert fault.thought_id not in chain.ids
    assert report.message.startswith("Chain broken. A thought has this session but is no step of it")
