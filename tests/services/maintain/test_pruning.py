"""Pruning on a real server: what decays, what stays, and what pruning leaves as it was."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.model.maintenance import PruneResult
from legacymind.observe import Step, observed_by
from legacymind.services.maintain import pruning
from legacymind.services.maintain.pruning import HALF_LIFE, LEAST_WEIGHT
from tests.steps import bare, remember_entity, store_thought, think
from tests.wire import raw

pytestmark = pytest.mark.anyio

WORDS = "amber basket candle dragon engine falcon garden harbour"
LATER = timedelta(days=200)


async def recalls(mind: Mind) -> set[tuple[str, str]]:
    rows = await raw(
        mind,
        "MATCH (t:Thought {namespace: $ns})-[:RECALLS]->(m) RETURN t.id AS t, m.id AS m",
        ns=mind.settings.namespace,
    )
    return {(row["t"], row["m"]) for row in rows}


async def weigh(mind: Mind, thought: str, memory: str, weight: float) -> None:
    await raw(
        mind,
        "MATCH (:Thought {id: $t})-[r:RECALLS]->({id: $m}) SET r.weight = $w",
        t=thought,
        m=memory,
        w=weight,
    )


async def prune(mind: Mind, days: float = 200, **options: Any) -> PruneResult:
    """Prune as if it were so many days later."""
    return await mind.prune(now=datetime.now(UTC) + timedelta(days=days), **options)


@pytest.fixture
async def told(mind: Mind) -> dict[str, str]:
    """Two thoughts that recall a third, an entity, and nothing else."""
    entity = await remember_entity(mind, "harbour", description=WORDS)
    first = await store_thought(mind, WORDS, session_id="one")
    known = {"entity": entity, "first": first}
    for name in ("second", "third"):
        known[name] = bare(await think(mind, f"{WORDS} {name}", session_id=name))
    found = await recalls(mind)
    assert {(known["second"], first), (known["second"], entity), (known["third"], first)} <= found
    return known


async def test_a_weight_decays_since_the_last_use_and_a_plan_removes_nothing(
    mind: Mind, told: dict[str, str]
) -> None:
    before = await recalls(mind)
    await weigh(mind, told["second"], told["first"], 0.6)
    # After two half-lives 0.6 is 0.15, the least weight.
    for days, weak in ((2 * HALF_LIFE - 1, False), (2 * HALF_LIFE + 1, True)):
        found = await prune(mind, days)
        assert (found.applied, found.thoughts) == (False, 3)
        pairs = {(one.thought_id, one.memory_id): one for one in found.samples}
        assert ((told["second"], told["first"]) in pairs) is weak
    sample = pairs[told["second"], told["first"]]
    assert sample.weight == 0.6
    assert sample.decayed == pytest.approx(LEAST_WEIGHT, abs=0.01)
    assert found.samples == sorted(found.samples, key=lambda one: one.decayed)
    assert (await prune(mind, 89, least_weight=1)).recalls == 0  # used within 90 days
    assert await recalls(mind) == before


async def test_unused_weak_recalls_go_and_the_chain_and_the_explanation_stay(
    mind: Mind, told: dict[str, str]
) -> None:
    before = await recalls(mind)
    counted: list[Any] = []

    def note(step: Step) -> Any:
        if step.kind == "batch":
            counted.append(step)
        return pytest.MonkeyPatch.context()

    with observed_by(note):
        done = await prune(mind, apply=True)
    assert (done.applied, done.recalls) == (True, len(before))
    assert [(step.name, step.result) for step in counted] == [("prune", len(before))]
    assert await recalls(mind) == set()
    assert (await prune(mind, apply=True)).recalls == 0
    for session in ("one", "second", "third"):
        report = await mind.verify(session)
        assert report.valid
        assert report.complete
    explained = await mind.explain_recall(told["second"])
    assert explained.pruned == explained.recalled > 0
    assert told["first"] in {memory.id for memory in explained.memories}


async def test_pinned_ends_and_recalls_of_thoughts_in_use_stay(mind: Mind, told: dict[str, str]) -> None:
    await mind.pin_thought(told["second"])
    soon = datetime.now(UTC) + LATER - timedelta(days=1)
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.last_accessed = $at", id=told["third"], at=soon)
    before = await recalls(mind)
    assert (await prune(mind, apply=True)).recalls == 0
    await mind.pin_thought(told["second"], pinned=False)
    await mind.pin_thought(told["first"])
    done = await prune(mind, apply=True)
    left = await recalls(mind)
    assert done.recalls == len(before) - len(left) > 0
    assert (told["second"], told["first"]) in left
    assert (told["second"], told["entity"]) not in left


async def test_an_interrupted_prune_keeps_its_batches_and_another_call_does_the_rest(
    mind: Mind, told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "_BATCH", 1)
    before = await recalls(mind)
    seen: list[tuple[str, int, int]] = []

    def stop(stage: str, done: int, total: int, /) -> None:
        seen.append((stage, done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await prune(mind, apply=True, progress=stop)
    left = await recalls(mind)
    assert 0 < len(left) < len(before)
    assert seen == [("Pruning recalls", done, 3) for done in range(3)]
    assert (await prune(mind, apply=True)).recalls == len(left)
    assert await recalls(mind) == set()


async def test_maintenance_ops_plans_first_and_applies_on_request(mind: Mind, told: dict[str, str]) -> None:
    before = await recalls(mind)
    plan = await mind.maintenance_ops("Prune", days=0, min_weight=1)
    assert (plan.subcommand, plan.applied) == ("prune", False)
    assert {one.name: one.value for one in plan.counts} == {"thoughts": 3, "recalls": len(before)}
    assert {item.id for item in plan.items} <= {told["second"], told["third"]}
    assert await recalls(mind) == before
    done = await mind.maintenance_ops("prune", apply=True, days=0, min_weight=1)
    assert done.applied
    assert await recalls(mind) == set()


async def test_prune_reads_no_thought_newer_than_its_limit(mind: Mind, told: dict[str, str]) -> None:
    assert (await mind.prune()).thoughts == 0
    assert (await prune(mind, apply=True)).thoughts == 3
    hits = (await mind.search(WORDS, method="vector")).hits
    assert told["first"] in {hit.id for hit in hits}
