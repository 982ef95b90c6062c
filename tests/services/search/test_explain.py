"""Explains why a memory was recalled, from stored values, and why another was not."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.think import ThinkResult
from legacymind.model.trails import RecallExplanation
from tests.fakes import FakeEmbedder
from tests.steps import bare, pages_of, remember_entity, think_apart
from tests.wire import Wire, one, raw, text_indexed

pytestmark = pytest.mark.anyio

NOW = datetime.now(UTC) + timedelta(hours=1)  # after the valid_from of everything a test remembers
THRESHOLDS = FakeEmbedder.thresholds


async def earlier(mind: Mind, content: str, **options: Any) -> str:
    arguments = {"created_at": NOW - timedelta(days=1), "injection_scale": 0, **options}
    return bare(await think_apart(mind, content, **arguments))


async def explain(mind: Mind, thought: ThinkResult | str, **options: Any) -> RecallExplanation:
    thought_id = thought if isinstance(thought, str) else thought.delegated_result.thought_id
    await mind.vectors.claim()
    with Wire() as wire:
        found = await mind.operations["explain_recall"].call({"thought_id": thought_id, **options})
    assert len(wire.statements) <= 5
    return found


async def test_recalled_memories_are_explained_with_the_values_of_think(mind: Mind) -> None:
    await remember_entity(mind, "copper kettle", description="boils water")
    await earlier(mind, "the copper kettle is hot", author="ada")
    thought = await think_apart(mind, "a copper kettle", created_at=NOW, verbose_analysis=True)
    found = await explain(mind, thought)
    assert len(found.memories) == found.recalled == 2
    for explained, memory in zip(found.memories, thought.memories, strict=True):
        assert (explained.id, explained.kind, explained.text, explained.author) == (
            memory.id,
            memory.kind,
            memory.text,
            memory.author,
        )
        assert (explained.rank, explained.score, explained.cosine, explained.via) == (
            memory.rank,
            memory.score,
            memory.cosine,
            memory.via,
        )
        assert explained.parts == memory.parts
        assert not explained.pruned
    assert (found.text, found.mode, found.scale, found.submode) == ("a copper kettle", "build", 2, None)
    assert found.threshold_knowledge == thought.telemetry.threshold_knowledge
    assert found.threshold_thoughts == thought.telemetry.threshold_thoughts
    assert found.since is None  # no window excludes anything
    assert (found.pruned, found.next is not None, found.left_out, found.note) == (0, False, 0, None)


def fillers(count: int) -> str:
    return " ".join(f"filler{number}" for number in range(count))


async def test_missed_memories_have_their_distance_and_the_nearest_comes_first(mind: Mind) -> None:
    near = await earlier(mind, f"copper {fillers(29)}")
    far = await earlier(mind, f"copper {fillers(59)}")
    knowledge = await remember_entity(mind, "alpha beta gamma")
    known = await remember_entity(mind, "copper kettle")
    thought = await think_apart(mind, "copper kettle", created_at=NOW, injection_scale=1)
    found = await explain(mind, thought)
    assert [memory.id for memory in found.memories] == [known]
    assert [memory.id for memory in found.missed] == [near, far, knowledge]
    assert {memory.reason for memory in found.missed} == {"below_threshold"}
    opening = found.threshold_knowledge
    assert opening is not None
    assert opening >= THRESHOLDS.knowledge[0]  # at scale 1 more than the whole way from the floor
    for miss in found.missed:
        assert miss.cosine is not None
        assert (miss.threshold, miss.short_by) == (opening, pytest.approx(opening - miss.cosine, abs=1e-4))
        assert miss.cosine < opening
    short = [miss.short_by or 0 for miss in found.missed]
    assert short == sorted(short)
    assert len((await explain(mind, thought, missed=1)).missed) == 1
    assert (await explain(mind, thought, missed=0)).missed == []


async def test_what_was_near_enough_but_outranked_says_so(mind: Mind) -> None:
    texts = (
        "copper kettle",
        "copper kettle lid",
        "copper kettle lid handle",
        "copper kettle lid handle stove",
    )
    ids = [await earlier(mind, text) for text in texts]
    await text_indexed(mind)
    thought = await think_apart(mind, "copper kettle", created_at=NOW, injection_scale=1)
    found = await explain(mind, thought)
    assert {memory.id for memory in found.memories} == set(ids[:3])
    assert {(miss.id, miss.reason) for miss in found.missed} == {(ids[3], "outranked")}
    assert all(miss.short_by is not None and miss.short_by < 0 for miss in found.missed)


async def test_only_memories_that_could_be_recalled_are_missed(mind: Mind) -> None:
    await earlier(mind, "copper kettle later", created_at=NOW + timedelta(days=1))
    await earlier(mind, "copper kettle long ago", created_at=NOW - timedelta(days=8))
    await earlier(mind, "copper kettle hidden", is_private=True)
    theirs = f"{mind.settings.namespace}-theirs"
    await earlier(mind, "copper kettle there", namespace=theirs)
    linked = await earlier(mind, "copper kettle and what is linked to it")
    own = await earlier(mind, "blue whale song", is_private=True, session_id="mine")
    thought = await think_apart(
        mind, "copper kettle", created_at=NOW, session_id="mine", revises_thought=linked, injection_scale=2
    )
    await earlier(mind, "copper kettle imported since")
    found = await explain(mind, thought, session_id="mine")
    assert [memory.id for memory in found.missed] == []  # the private thought is the latest of its session
    follower = await think_apart(
        mind, "copper kettle", created_at=NOW + timedelta(hours=1), session_id="mine", injection_scale=2
    )
    assert own not in [memory.id for memory in (await explain(mind, follower)).missed]
    found = await explain(mind, follower, session_id="mine")
    assert own in [memory.id for memory in found.missed]
    assert not {"copper kettle there", "copper kettle hidden", "copper kettle long ago"} & {
        memory.text for memory in found.missed
    }


async def test_knowledge_that_is_only_nearly_related_was_below_the_threshold(mind: Mind) -> None:
    weak = await remember_entity(mind, f"copper {fillers(9)}")
    thought = await think_apart(mind, "copper kettle mine ore", created_at=NOW, injection_scale=2)
    assert thought.memories == []
    found = await explain(mind, thought)
    assert found.threshold_knowledge == thought.telemetry.threshold_knowledge
    assert [(miss.id, miss.reason) for miss in found.missed] == [(weak, "below_threshold")]
    (miss,) = (await explain(mind, thought, memory_id=weak)).missed
    assert miss.threshold == thought.telemetry.threshold_knowledge


async def test_one_recalled_memory_can_be_explained_alone(mind: Mind) -> None:
    ids = [await earlier(mind, "copper kettle"), await earlier(mind, "copper kettle again")]
    thought = await think_apart(mind, "copper kettle", created_at=NOW, injection_scale=2)
    found = await explain(mind, thought, memory_id=f"thoughts:{ids[1]}")
    assert [memory.id for memory in found.memories] == [ids[1]]
    assert (found.recalled, found.missed, found.next is not None) == (2, [], False)


async def test_one_memory_that_was_not_recalled_has_its_reason(mind: Mind) -> None:
    linked = await earlier(mind, "copper kettle")
    dormant = await earlier(mind, "copper kettle")
    bare_one = await earlier(mind, "tin whistle")  # no word of it brings it to mind
    known = await mind.operations["remember"].call(
        {
            "observations": [
                {"entity": "tin", "content": "copper kettle", "valid_to": NOW - timedelta(seconds=1)},
            ]
        }
    )
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.hot = false", id=dormant)
    await raw(mind, "MATCH (t:Thought {id: $id}) REMOVE t.embedding_a", id=bare_one)
    reasons = {
        linked: "linked",
        dormant: "dormant",
        bare_one: "not_embedded",
        known.observations[0].id: "not_valid_then",
        await earlier(mind, "blue whale song"): "below_threshold",
        await earlier(mind, "copper kettle", created_at=NOW): "later",
    }
    thought = await think_apart(mind, "copper kettle", created_at=NOW, injection_scale=2, branch_from=linked)
    reasons[await earlier(mind, "copper kettle")] = "later"  # created before, but stored after
    reasons[await remember_entity(mind, "copper kettle")] = "later"
    for memory_id, reason in reasons.items():
        found = await explain(mind, thought, memory_id=memory_id)
        assert found.memories == []
        (miss,) = found.missed
        assert (miss.id, miss.reason) == (memory_id, reason)
        assert (miss.cosine is None) is (reason == "not_embedded")
    silent = await think_apart(mind, "copper kettle", created_at=NOW, injection_scale=0)
    (miss,) = (await explain(mind, silent, memory_id=linked)).missed
    assert miss.reason == "nothing_recalled"


async def test_pruned_memories_are_explained_from_the_append_only_list(mind: Mind) -> None:
    odd = mind.services.think.prepare(
        content="copper kettle", id=f"an id with spaces {mind.settings.namespace}", injection_scale=0
    )
    await mind.services.store.think([odd])
    gone, stays = await earlier(mind, "copper kettle gone"), await earlier(mind, "copper kettle stays")
    thought = await think_apart(mind, "copper kettle", injection_scale=5, created_at=NOW)
    before = await explain(mind, thought)
    assert {memory.id for memory in before.memories} == {odd.id, gone, stays}
    await raw(mind, "MATCH (t:Thought {id: $id})-[r:RECALLS]->() DELETE r", id=bare(thought))
    await raw(mind, "MATCH (t:Thought {id: $id}) DETACH DELETE t", id=gone)
    after = await explain(mind, thought)
    assert (after.recalled, after.pruned) == (3, 3)
    assert after.note == "Pruned memories keep only their rank and score."
    for explained, was in zip(after.memories, before.memories, strict=True):
        assert (explained.id, explained.rank, explained.score) == (was.id, was.rank, was.score)
        assert (explained.pruned, explained.parts, explained.via, explained.cosine) == (
            True,
            None,
            None,
            None,
        )
        assert (explained.kind, explained.text) == (
            (None, "") if explained.id == gone else (was.kind, was.text)
        )
    assert not {odd.id, gone, stays} & {miss.id for miss in after.missed}


async def test_a_thought_at_scale_zero_is_explained_in_two_statements(mind: Mind) -> None:
    await earlier(mind, "copper kettle")
    thought = await think_apart(mind, "copper kettle", injection_scale=0)
    with Wire() as wire:
        found = await mind.operations["explain_recall"].call({"thought_id": bare(thought)})
    assert len(wire.statements) == 2
    assert (found.memories, found.missed, found.scale, found.since) == ([], [], 0, None)
    assert found.note == "The thought has injection scale 0, which recalls nothing."


async def test_the_recall_of_a_redacted_thought_is_still_explained(mind: Mind) -> None:
    memory = await earlier(mind, "copper kettle")
    thought = await think_apart(mind, "copper kettle", created_at=NOW, injection_scale=2)
    await mind.operations["redact_thought"].call({"thought_id": bare(thought), "reason": "a test"})
    found = await explain(mind, thought)
    assert (found.text, [explained.id for explained in found.memories]) == ("", [memory])
    assert found.note == "The thought has no vector, so near misses are unknown."
    await mind.operations["redact_thought"].call({"thought_id": memory, "reason": "a test"})
    assert (await explain(mind, thought)).memories[0].text == ""


async def test_a_private_thought_is_explained_in_its_own_session_only(mind: Mind) -> None:
    secret = await earlier(mind, "copper kettle secret", is_private=True, session_id="mine")
    await earlier(mind, "between", session_id="mine")
    private = await think_apart(
        mind, "copper kettle", created_at=NOW, session_id="mine", is_private=True, injection_scale=2
    )
    assert (await explain(mind, private, session_id="mine")).memories[0].id == secret
    for session in ({}, {"session_id": "other"}):
        with pytest.raises(NotFound):
            await explain(mind, private, **session)
    outside = await think_apart(mind, "copper kettle", created_at=NOW, injection_scale=2)
    found = await explain(mind, outside)
    assert secret not in [explained.id for explained in (*found.memories, *found.missed)]
    with pytest.raises(NotFound):
        await explain(mind, outside, memory_id=secret)


async def test_an_explanation_updates_no_access_count_and_stays_in_its_namespace(mind: Mind) -> None:
    memory = await earlier(mind, "copper kettle")
    thought = await think_apart(mind, "copper kettle", created_at=NOW, injection_scale=2)
    for _ in range(3):
        await explain(mind, thought, memory_id=memory)
    count = await one(mind, "MATCH (t:Thought {id: $id}) RETURN t.access_count", id=memory)
    assert count == 1
    theirs = f"{mind.settings.namespace}-theirs"
    stranger = await earlier(mind, "copper kettle", namespace=theirs)
    await raw(
        mind,
        "MATCH (a:Thought {id: $a}), (b:Thought {id: $b}) CREATE (a)-[:RECALLS {rank: 9, score: 1.0}]->(b)",
        a=bare(thought),
        b=stranger,
    )
    assert stranger not in [explained.id for explained in (await explain(mind, thought)).memories]
    for options in ({"namespace": theirs}, {"memory_id": stranger}):
        with pytest.raises(NotFound):
            await explain(mind, thought, **options)


async def test_a_relationship_created_by_hand_is_explained_with_the_values_it_has(mind: Mind) -> None:
    memory = await earlier(mind, "copper kettle")
    made = f"{mind.settings.namespace}-by-hand"
    await raw(
        mind,
        "MATCH (m:Thought {id: $memory}) CREATE (:Thought {id: $made, namespace: $ns, content: 'by hand'})"
        "-[:RECALLS]->(m)",
        memory=memory,
        made=made,
        ns=mind.settings.namespace,
    )
    with pytest.raises(NotFound):  # without is_private it counts as private
        await explain(mind, made)
    await raw(mind, "MATCH (t:Thought {id: $made}) SET t.is_private = false", made=made)
    found = await explain(mind, made)
    assert (found.text, found.mode, found.scale) == ("by hand", None, 0)
    assert [
        (explained.id, explained.rank, explained.score, explained.parts) for explained in found.memories
    ] == [(memory, 0, 0.0, None)]


async def test_memories_are_paged_by_rank_within_the_budget(mind: Mind) -> None:
    for number in range(12):
        await remember_entity(mind, f"copper kettle {number}", description="copper kettle " * 30)
    thought = await think_apart(mind, "copper kettle", created_at=NOW, injection_scale=3)
    whole = await explain(mind, thought, limit=100)
    assert [memory.rank for memory in whole.memories] == list(range(1, 13))
    assert (whole.next is not None, whole.left_out) == (False, 0)
    pages = await pages_of(mind, "explain_recall", thought_id=bare(thought), max_tokens=1000)
    assert all(1 <= len(page.memories) <= 5 for page in pages)
    assert all(page.left_out > 0 for page in pages[:-1])
    assert [memory.rank for page in pages for memory in page.memories] == list(range(1, 13))
    assert (await explain(mind, thought)).left_out > 0
    two = (await pages_of(mind, "explain_recall", thought_id=bare(thought), limit=2))[1]
    assert [memory.rank for memory in two.memories] == [3, 4]


async def test_invalid_arguments_are_rejected(mind: Mind) -> None:
    thought = bare(await think_apart(mind, "copper kettle"))
    for arguments in ({}, {"thought_id": ""}, {"thought_id": thought, "memory_id": f"thoughts:{thought}"}):
        with pytest.raises(InvalidInput):
            await mind.operations["explain_recall"].call(arguments)
    with pytest.raises(NotFound):
        await explain(mind, "nothing")
    with pytest.raises(NotFound):
        await explain(mind, thought, memory_id="nothing")
