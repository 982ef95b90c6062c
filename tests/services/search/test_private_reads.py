"""Every read shows private thoughts only if their session is named or is the process's own."""

import copy
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.doors.answer import jsonable
from legacymind.mind import Mind
from legacymind.model.base import ObservationInput
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import bare, own_namespace, store_thought
from tests.wire import raw

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Case:
    """A session of five thoughts, two of them private, read by a process without a session."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.ids: dict[str, str] = {}

    async def think(self, content: str, **options: Any) -> None:
        options |= {"created_at": NOW + timedelta(hours=len(self.ids)), "session_id": "mine"}
        thought = await self.mind.operations["think"].call({"content": f"copper kettle {content}", **options})
        self.ids[content] = bare(thought)

    async def read(self, operation: str, **arguments: Any) -> tuple[Any, str]:
        """The result, and its text as a client receives it."""
        answer = await self.mind.operations[operation].call(arguments)
        return answer, str(jsonable(answer))


@pytest.fixture(scope="module")
async def stored(engine_settings: Settings) -> AsyncIterator[Case]:
    """Shared by the module: the tests only read."""
    async with own_namespace(engine_settings) as mind:
        made = Case(mind)
        kept: dict[str, Any] = {"injection_scale": 0, "chain_id": "red"}
        await made.think("root", **kept)
        await made.think("secret step", is_private=True, parent_id=made.ids["root"], **kept)
        await made.think("leaf", parent_id=made.ids["secret step"], action_id="act", **kept)
        await made.think("secret leaf", is_private=True, parent_id=made.ids["leaf"], action_id="act", **kept)
        await made.think("last", chain_id="red", injection_scale=2)
        yield made


@pytest.fixture
def case(stored: Case) -> Case:
    """A copy, because a test may replace its mind."""
    return copy.copy(stored)


READS: list[tuple[str, dict[str, str]]] = [
    ("search", {"query": "copper kettle", "method": "vector"}),
    ("search", {"query": "copper kettle"}),
    ("walk_trail", {"thought_id": "last"}),
    ("walk_trail", {"thought_id": "root", "direction": "forward"}),
    ("thoughts_thread", {"chain_id": "red"}),
    ("thoughts_links", {"thought_id": "leaf"}),
    ("thought_for_action", {"action_id": "act"}),
    ("thought_reasoning_trail", {"action_id": "act"}),
    ("explain_recall", {"thought_id": "last"}),
    ("context", {"query": "copper kettle"}),
    ("recall", {"content": "copper kettle", "created_at": "2026-03-02"}),
]


@pytest.mark.parametrize(("operation", "arguments"), READS, ids=lambda value: str(value)[:30])
async def test_no_read_shows_private_thoughts_unless_their_session_is_named(
    case: Case, operation: str, arguments: dict[str, str]
) -> None:
    given = {name: case.ids.get(value, value) for name, value in arguments.items()}
    name = "session_id" if operation in ("explain_recall", "context", "recall") else "own_session_id"
    # A link has the id of its target, even of a private one. Thoughts that link to one are hidden.
    hidden = case.ids["secret leaf"] if operation == "thoughts_links" else "secret"
    for other in ({}, {name: "another"}):
        _, text = await case.read(operation, **given, **other)
        assert hidden not in text
    _, text = await case.read(operation, **given, **{name: "mine"})
    assert hidden in text
    # The process's own session need not be named.
    async with Mind(case.mind.settings, session_id="mine", embedder=FakeEmbedder()) as own:
        case.mind = own
        _, text = await case.read(operation, **given)
        assert hidden in text


async def test_a_read_that_names_a_session_shows_its_private_thoughts(case: Case) -> None:
    for operation in ("thoughts_thread", "thought_tree"):
        _, text = await case.read(operation, session_id="mine", **({} if "thread" in operation else CHILDREN))
        assert "secret step" in text
        assert "secret leaf" in text


CHILDREN: dict[str, Any] = {"include_children": True}


async def test_private_thoughts_that_led_to_an_action_are_counted_in_their_own_session(case: Case) -> None:
    linked, _ = await case.read("thought_for_action", action_id="act")
    assert (linked.count, linked.next) == (1, None)
    linked, _ = await case.read("thought_for_action", action_id="act", own_session_id="mine")
    assert linked.count == 2


async def test_an_action_exists_for_those_who_may_read_a_thought_of_it(case: Case) -> None:
    await case.think("plot", is_private=True, action_id="plot", injection_scale=0)
    services = case.mind.services
    for session, known in (("another", ["act"]), ("mine", ["act", "plot"])):
        view = services.reads.view(None, session)
        listed = await services.lists.actions(view, first=10, after=None)
        assert [edge.node.id for edge in listed.edges] == known
        read = await services.reads.actions(view, ["act", "plot", "none"])
        assert [one.id for one in read if one is not None] == known


async def test_a_reasoning_trail_continues_above_a_private_step(case: Case) -> None:
    reasoned, _ = await case.read("thought_reasoning_trail", action_id="act")
    ((root, leaf),) = reasoned.trails
    assert (root.thought_id, leaf.thought_id) == (case.ids["root"], case.ids["leaf"])
    assert (reasoned.trail_count, reasoned.earlier) == (1, [0])
    reasoned, _ = await case.read("thought_reasoning_trail", action_id="act", own_session_id="mine")
    assert [len(trail) for trail in reasoned.trails] == [3, 4]


async def test_what_a_session_keeps_to_itself_changes_no_answer_for_others(mind: Mind) -> None:
    """A private revision, solution, contradiction or source of what everybody may read."""
    problem = await store_thought(mind, "the copper kettle leaks", hint="stuck", session_id="shop")
    learned = ObservationInput(entity="Kettle", content="it leaks", learned_from=problem)
    (fact,) = (await mind.remember(observations=[learned])).observations
    linked = {"thought_id": problem, "types": ["REVISES", "SOLVES", "CONTRADICTS"], "direction": "both"}
    reads: list[tuple[str, dict[str, Any]]] = [
        ("context", {"query": "copper kettle"}),
        ("context", {}),
        ("thoughts_thread", {"session_id": "shop"}),
        ("walk_trail", linked),
        ("thoughts_links", {"thought_id": problem}),
        ("get", {"id": problem}),
        ("get", {"id": fact.id}),
        ("entity", {"name": "Kettle", "as_of": datetime.now(UTC).isoformat()}),
    ]

    async def answers() -> list[Any]:
        return [jsonable(await mind.operations[name].call(given)) for name, given in reads]

    before = await answers()
    assert problem in str(before[0]["unresolved"])
    hidden: dict[str, Any] = {"session_id": "diary", "is_private": True}
    await store_thought(mind, "the copper kettle was never tight", revises_thought=problem, **hidden)
    secret = await store_thought(mind, "solder the copper kettle", **hidden)
    await raw(
        mind,
        "MATCH (t:Thought {id: $secret}), (p:Thought {id: $problem}), (o:Observation {id: $fact}) "
        "CREATE (t)-[:SOLVES]->(p), (t)-[:CONTRADICTS]->(p), (o)-[:LEARNED_FROM]->(t)",
        secret=secret,
        problem=problem,
        fact=fact.id,
    )
    assert await answers() == before
