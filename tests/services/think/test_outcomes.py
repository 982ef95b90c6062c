"""Outcomes: salience, solved problems, and the playbooks that a stuck thought recalls first."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.errors import Conflict, InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.think import OutcomeResult, ThinkResult
from legacymind.services.recall import finds
from tests.steps import bare, think
from tests.wire import Wire, one, raw

pytestmark = pytest.mark.anyio

ERROR = "ValueError: invalid literal for int() with base 10: '{}' at /srv/app/{}.py line {}"


async def outcome(mind: Mind, thought: ThinkResult, what: object, **options: Any) -> OutcomeResult:
    arguments = {"thought_id": thought.delegated_result.thought_id, "outcome": what, **options}
    return await mind.operations["record_outcome"].call(arguments)


async def test_success_and_failure_move_the_salience_by_a_share_of_the_distance(mind: Mind) -> None:
    thought = await think(mind, "boil the kettle first", significance=0.5)
    for what, salience in (
        ("success", 0.65),
        ("failure", 0.47),
        ("partial", 0.5495),
        (-0.5, 0.4746),
        ("0", 0.4746),
    ):
        after = await outcome(mind, thought, what)
        assert after.salience == pytest.approx(salience, abs=1e-4), what
    stored = await one(mind, "MATCH (t:Thought {id: $id}) RETURN t.salience", id=bare(thought))
    assert round(stored, 4) == after.salience
    assert await one(mind, "MATCH (t:Thought {id: $id}) RETURN t.significance", id=bare(thought)) == 0.5
    kept = await one(mind, "MATCH (t:Thought {id: $id}) RETURN t.outcomes", id=bare(thought))
    assert [float(line.split()[1]) for line in kept] == [1.0, -1.0, 0.5, -0.5, 0.0]


async def test_the_salience_stays_in_bounds_after_any_number_of_outcomes(mind: Mind) -> None:
    liked, loathed = await think(mind, "liked"), await think(mind, "loathed")
    best, worst = await outcome(mind, liked, "success"), await outcome(mind, loathed, -7)
    for _ in range(40):
        best, worst = await outcome(mind, liked, "success"), await outcome(mind, loathed, -7)
    assert 0.99 < best.salience <= 1
    assert 0.05 <= worst.salience < 0.06
    assert worst.outcome_score == -1


async def test_a_success_is_recalled_before_a_failure(mind: Mind) -> None:
    good = await think(mind, "descale the kettle with vinegar once", session_id="a")
    bad = await think(mind, "descale the kettle with vinegar twice", session_id="b")
    await outcome(mind, good, "success")
    await outcome(mind, bad, "failure")
    found = await think(mind, "descale the kettle with vinegar", session_id="c", verbose_analysis=True)
    assert [memory.id for memory in found.memories] == [bare(good), bare(bad)]


@pytest.mark.parametrize("last", ["success", "failure"])
async def test_of_equal_texts_the_one_that_succeeded_is_recalled(mind: Mind, last: str) -> None:
    first = {"success": "failure", "failure": "success"}[last]
    both = {
        result: await think(mind, "descale the kettle with vinegar", session_id=result)
        for result in (first, last)
    }
    for result, thought in both.items():
        await outcome(mind, thought, result)
    (memory,) = (await think(mind, "descale the kettle with vinegar", session_id="c")).memories
    assert (memory.id, memory.copies) == (bare(both["success"]), 2)


async def test_a_success_solves_a_failed_command_before_it_only_if_it_is_named_or_has_the_same_error(
    mind: Mind,
) -> None:
    denied = "Bash failed: npm run build\nError: EACCES: permission denied, open 'dist'"
    failed = await think(mind, denied, hint="stuck", origin="tool", session_id="s")
    unrelated = await think(mind, "We bill by the month.", session_id="s")
    assert (await outcome(mind, unrelated, "success")).solves == []
    cause = "Root owned it, hence this:\nError: EACCES: permission denied, open 'dist'"
    same = await think(mind, cause, session_id="s")
    assert (await outcome(mind, same, "success")).solves == [bare(failed)]
    assert (await outcome(mind, unrelated, "success", solves=bare(failed))).solves == [bare(failed)]


async def test_an_outcome_changes_no_hashed_field(mind: Mind) -> None:
    thought = await think(mind, "the parser fails", session_id="hashed", hint="debug")
    await outcome(mind, await think(mind, "mended", session_id="hashed"), "success", emotional_weight=0.4)
    await outcome(mind, thought, "failure")
    report = await mind.operations["verify_chain"].call({"session_id": "hashed"})
    assert (report.valid, report.complete, report.thought_count) == (True, True, 2)


async def test_success_solves_the_nearest_problem_on_its_trail(mind: Mind) -> None:
    far = await think(mind, "the parser raises", session_id="s", hint="debug")
    near = await think(mind, "I am stuck with the lexer", session_id="s", hint="stuck")
    await think(mind, "read the grammar", session_id="s", hint="plan")
    fix = await think(mind, "escape the backslash", session_id="s", hint="build")
    after = await outcome(mind, fix, "success")
    assert after.solves == [bare(near)]
    assert after.playbook
    named = await outcome(mind, fix, "success", solves=far.delegated_result.thought_id)
    assert sorted(named.solves) == sorted([bare(near), bare(far)])
    assert (await outcome(mind, near, "failure")).solves == []


async def test_a_failure_solves_nothing_and_is_removed_from_the_playbooks(mind: Mind) -> None:
    problem = await think(mind, "the parser raises", session_id="s", hint="debug")
    fix = await think(mind, "escape the backslash", session_id="s", hint="build")
    assert not (await outcome(mind, fix, "failure", solves=bare(problem))).solves
    assert (await outcome(mind, fix, "success")).playbook
    assert not (await outcome(mind, fix, "failure")).playbook


async def test_a_failure_removes_an_earlier_solution(mind: Mind) -> None:
    one_problem = await think(mind, "the parser raises", session_id="s", hint="stuck")
    other = await think(mind, "the lexer raises", session_id="t", hint="stuck")
    fix = await think(mind, "escape the backslash", session_id="s", hint="build")
    await outcome(mind, fix, "success")
    await outcome(mind, fix, "success", solves=bare(other))
    named = await outcome(mind, fix, "failure", solves=bare(other))
    assert named.solves == [bare(one_problem)]
    assert (await outcome(mind, fix, "failure")).solves == []
    context = await mind.operations["context"].call({})
    assert {hit.id for hit in context.unresolved} == {bare(one_problem), bare(other)}


async def test_a_stuck_thought_recalls_the_solution_of_the_same_error(mind: Mind) -> None:
    problem = await think(mind, ERROR.format("x1", "parse", 12), session_id="then", hint="debug")
    fix = await think(mind, "strip the unit before converting", session_id="then", hint="build")
    assert (await outcome(mind, fix, "success")).error_signature == "valueerror: " + (
        await one(mind, "MATCH (t:Thought {id: $id}) RETURN t.error_signature", id=bare(problem))
    ).removeprefix("valueerror: ")
    await think(mind, "stuck: " + ERROR.format("x1", "parse", 12), session_id="other", hint="question")
    stuck = await think(mind, "stuck! " + ERROR.format("7kg", "weigh", 99), session_id="now", hint="stuck")
    assert [(memory.id, memory.via) for memory in stuck.memories if memory.kind == "thought"] == [
        (bare(fix), "playbook")
    ]
    plain = await think(mind, ERROR.format("7kg", "weigh", 99), session_id="calm", hint="debug")
    assert {memory.id: memory.via for memory in plain.memories}[bare(fix)] == "playbook"
    assert bare(problem) in {memory.id for memory in plain.memories}
    none = await think(mind, "stuck! KeyError: 'strip the unit'", session_id="else", hint="stuck")
    assert "playbook" not in {memory.via for memory in none.memories}


async def test_at_most_three_playbooks_are_recalled_and_no_private_or_later_ones(mind: Mind) -> None:
    now = datetime.now(UTC)
    fixes: list[ThinkResult] = []
    for number in range(5):
        await think(mind, ERROR.format(number, "a", number), session_id=f"s{number}", hint="debug")
        options = {"is_private": number == 4, "created_at": now + timedelta(hours=1) if number == 3 else None}
        fix = await think(mind, f"remedy {number}", session_id=f"s{number}", hint="build", **options)
        await outcome(mind, fix, "success", emotional_weight="0.9", own_session_id=f"s{number}")
        fixes.append(fix)
    await outcome(mind, fixes[4], "success", own_session_id="s4")
    stuck = await think(mind, ERROR.format("z", "z", 1), session_id="now", hint="stuck")
    assert sorted(memory.text for memory in stuck.memories) == ["remedy 0", "remedy 1", "remedy 2"]


async def test_recall_reads_the_most_salient_playbooks(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(finds.POOLS, "playbook", 2)
    for name, significance in {"dull": 0.1, "bright": 0.9, "plain": 0.5}.items():
        await think(mind, ERROR.format("x", "y", 1), session_id=name, hint="debug")
        fix = await think(mind, f"{name} remedy", session_id=name, hint="build", significance=significance)
        assert (await outcome(mind, fix, "success")).playbook
    stuck = await think(mind, ERROR.format("z", "z", 1), session_id="now", hint="stuck")
    assert {memory.text for memory in stuck.memories} == {"bright remedy", "plain remedy"}


async def test_a_repeated_outcome_counts_once(mind: Mind) -> None:
    thought = await think(mind, "boil it", significance=0.5)
    first = await outcome(mind, thought, "success", idempotency_key="k")
    again = await outcome(mind, thought, "success", idempotency_key="k")
    assert (first.repeated, again.repeated) == (False, True)
    with pytest.raises(Conflict, match=r"recorded another outcome of the thought .*: 1\."):
        await outcome(mind, thought, "failure", idempotency_key="k")
    assert (await outcome(mind, thought, 1.0, idempotency_key="k")).repeated
    assert first.salience == again.salience == 0.65
    assert (await outcome(mind, thought, "success")).salience > 0.65


async def test_the_key_of_an_outcome_is_known_until_a_thousand_later_ones(mind: Mind) -> None:
    thought = await think(mind, "boil it", significance=0.5)
    await outcome(mind, thought, "success", idempotency_key="k")
    add = "MATCH (t:Thought {id: $id}) SET t.outcomes = t.outcomes + [i IN range(1, $count) | 'later 0.0 -']"
    await raw(mind, add, id=bare(thought), count=999)
    assert (await outcome(mind, thought, "success", idempotency_key="k")).repeated
    assert not (await outcome(mind, thought, "success", idempotency_key="new")).repeated
    assert await one(mind, "MATCH (t:Thought {id: $id}) RETURN size(t.outcomes)", id=bare(thought)) == 1_000
    assert not (await outcome(mind, thought, "success", idempotency_key="k")).repeated


async def test_concurrent_outcomes_all_count(mind: Mind) -> None:
    thought = await think(mind, "boil it", significance=0.05)
    await asyncio.gather(*(outcome(mind, thought, "partial") for _ in range(10)))
    assert await one(
        mind, "MATCH (t:Thought {id: $id}) RETURN t.salience", id=bare(thought)
    ) == pytest.approx(1 - 0.95 * 0.85**10)


async def test_invalid_outcomes_are_rejected_and_change_nothing(mind: Mind) -> None:
    thought = await think(mind, "boil it", significance=0.5)
    for what in ("great", "", "nan", None, [1]):
        with pytest.raises(InvalidInput):
            await outcome(mind, thought, what)
    with pytest.raises(NotFound, match="could solve"):
        await outcome(mind, thought, "success", solves="nowhere")
    with pytest.raises(NotFound, match="could solve"):
        await outcome(mind, thought, "success", solves=bare(thought))
    with pytest.raises(NotFound, match="There is no thought"):
        await outcome(mind, thought, "success", namespace="elsewhere")
    assert await one(mind, "MATCH (t:Thought {id: $id}) RETURN t.salience", id=bare(thought)) == 0.5


async def test_an_outcome_takes_one_statement(mind: Mind) -> None:
    thought = await think(mind, "boil it")
    await outcome(mind, thought, "success")
    with Wire() as wire:
        await outcome(mind, thought, "success", solves=None, emotional_weight=-1)
    assert (len(wire.statements), wire.round_trips) == (1, 1)
