"""Batches of thoughts, which equal single calls, and the presets think_convo and think_technical."""

import asyncio
import time
from collections import Counter
from typing import Any

import pytest

from legacymind.errors import Conflict, InvalidInput
from legacymind.mind import Mind
from legacymind.model.think import ThinkBatchResult, ThinkResult
from legacymind.services.chain.reads import CHECK_LINKS
from tests.fakes import FakeEmbedder
from tests.steps import bare
from tests.wire import noted_statements, one, raw

pytestmark = pytest.mark.anyio


async def batch(mind: Mind, *thoughts: dict[str, Any] | str) -> ThinkBatchResult:
    sent = [{"content": thought} if isinstance(thought, str) else thought for thought in thoughts]
    return await mind.operations["think_batch"].call({"thoughts": sent})


async def test_a_batch_of_any_size_takes_one_embed_and_one_write(mind: Mind) -> None:
    await batch(mind, "the first of all")
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    for size in (2, 100):
        before = len(embedder.calls)
        with noted_statements() as ran:
            done = await batch(mind, *({"content": f"thought {n}", "hypothesis": "tea"} for n in range(size)))
        assert done.count == size
        assert len(embedder.calls) - before == 1
        # Of each thought three reads for its memories, and one for its hypothesis.
        assert Counter(ran) == {
            "recall/find_thoughts": size,
            "recall/find_knowledge": 2 * size,
            "recall/find_listed": size,
            "think/store_thoughts": 1,
        }


async def test_the_thoughts_of_a_batch_are_chained_and_linked_in_order(mind: Mind) -> None:
    await mind.operations["think"].call({"content": "before"})
    done = await batch(mind, *(f"step {n}" for n in range(5)))
    assert [thought.step_index for thought in done.thoughts] == [1, 2, 3, 4, 5]
    after: ThinkResult = await mind.operations["think"].call({"content": "after"})
    assert after.links.previous_thought_id == done.thoughts[-1].thought_id
    report = await mind.operations["verify_chain"].call({"session_id": "session"})
    assert (report.valid, report.complete, report.thought_count) == (True, True, 7)
    faults = await mind.graph.run(
        CHECK_LINKS, {"namespace": mind.settings.namespace, "session_id": "session"}
    )
    assert faults == []
    follows = await one(
        mind,
        "MATCH p = (:Thought {id: $last})-[:FOLLOWS]->{6}(:Thought) RETURN length(p)",
        last=bare(after),
    )
    assert follows == 6


async def test_each_session_of_a_batch_has_its_own_chain(mind: Mind) -> None:
    sent = [{"content": f"{n}", "session_id": f"s{n % 3}"} for n in range(9)] + [{"content": "none"}]
    done = await batch(mind, *sent)
    assert [thought.step_index for thought in done.thoughts[:9]] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    for number in range(3):
        report = await mind.operations["verify_chain"].call({"session_id": f"s{number}"})
        assert (report.valid, report.complete, report.thought_count) == (True, True, 3)


async def test_thoughts_of_a_batch_recall_earlier_ones_of_it(mind: Mind) -> None:
    for scale, subject in ((2, "copper kettle"), (3, "silver spoon")):
        sent = [
            {"content": text, "session_id": text[-1], "hint": "build", "injection_scale": scale}
            for text in (f"{subject} a", "blue whale b", f"{subject} c")
        ]
        done = await batch(mind, *sent)
        first, second, third = done.thoughts
        assert first.thought_id in third.recalled
        assert second.thought_id not in third.recalled
        assert third.thought_id not in first.recalled


async def test_a_thought_of_a_batch_can_link_to_a_later_one_by_its_key(mind: Mind) -> None:
    late = mind.services.think.prepare(content="late", idempotency_key="late").id
    done = await batch(
        mind, {"content": "early", "parent_id": late}, {"content": "late", "idempotency_key": "late"}
    )
    children = await raw(mind, "MATCH (c)-[:CHILD_OF]->(:Thought {id: $id}) RETURN c.id AS id", id=late)
    assert [row["id"] for row in children] == [done.thoughts[0].thought_id]
    assert (
        await one(mind, "MATCH (p:Pending {namespace: $n}) RETURN count(p)", n=mind.settings.namespace) == 0
    )


