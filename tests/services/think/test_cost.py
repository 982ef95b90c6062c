"""Statements and round trips of the operations, counted in the driver's own log."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from legacymind.db.query import Query
from legacymind.mind import Mind
from legacymind.services.think.store import LOCK_HEAD
from tests.fakes import FakeEmbedder
from tests.wire import Wire, noted_statements, text_indexed

pytestmark = pytest.mark.anyio


def opening(query: Query[Any]) -> str:
    """The first 60 characters of a statement's text, which the log keeps."""
    return query.text[3:40]


async def cost(mind: Mind, operation: str, **arguments: Any) -> tuple[int, int, int]:
    """The numbers of statements, round trips and calls of the embedder."""
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    before = len(embedder.calls)
    with Wire() as wire:
        await mind.operations[operation].call(arguments)
    return len(wire.statements), wire.round_trips, len(embedder.calls) - before


@pytest.fixture
async def warm(mind: Mind) -> Mind:
    """A connected mind with a claimed slot, one thought in its session and some knowledge."""
    await mind.operations["think"].call({"content": "the copper kettle"})
    await mind.operations["remember"].call({"entities": [{"name": "copper kettle"}]})
    return mind


READS = ["recall/find_thoughts", "recall/find_knowledge", "recall/find_listed"]
STORE = "think/store_thoughts"

# What a thought or a search costs, by its arguments: the statements it runs, in any order.
COSTS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("think", {"injection_scale": 0}, [STORE]),
    *(("think", {"injection_scale": scale}, [*READS, STORE]) for scale in (1, 2, 3)),
    *(("think", {"injection_scale": scale}, [*READS, "recall/find_lateral", STORE]) for scale in (4, 5)),
    (
        "think",
        {"revises_thought": "pending", "parent_id": "pending too", "action_id": "act"},
        [*READS, STORE],
    ),
    ("think", {"hint": "debug"}, [*READS, "recall/find_listed", STORE]),
    ("think", {"hint": "conclude"}, [*READS, STORE]),
    ("think", {"hypothesis": "It boils."}, [*READS, "recall/find_knowledge", STORE]),
    ("think", {"session_id": "new"}, ["chain/read_head", *READS, STORE]),
    ("recall", {"injection_scale": 2}, READS),
    ("recall", {"injection_scale": 0}, []),
    ("search", {"method": "vector", "kinds": ["thought"]}, ["recall/find_thoughts"]),
    ("search", {"method": "graph", "kinds": ["entity"]}, ["recall/find_knowledge"]),
    ("search", {"method": "graph"}, READS),
    ("search", {"method": "graph", "session_id": "session", "mode": "build"}, ["recall/find_thoughts"]),
    ("search", {"method": "text"}, ["recall/find_thoughts", "recall/find_knowledge"]),
    ("search_facets", {}, ["recall/find_thoughts", "recall/find_knowledge"]),
]


@pytest.mark.parametrize(("operation", "arguments", "statements"), COSTS, ids=str)
async def test_each_operation_runs_these_statements_and_no_other(
    warm: Mind, operation: str, arguments: dict[str, Any], statements: list[str]
) -> None:
    """The table in docs/reference/architecture.md."""
    await warm.operations["think"].call({"content": "copper kettle", "hint": "build"})
    text = {"query" if operation.startswith("search") else "content": "a copper kettle"}
    await warm.operations["search"].call({"query": "kettle"})  # reads the authors
    if arguments.get("method") == "text":
        await text_indexed(warm)
    with noted_statements() as ran, Wire() as wire:
        await warm.operations[operation].call(text | arguments)
    assert sorted(ran) == sorted(statements)
    # Statements that run side by side may share a round trip.
    assert wire.round_trips <= len(wire.statements) == len(statements)


async def test_what_was_revised_takes_one_further_read(warm: Mind) -> None:
    first = await warm.operations["think"].call({"content": "the kettle is copper", "session_id": "other"})
    revised = {"content": "the kettle is steel", "revises_thought": first.delegated_result.thought_id}
    await warm.operations["think"].call(revised | {"session_id": "third"})
    with noted_statements() as ran:
        await warm.operations["think"].call({"content": "is the kettle of copper"})
    assert sorted(ran) == sorted([*READS, "recall/find_successors", STORE])
    await warm.operations["search"].call({"query": "kettle"})  # reads the authors
    await text_indexed(warm)
    for method, reads in (("graph", READS), ("text", READS[:2])):
        with Wire() as wire, noted_statements() as ran:
            await warm.operations["search"].call({"query": "is the kettle of copper", "method": method})
        assert sorted(ran) == sorted([*reads, "recall/find_successors"])
        assert len(wire.statements) == len(ran)


async def test_authors_are_read_once_and_matched_in_the_process(warm: Mind) -> None:
    await warm.operations["think"].call({"content": "I sold the kettle.", "author": "Ada"})
    with noted_statements() as ran:
        await warm.operations["think"].call({"content": "what did Ada sell?"})
        await warm.operations["search"].call({"query": "what did Ada buy?"})
        await warm.operations["think"].call({"content": "Ada and Grace went home."})  # asks nothing
    assert ran.count("recall/read_authors") == 1
    assert ran.count("recall/find_introduced") == 0
    with noted_statements() as ran:
        for _ in range(2):
            await warm.operations["search"].call({"query": "what did Grace buy?"})
    assert (ran.count("recall/read_authors"), ran.count("recall/find_introduced")) == (0, 1)


async def test_a_thought_embeds_once(warm: Mind) -> None:
    assert (await cost(warm, "think", content="a copper kettle"))[2] == 1
    assert (await cost(warm, "recall", content="a copper kettle again"))[2] == 1


