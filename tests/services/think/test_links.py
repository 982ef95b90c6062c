"""Continuity links: FOLLOWS, REVISES, BRANCHES_FROM and CHILD_OF."""

import pytest

from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import LINK_NAMES
from legacymind.model.think import ThinkResult
from tests.fakes import FakeEmbedder
from tests.steps import bare, store_thought, think, think_without_recall
from tests.wire import raw

pytestmark = pytest.mark.anyio

TYPES = {
    "previous_thought_id": "FOLLOWS",
    "revises_thought": "REVISES",
    "branch_from": "BRANCHES_FROM",
    "parent_id": "CHILD_OF",
}


def fates(result: ThinkResult) -> list[str | None]:
    telemetry = result.telemetry.links_telemetry
    return [
        telemetry.previous_thought_id,
        telemetry.revises_thought,
        telemetry.branch_from,
        telemetry.parent_id,
    ]


async def links(mind: Mind, result: ThinkResult) -> dict[str, list[str]]:
    """The targets of a thought's relationships, by type."""
    rows = await raw(
        mind,
        "MATCH (t:Thought {id: $id})-[r:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF|AWAITS]->(x) "
        "RETURN type(r) AS type, collect(x.id) AS ids",
        id=bare(result),
    )
    return {row["type"]: row["ids"] for row in rows}


async def test_a_thought_follows_the_latest_of_its_session_by_default(mind: Mind) -> None:
    first = await think_without_recall(mind)
    second = await think_without_recall(mind)
    assert fates(first) == [None] * 4
    assert fates(second) == ["automatic", None, None, None]
    assert second.links.previous_thought_id == bare(first)
    assert await links(mind, second) == {"FOLLOWS": [bare(first)]}
    elsewhere = await think_without_recall(mind, session_id="another")
    assert (fates(elsewhere), await links(mind, elsewhere)) == ([None] * 4, {})


async def test_a_thought_of_another_process_follows_the_latest_too(mind: Mind) -> None:
    first = await think_without_recall(mind)
    async with Mind(mind.settings, session_id="session", embedder=FakeEmbedder()) as other:
        second = await think_without_recall(other)
    third = await think_without_recall(mind)
    assert await links(mind, second) == {"FOLLOWS": [bare(first)]}
    assert await links(mind, third) == {"FOLLOWS": [bare(second)]}
    assert fates(third)[0] == "automatic"


async def test_bare_and_prefixed_ids_become_relationships(mind: Mind) -> None:
    targets = [await think_without_recall(mind, session_id="other") for _ in TYPES]
    given = {
        name: bare(target) if number % 2 else target.delegated_result.thought_id
        for number, (name, target) in enumerate(zip(TYPES, targets, strict=True))
    }
    result = await think_without_recall(mind, **given)
    assert fates(result) == ["record"] * 4
    assert await links(mind, result) == {
        kind: [bare(target)] for kind, target in zip(TYPES.values(), targets, strict=True)
    }
    for name, target in zip(TYPES, targets, strict=True):
        assert getattr(result.links, name) == bare(target)


async def test_an_explicit_predecessor_replaces_the_latest(mind: Mind) -> None:
    first, _ = await think_without_recall(mind), await think_without_recall(mind)
    third = await think_without_recall(mind, previous_thought_id=bare(first))
    assert (fates(third)[0], await links(mind, third)) == ("record", {"FOLLOWS": [bare(first)]})


async def test_a_thought_that_revises_or_branches_from_the_latest_does_not_follow_it_as_well(
    mind: Mind,
) -> None:
    for name in ("revises_thought", "branch_from"):
        latest = await think_without_recall(mind)
        result = await think_without_recall(mind, **{name: bare(latest)})
        assert await links(mind, result) == {TYPES[name]: [bare(latest)]}
        assert result.links.previous_thought_id is None
    latest = await think_without_recall(mind)
    child = await think_without_recall(mind, parent_id=bare(latest))
    assert await links(mind, child) == {"FOLLOWS": [bare(latest)], "CHILD_OF": [bare(latest)]}


@pytest.mark.parametrize("name", TYPES)
async def test_a_link_to_itself_is_dropped_and_reported(mind: Mind, name: str) -> None:
    for number, prefix in enumerate(("", "thoughts:")):
        key = f"{name}-{number}"
        own = mind.services.think.prepare(content="x", idempotency_key=key).id
        result = await think_without_recall(mind, idempotency_key=key, **{name: prefix + own})
        assert bare(result) == own
        assert getattr(result.telemetry.links_telemetry, name) == "dropped_self_link"
        assert own not in [target for ids in (await links(mind, result)).values() for target in ids]


async def test_a_repeated_target_is_linked_once_except_for_the_parent(mind: Mind) -> None:
    target = bare(await think_without_recall(mind, session_id="other"))
    same = dict.fromkeys(TYPES, target)
    result = await think_without_recall(mind, **same)
    assert fates(result) == ["dropped_duplicate", "record", "dropped_duplicate", "record"]
    assert await links(mind, result) == {"REVISES": [target], "CHILD_OF": [target]}
    assert (result.links.previous_thought_id, result.links.branch_from) == (None, None)
    branch = await think_without_recall(mind, previous_thought_id=target, branch_from=target)
    assert fates(branch) == ["dropped_duplicate", None, "record", None]
    again = await think_without_recall(mind, revises_thought=target, branch_from=f"thoughts:{target}")
    assert fates(again) == ["automatic", "record", "dropped_duplicate", None]


