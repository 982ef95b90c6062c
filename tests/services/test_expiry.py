"""Expiry: from its time on nobody reads a thought, its chain still verifies, and maintenance redacts it."""

import json
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.doors.graphql.schema import build_schema
from legacymind.errors import InvalidInput, LegacyMindError
from legacymind.mind import Mind
from legacymind.model import values
from legacymind.settings import Settings
from tests.services.test_namespaces import READS, calls, make, names
from tests.steps import own_namespace, search, store_thought, think_apart
from tests.wire import one, raw, text_indexed

pytestmark = pytest.mark.anyio

NOW = datetime.now(UTC)
PAST: dict[str, Any] = {"created_at": NOW - timedelta(days=2), "expires_at": NOW - timedelta(days=1)}
THOUGHTS = "playing the"
"""What each thought of ``make`` says, and no entity and no fact."""

EVERY = sorted(READS.intersection(names()))


@pytest.fixture(scope="module")
async def before_and_after(engine_settings: Settings) -> tuple[dict[str, str], dict[str, str]]:
    """The answers of every read in one namespace, before its thoughts expire and after that."""
    async with own_namespace(engine_settings) as mind:
        namespace = mind.settings.namespace
        world = await make(mind, namespace, "oboe")
        await text_indexed(mind)

        async def answers(name: str) -> str:
            found: list[Any] = []
            for arguments in calls(mind.operations[name], world.known):
                given = {**arguments, "namespace": namespace}
                for more in ({}, {"session_id": "session"}):
                    with suppress(LegacyMindError):
                        found.append(asdict(await mind.operations[name].call(given | more)))
            return json.dumps(found, default=str)

        shown = {name: await answers(name) for name in EVERY}
        await raw(
            mind,
            "MATCH (t:Thought {namespace: $ns}) SET t.expires_at = $at, t.found_until = $at",
            ns=namespace,
            at=PAST["expires_at"],
        )
        return shown, {name: await answers(name) for name in EVERY}


@pytest.mark.parametrize("name", EVERY)
async def test_no_read_has_the_text_of_an_expired_thought(
    before_and_after: tuple[dict[str, str], dict[str, str]], name: str
) -> None:
    shown, after = before_and_after
    assert THOUGHTS not in after[name]
    assert THOUGHTS in shown[name] or name in ("communities", "entity")


@pytest.mark.parametrize("is_private", [False, True])
@pytest.mark.slow
async def test_expired_copies_take_no_place_of_a_thought(mind: Mind, is_private: bool) -> None:
    text, common = "the copper kettle boils", {"session_id": "one", "is_private": is_private}
    for _ in range(70):
        await store_thought(mind, text, **common, **PAST)
    kept = await store_thought(mind, f"{text} over", **common)
    await text_indexed(mind)
    for method in ("graph", "vector", "text"):
        found = await search(mind, text, method=method, own_session_id="one")
        assert [hit.id for hit in found.hits] == [kept]
    found = await search(mind, None, own_session_id="one", limit=5)
    assert [hit.id for hit in found.hits] == [kept]
    await store_thought(mind, "nothing about it", **common)  # not the thought before
    thought = await think_apart(mind, text, **common, injection_scale=2)
    assert [memory.id for memory in thought.memories] == [kept]


async def test_the_hash_covers_the_time_and_the_job_redacts_what_expired(mind: Mind) -> None:
    expired = [
        await store_thought(mind, f"secret {n}", session_id="one", is_private=n == 1, **PAST)
        for n in range(3)
    ]
    kept = await store_thought(mind, "soon", session_id="one", expires_at="90m")
    alone = await store_thought(mind, "secret too", **PAST)
    plan = await mind.maintenance_ops("expire")
    assert (plan.applied, [item.id for item in plan.items]) == (False, sorted([*expired, alone]))
    assert "secret" not in str(plan)
    assert (await mind.verify("one")).verdict == "intact"
    done = await mind.maintenance_ops("expire", apply=True)
    assert done.counts[0].value == 4
    assert not await raw(
        mind,
        "MATCH (t:Thought {namespace: $ns}) "
        "WHERE any(k IN keys(t) WHERE toStringOrNull(t[k]) CONTAINS 'secret') RETURN t",
        ns=mind.settings.namespace,
    )
    assert [hit.id for hit in (await search(mind, "soon")).hits] == [kept]
    assert (await mind.maintenance_ops("expire", apply=True)).counts[0].value == 0
    assert (await mind.verify("one")).verdict == "intact"
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.expires_at = t.expires_at + duration('P1Y')", id=kept)
    assert (await mind.verify("one")).broken_thought == kept


async def test_a_session_goes_on_after_its_last_thought_has_expired(mind: Mind) -> None:
    last = await store_thought(mind, "over", session_id="one", **PAST)
    later = await store_thought(mind, "on", session_id="one", parent_id=last)
    links = "MATCH (:Thought {id: $id})-[r]->(:Thought {id: $last}) RETURN collect(type(r)) AS found"
    assert sorted(await one(mind, links, id=later, last=last)) == ["CHILD_OF", "FOLLOWS"]
    assert (await mind.verify("one")).verdict == "intact"


@pytest.mark.parametrize(
    ("given", "seconds"),
    [("90m", 5400), ("12H", 43_200), (" 7 d ", 604_800), ("4w", 2_419_200)],
)
def test_a_span_begins_now(given: str, seconds: int) -> None:
    left = values.moment(values.expiry(given)) - datetime.now(UTC)
    assert seconds - 5 < left.total_seconds() <= seconds


async def test_graphql_takes_a_span(mind: Mind) -> None:
    text = 'mutation { think(input: {content: "x", expiresAt: "7d"}) { delegatedResult { thoughtId } } }'
    result = await build_schema(mind).execute(text)
    assert result.data is not None
    id = result.data["think"]["delegatedResult"]["thoughtId"]
    left = await one(
        mind, "MATCH (t:Thought {id: $id}) RETURN t.expires_at > datetime() + duration('P6D')", id=id
    )
    assert left


@pytest.mark.parametrize("given", ["", "7", "7 days ago", "d", "-7d", "P7D", "123456d", None, True])
def test_what_is_neither_a_time_nor_a_span_is_refused(given: object) -> None:
    with pytest.raises(ValueError, match="a span from now"):
        values.expiry(given)


async def test_a_thought_does_not_expire_before_it_was_thought(mind: Mind) -> None:
    with pytest.raises(InvalidInput, match="not after the time of the thought"):
        await store_thought(mind, "x", expires_at=NOW - timedelta(days=1))
