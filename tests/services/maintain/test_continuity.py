"""Continuity on a real server: links that only properties have become relationships again."""

import pytest

from legacymind.mind import Mind
from legacymind.services.think.thought import derived_id
from tests.steps import store_thought
from tests.wire import one, raw

pytestmark = pytest.mark.anyio


async def test_lost_links_are_counted_by_a_plan_and_created_on_request(mind: Mind) -> None:
    later = derived_id(mind.settings.namespace, "later")
    first = await store_thought(mind, "one")
    second = await store_thought(mind, "two", revises_thought=first)
    third = await store_thought(mind, "three", parent_id=second, branch_from=later)
    await raw(
        mind,
        "MATCH (:Thought {namespace: $ns})-[r:FOLLOWS|REVISES|CHILD_OF|AWAITS]->() DELETE r",
        ns=mind.settings.namespace,
    )
    assert not (await mind.verify("session")).valid
    plan = await mind.maintenance_ops("ensure_continuity_fields")
    assert not plan.applied
    assert {each.name: each.value for each in plan.counts} == {"thoughts": 3, "links": 4, "indexes": 0}
    assert {item.id for item in plan.items} == {second, third}
    done = await mind.maintenance_ops("ensure-continuity-fields", apply=True)
    assert done.applied
    report = await mind.verify("session")
    assert (report.valid, report.pending_links) == (True, 1)
    again = await mind.maintenance_ops("ensure_continuity_fields", apply=True)
    assert not again.applied
    # A link that waits is created by the thought that it waits for.
    assert await store_thought(mind, "later", session_id="other", idempotency_key="later") == later
    links = "MATCH (:Thought {id: $id})-[:BRANCHES_FROM]->(t:Thought) RETURN t.id"
    assert await one(mind, links, id=third) == later


async def test_verify_reports_and_changes_nothing(mind: Mind) -> None:
    await store_thought(mind, "one")
    report = await mind.maintenance_ops("verify")
    assert (report.applied, report.summary) == (False, "Verified 1 session: 0 not intact.")