async def test_a_stale_head_costs_one_more_write(warm: Mind) -> None:
    async with Mind(warm.settings, session_id="session", embedder=FakeEmbedder()) as cold:
        await cold.operations["think"].call({"content": "in the same session"})
    with noted_statements() as ran:
        await warm.operations["think"].call({"content": "moved on by the other"})
    assert ran.count(STORE) == 2


async def test_a_session_that_others_keep_writing_is_locked_first(
    warm: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Mind(warm.settings, session_id="session", embedder=FakeEmbedder()) as other:

        def interrupted(way: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            async def after_another(*given: Any, **named: Any) -> Any:
                await other.operations["think"].call({"content": "in between", "injection_scale": 0})
                return await way(*given, **named)

            return after_another

        with monkeypatch.context() as patch:
            patch.setattr(warm.graph, "run", interrupted(warm.graph.run))
            patch.setattr(warm.graph, "transaction", interrupted(warm.graph.transaction))
            await warm.operations["think"].call(
                {"content": "misses three times, then locks", "injection_scale": 0}
            )
        for written in (True, False):
            if written:
                await other.operations["think"].call({"content": "once more"})
            with Wire() as wire:
                await warm.operations["think"].call({"content": "without comparing", "injection_scale": 0})
            assert [opening(LOCK_HEAD) in statement for statement in wire.statements] == [True, False]
        assert await cost(warm, "think", content="nobody else has written", injection_scale=0) == (1, 1, 1)
    report = await warm.operations["verify_chain"].call({"session_id": "session"})
    assert (report.valid, report.complete, report.thought_count) == (True, True, 10)


async def test_any_number_of_entities_takes_one_embed_and_one_statement(warm: Mind) -> None:
    for number in (1, 100):
        entities = [{"name": f"thing {n}", "description": "of many"} for n in range(number)]
        assert await cost(warm, "remember", entities=entities) == (1, 1, 1)
        assert await cost(warm, "remember", entities=entities) == (1, 1, 1)


async def test_each_kind_of_knowledge_takes_one_statement_in_one_transaction(warm: Mind) -> None:
    things = [{"name": f"thing {n}"} for n in range(1000)]
    facts = [{"entity": f"thing {n}", "content": f"It is number {n}."} for n in range(1000)]
    links = [
        {"source_entity": f"thing {n}", "type": "NEXT_TO", "target_entity": "thing 0"} for n in range(1000)
    ]
    statements, trips, embeds = await cost(warm, "remember", observations=facts)
    assert (statements, embeds) == (3, 1)  # the last reads what is near to the new facts
    assert trips <= 5
    statements, trips, embeds = await cost(
        warm, "remember", entities=things, observations=facts, relations=links
    )
    assert (statements, embeds) == (3, 1)
    assert trips <= 5
    again = await warm.operations["remember"].call(
        {"entities": things, "observations": facts, "relations": links}
    )
    sizes = (len(again.entities), len(again.observations), len(again.relations), again.created)
    assert sizes == (1000, 1000, 1000, 0)


async def test_reads_embed_nothing(warm: Mind) -> None:
    result = await warm.operations["think"].call({"content": "a copper kettle"})
    thought_id = result.delegated_result.thought_id
    assert await cost(warm, "walk_trail", thought_id=thought_id) == (3, 3, 0)  # with the kind of the start
    assert await cost(warm, "thoughts_thread", session_id="session") == (2, 2, 0)
    assert await cost(warm, "thoughts_links", thought_id=thought_id) == (1, 1, 0)
    assert await cost(warm, "get", id=thought_id) == (1, 1, 0)
    entity = (await warm.operations["remember"].call({"entities": [{"name": "Kettle"}]})).entities[0]
    assert await cost(warm, "entity", name="Kettle") == (1, 1, 0)
    assert await cost(warm, "duplicates") == (1, 1, 0)
    other = (await warm.operations["remember"].call({"entities": [{"name": "Pot"}]})).entities[0]
    assert await cost(warm, "merge", keep="kettle", others=[other.id]) == (1, 1, 0)
    assert await cost(warm, "relate_thought", thought_id=thought_id, target_id=entity.id) == (1, 1, 0)
    assert await cost(warm, "pin_thought", thought_id=thought_id) == (1, 1, 0)
    assert await cost(warm, "forget", id=entity.id) == (1, 1, 0)
    assert await cost(warm, "communities") == (1, 1, 0)
    # For each of three algorithms: the server's version, the projection, the algorithm, its results, the end
    # of the projection, and one for each batch of results. For similarities also the slot and its indexes,
    # and those that are not found again.
    assert await cost(warm, "analyze") == (15, 15, 0)
    assert await cost(warm, "explain_recall", thought_id=thought_id) == (4, 4, 0)
    assert await cost(warm, "thought_tree", session_id="session", include_children=True) == (1, 1, 0)
    assert await cost(warm, "thought_for_action", action_id="act") == (1, 1, 0)
    assert await cost(warm, "thought_reasoning_trail", action_id="act") == (1, 1, 0)
    statements, _, embeds = await cost(warm, "verify_chain", session_id="session")
    assert (statements, embeds) == (3, 0)  # the steps, the head, and what is outside the chain


async def test_rejected_input_does_not_reach_the_server(warm: Mind) -> None:
    with Wire() as wire:
        for operation, arguments in (("think", {"content": ""}), ("search", {"query": "x", "limit": "y"})):
            with pytest.raises(Exception, match=r"content is empty|limit"):
                await warm.operations[operation].call(arguments)
    assert (wire.statements, wire.round_trips) == ([], 0)
