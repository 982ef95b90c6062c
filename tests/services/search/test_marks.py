"""Every read of a thought says what revises, solves and contradicts it, as think does."""

import pytest

from legacymind.mind import Mind
from tests.steps import bare, store_thought, think_apart
from tests.wire import db_hits, raw, text_indexed

pytestmark = pytest.mark.anyio


async def link(mind: Mind, kind: str, source: str, target: str) -> None:
    statement = "MATCH (a:Thought {id: $a}), (b:Thought {id: $b}) CREATE (a)-[:$($kind)]->(b)"
    await raw(mind, statement, a=source, b=target, kind=kind)


async def test_a_solved_problem_has_the_same_marks_in_every_read(mind: Mind) -> None:
    problem = await store_thought(mind, "the copper kettle leaks", session_id="shop", hint="stuck")
    weak = await store_thought(mind, "put a pot below", session_id="shop", significance=0.2)
    first = await store_thought(mind, "glue the seam", session_id="shop", significance=0.9)
    better = await store_thought(
        mind, "solder the seam", session_id="shop", significance=0.8, revises_thought=first
    )
    await store_thought(mind, "hush", session_id="other", is_private=True, revises_thought=better)
    doubt = await store_thought(mind, "it was rain", session_id="shop")
    for solution in (weak, first):
        await link(mind, "SOLVES", solution, problem)
    await link(mind, "CONTRADICTS", doubt, problem)
    await text_indexed(mind)
    wanted = (None, better, doubt)

    thought = await think_apart(mind, "the copper kettle leaks now")
    recalled = {memory.id: memory for memory in thought.memories}[problem]
    assert (recalled.revised_by, recalled.solved_by, recalled.contradicted_by) == wanted

    for arguments in (
        {"query": "copper kettle leaks"},
        {"query": "copper kettle leaks", "method": "vector"},
        {"query": "copper kettle leaks", "method": "text"},
        {"query": "copper kettle leaks", "session_id": "shop"},
        {"session_id": "shop"},
    ):
        found = await mind.operations["search"].call(arguments)
        hit = {hit.id: hit for hit in found.hits}[problem]
        assert (hit.revised_by, hit.solved_by, hit.contradicted_by) == wanted, arguments
    context = await mind.operations["context"].call({"query": "copper kettle leaks", "session_id": "shop"})
    assert context.unresolved == []
    hit = {hit.id: hit for hit in (*context.relevant, *context.recent)}[problem]
    assert (hit.revised_by, hit.solved_by, hit.contradicted_by) == wanted

    thread = await mind.operations["thoughts_thread"].call({"session_id": "shop"})
    in_thread = {one.id: one for one in thread.thoughts}
    assert [one.id for one in thread.thoughts] == [problem, weak, first, better, doubt]
    shown = in_thread[problem]
    assert (shown.revised_by, shown.solved_by, shown.contradicted_by) == wanted
    assert (in_thread[first].revised_by, in_thread[first].solved_by) == (better, None)
    trail = await mind.operations["walk_trail"].call({"thought_id": bare(thought)})
    step = {step.id: step for step in trail.steps}[problem]
    assert (step.revised_by, step.solved_by, step.contradicted_by) == wanted
    explained = await mind.operations["explain_recall"].call({"thought_id": bare(thought)})
    memory = {memory.id: memory for memory in explained.memories}[problem]
    assert (memory.revised_by, memory.solved_by, memory.contradicted_by) == wanted


async def test_a_chain_thread_hides_private_solutions(mind: Mind) -> None:
    problem = await store_thought(mind, "the kettle leaks", session_id="a", chain_id="c")
    secret = await store_thought(mind, "solder it", session_id="b", is_private=True)
    await link(mind, "SOLVES", secret, problem)
    for arguments, solved_by in (
        ({"chain_id": "c"}, None),
        ({"chain_id": "c", "own_session_id": "b"}, secret),
    ):
        thread = await mind.operations["thoughts_thread"].call(arguments)
        assert [(one.id, one.solved_by) for one in thread.thoughts] == [(problem, solved_by)]


@pytest.mark.slow
async def test_marks_of_a_thread_cost_work_by_its_page_and_not_by_the_memory(mind: Mind) -> None:
    async def thread(session: str) -> int:
        return await db_hits(mind, "thoughts_thread", {"session_id": session, "limit": 5})

    for n in range(6):
        await store_thought(mind, f"kettle {n}", session_id="s")
    few = await thread("s")
    await raw(
        mind,
        "UNWIND range(1, 3000) AS n CREATE (:Thought {namespace: $ns, id: $ns + '-' + n, session_id: 'many', "
        "content: 'cloud ' + n, is_private: false, hot: true, created_at: datetime()})",
        ns=mind.settings.namespace,
    )
    assert await thread("s") <= 1.2 * few + 20