async def test_a_repeated_batch_is_stored_once_and_a_part_of_it_returns_the_stored_thoughts(
    mind: Mind,
) -> None:
    sent = [{"content": f"thought {n}", "idempotency_key": f"k{n}"} for n in range(4)]
    first = await batch(mind, *sent[:2])
    longer = await batch(mind, *sent)
    assert (first.repeated, longer.repeated) == (0, 2)
    again = await batch(mind, *sent)
    assert again.repeated == 4
    assert [thought.thought_id for thought in again.thoughts] == [
        thought.thought_id for thought in longer.thoughts
    ]
    assert [thought.step_index for thought in again.thoughts] == [0, 1, 2, 3]
    report = await mind.operations["verify_chain"].call({"session_id": "session"})
    assert (report.valid, report.complete, report.thought_count) == (True, True, 4)


async def test_a_batch_with_one_bad_thought_stores_nothing(mind: Mind) -> None:
    await batch(mind, {"content": "taken", "idempotency_key": "k"})
    bad: list[list[dict[str, Any]]] = [
        [{"content": "good"}, {"content": ""}],
        [{"content": "good"}, {"hint": "build"}],
        [{"content": "good"}, {"content": "x", "colour": "red"}],
        [{"content": "good", "idempotency_key": "a"}, {"content": "good", "idempotency_key": "a"}],
        [],
        [{"content": "x"}] * 101,
    ]
    for thoughts in bad:
        with pytest.raises(InvalidInput):
            await batch(mind, *thoughts)
    with pytest.raises(Conflict):
        await batch(mind, {"content": "good"}, {"content": "other", "idempotency_key": "k"})
    count = await one(mind, "MATCH (t:Thought {namespace: $n}) RETURN count(t)", n=mind.settings.namespace)
    assert count == 1


@pytest.mark.slow
async def test_batches_of_the_same_sessions_at_once_wait_for_each_other(mind: Mind) -> None:
    async with Mind(mind.settings, embedder=FakeEmbedder()) as other:
        await asyncio.gather(
            *(
                batch(one_of, *({"content": f"{n} {m}", "session_id": f"s{(n + m) % 3}"} for m in range(6)))
                for n in range(6)
                for one_of in (mind, other)
            )
        )
    for number in range(3):
        report = await mind.operations["verify_chain"].call({"session_id": f"s{number}"})
        assert (report.valid, report.complete, report.thought_count) == (True, True, 24)


async def test_think_convo_and_think_technical_set_their_mode_for_any_text(mind: Mind) -> None:
    talk, work = mind.operations["think_convo"], mind.operations["think_technical"]
    cases = [
        (talk, {"content": "an error in the parser"}, ("question", 2, 0.5)),
        (talk, {"content": "let us wrap up"}, ("conclude", 2, 0.5)),
        (work, {"content": "we concluded that the error is a bug"}, ("debug", 3, 0.8)),
        (work, {"content": "a fine day"}, ("build", 2, 0.6)),
        (work, {"content": "an error in the parser"}, ("debug", 3, 0.8)),
        (work, {"content": "an error in the parser", "mode": "plan"}, ("plan", 3, 0.7)),
        (work, {"content": "let us wrap up", "mode": "stuck"}, ("stuck", 3, 0.9)),
        (work, {"content": "fine", "injection_scale": "1", "significance": 7}, ("build", 1, 1.0)),
    ]
    for operation, arguments, expected in cases:
        result: ThinkResult = await operation.call(arguments)
        (row,) = await raw(
            mind,
            "MATCH (t:Thought {id: $id}) RETURN t.mode, t.injection_scale, t.significance",
            id=bare(result),
        )
        assert tuple(row.values()) == expected, arguments
    with pytest.raises(InvalidInput):
        await work.call({"content": "x", "mode": "question"})


@pytest.mark.slow
async def test_other_calls_are_answered_while_a_megabyte_is_analysed(mind: Mind) -> None:
    text = "The pump of line seven failed again because the valve_seat was worn; see run-4711. " * 1_200
    of_loop, of_all = time.thread_time(), time.process_time()
    work = mind.services.think.prepared([{"content": f"{number} {text}"} for number in range(10)])
    assert len(await work) == 10
    assert time.thread_time() - of_loop < (time.process_time() - of_all) / 4