@pytest.mark.parametrize("name", TYPES)
async def test_a_link_to_a_missing_thought_is_created_when_the_thought_is_stored(
    mind: Mind, name: str
) -> None:
    key = f"later-{name}"
    rehearsed = mind.services.think.prepare(content="the awaited", idempotency_key=key).id
    waiting = [await think_without_recall(mind, **{name: rehearsed}) for _ in range(2)]
    for result in waiting:
        assert getattr(result.telemetry.links_telemetry, name) == "string"
        assert getattr(result.links, name) == rehearsed
        (warning,) = result.warnings
        assert warning.startswith(f"{name} waits: ")
        assert rehearsed in warning
        assert (await links(mind, result))["AWAITS"] == [rehearsed]
    arrived = await think_without_recall(mind, "the awaited", idempotency_key=key, session_id="other")
    assert (bare(arrived), arrived.warnings) == (rehearsed, [])
    for result in waiting:
        found = await links(mind, result)
        assert found[TYPES[name]] == [rehearsed]
        assert "AWAITS" not in found
    pending = await raw(
        mind, "MATCH (p:Pending {namespace: $ns}) RETURN p.id AS id", ns=mind.settings.namespace
    )
    assert pending == []
    report = await mind.operations["verify_chain"].call({"session_id": "session"})
    assert (report.valid, report.pending_links) == (True, 0)


async def test_a_second_correction_of_a_thought_names_the_first(mind: Mind) -> None:
    wrong = await store_thought(mind, "the kettle holds one litre", injection_scale=0)
    first = await think_without_recall(mind, "it holds two", revises_thought=wrong)
    assert first.warnings == []
    second = await think_without_recall(mind, "it holds three", session_id="other", revises_thought=wrong)
    assert second.warnings == [
        f"{wrong} was revised before, by {bare(first)}. Both revisions stand; if this one replaces that, "
        "revise it too."
    ]
    private = await store_thought(mind, "a draft", injection_scale=0)
    await think_without_recall(mind, "mine", revises_thought=private, is_private=True)
    third = await think_without_recall(mind, "yours", session_id="other", revises_thought=private)
    assert third.warnings == []


async def test_pending_links_of_all_types_are_created(mind: Mind) -> None:
    rehearsed = mind.services.think.prepare(content="x", idempotency_key="k").id
    waiting = {name: await think_without_recall(mind, session_id=name, **{name: rehearsed}) for name in TYPES}
    both = await think_without_recall(
        mind, session_id="both", previous_thought_id=rehearsed, parent_id=rehearsed
    )
    await think_without_recall(mind, idempotency_key="k")
    for name, result in waiting.items():
        assert await links(mind, result) == {TYPES[name]: [rehearsed]}
    assert await links(mind, both) == {"FOLLOWS": [rehearsed], "CHILD_OF": [rehearsed]}


@pytest.mark.parametrize("name", TYPES)
async def test_a_link_never_crosses_a_namespace(mind: Mind, name: str) -> None:
    theirs = bare(await think_without_recall(mind, namespace=f"{mind.settings.namespace}-theirs"))
    ours = await think_without_recall(mind, **{name: theirs})
    assert getattr(ours.telemetry.links_telemetry, name) == "string"
    assert await links(mind, ours) == {"AWAITS": [theirs]}
    # A thought with an awaited id in another namespace is not the awaited one.
    rehearsed = mind.services.think.prepare(
        content="x", idempotency_key="k", namespace=f"{mind.settings.namespace}-theirs"
    ).id
    waiting = await think_without_recall(mind, session_id="waiting", **{name: rehearsed})
    await think_without_recall(mind, idempotency_key="k", namespace=f"{mind.settings.namespace}-theirs")
    assert await links(mind, waiting) == {"AWAITS": [rehearsed]}


async def test_an_action_is_one_node_for_all_thoughts_that_led_to_it(mind: Mind) -> None:
    for session in ("a", "b"):
        assert (
            await think_without_recall(mind, session_id=session, action_id="deploy")
        ).links.action_id == "deploy"
    await think_without_recall(mind, action_id="deploy", namespace=f"{mind.settings.namespace}-theirs")
    rows = await raw(
        mind,
        "MATCH (a:Action {id: 'deploy', namespace: $ns}) RETURN COUNT { (a)<-[:FOR_ACTION]-() } AS thoughts",
        ns=mind.settings.namespace,
    )
    assert [row["thoughts"] for row in rows] == [2]


@pytest.mark.parametrize("name", LINK_NAMES)
@pytest.mark.parametrize("word", ["latest", "thoughts:Previous", "null", "this"])
async def test_a_word_instead_of_an_id_is_refused(mind: Mind, name: str, word: str) -> None:
    with pytest.raises(InvalidInput, match=f"{name}: .* is no id of a thought"):
        await think(mind, "x", **{name: word})
