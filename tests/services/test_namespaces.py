"""No operation reads or writes across namespaces."""

import json
import uuid
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

import pytest

from legacymind.calls import calling
from legacymind.errors import InvalidInput, LegacyMindError, RequestRefused
from legacymind.mind import Mind
from legacymind.operations.registry import Operation
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.statements import every_statement
from tests.steps import bare, own_namespace, pages_of, remember, think, think_without_recall
from tests.wire import raw, text_indexed

pytestmark = pytest.mark.anyio

SECRET, OWN = "xylophone", "tambourine"

# Operations that only read, so each must find the data of its own namespace.
READS = {
    "search",
    "walk_trail",
    "thought_tree",
    "thought_for_action",
    "thought_reasoning_trail",
    "search_thoughts",
    "context",
    "thoughts_thread",
    "explain_recall",
    "recall",
    "get",
    "entity",
    "communities",
}


@dataclass(frozen=True)
class World:
    """A namespace with one of everything, and a word that is in no other namespace."""

    namespace: str
    word: str
    known: dict[str, Any]


async def make(mind: Mind, namespace: str, word: str, mark: str = "") -> World:
    """A world; ``mark`` makes its names those of no other."""
    call = mind.operations
    remembered = await call["remember"].call(
        {
            "namespace": namespace,
            "entities": [{"name": "instrument", "description": f"a {word} to play"}],
            "observations": [{"entity": "instrument", "content": f"The {word} is in tune."}],
            "relations": [{"source_entity": "instrument", "type": "KEPT_IN", "target_entity": "cupboard"}],
        }
    )
    ids: list[str] = []
    session = f"session{mark}"
    for number in range(3):
        result = await call["think"].call(
            {
                "content": f"playing the {word} instrument {number}",
                "namespace": namespace,
                "session_id": session,
                "chain_id": f"chain{mark}",
                "action_id": f"action{mark}",
                "context_id": f"context{mark}",
                "author": f"player{mark}",
                "parent_id": ids[-1] if ids else None,
                "injection_scale": 5,
                "idempotency_key": f"key-{number}{mark}",
                "is_private": number == 1,
            }
        )
        ids.append(result.delegated_result.thought_id)
    thread = await call["thoughts_thread"].call({"session_id": session, "namespace": namespace, "limit": 1})
    await call["analyze"].call({"namespace": namespace})
    return World(
        namespace,
        word,
        {
            "session_id": session,
            "chain_id": f"chain{mark}",
            "after": thread.next,
            "action_id": f"action{mark}",
            "context_id": f"context{mark}",
            "author": f"player{mark}",
            "origin": "user",
            "mode": "question",
            "thought_id": ids[2],
            "memory_id": ids[0],
            "target_id": ids[0],
            "name": "instrument",
            "keep": remembered.entities[0].id,
            "others": [item.id for item in remembered.entities[1:]],
            "ids": [ids[0]],
            "touched": True,
            "step": ids[2],
            "delete": True,
            "apply": True,
            "days": 0,
            "min_weight": 1,
            "action": "apply",
            "min_age": 0,
            "community": 1,
            "previous_thought_id": ids[1],
            "revises_thought": ids[0],
            "branch_from": ids[1],
            "parent_id": ids[1],
            "solves": ids[0],
            "idempotency_key": f"key-0{mark}",
            "hypothesis": f"the {word[:4]} is in tune",
            "thoughts": [
                {
                    "content": f"many about the {word[:4]} instrument",
                    "injection_scale": 5,
                    "branch_from": ids[1],
                },
                {
                    "content": "and more",
                    "hypothesis": f"the {word[:4]} is in tune",
                    "session_id": session,
                },
            ],
            "query": f"the {word} instrument",
            "injection_scale": 5,
            "include_content": True,
            "include_children": True,
            "observations": [
                {"entity": "instrument", "content": "It plays.", "supersedes": remembered.observations[0].id}
            ],
            "relations": [
                {
                    "source_entity": "instrument",
                    "type": "KEPT_IN",
                    "target_entity": "cupboard",
                    "source": "me",
                }
            ],
        },
    )


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Shared by the module, in a third namespace."""
    async with own_namespace(engine_settings) as opened:
        yield opened


@pytest.fixture(scope="module")
async def worlds(mind: Mind) -> tuple[World, World]:
    """Another namespace, which must stay hidden and unchanged, and ours, with the same names and ids."""
    theirs = await make(mind, f"{mind.settings.namespace}-theirs", SECRET)
    ours = await make(mind, f"{mind.settings.namespace}-ours", OWN)
    await text_indexed(mind)
    return theirs, ours


async def everything(mind: Mind, namespace: str) -> list[dict[str, Any]]:
    # Maintenance of another test removes the mark.
    return await raw(
        mind,
        "MATCH (n {namespace: $ns}) OPTIONAL MATCH (n)-[r]-(m) RETURN labels(n) AS labels, "
        "n {.*, mentions_deferred: null} AS n, type(r) AS type, properties(r) AS r, "
        "m.namespace AS other, m.id AS m ORDER BY n.id, labels, type, m, r.rank",
        ns=namespace,
    )


def calls(operation: Operation, known: dict[str, Any]) -> list[dict[str, Any]]:
    """The operation with its required arguments, and then with each of its other known ones."""
    free = {
        "content": f"the {SECRET[:4]} instrument",
        "thought_type": "note",
        "reason": "a test",
        "outcome": "success",
        "subcommand": "prune",
        "id": known["memory_id"],
        **dict.fromkeys(("plan_description", "analysis", "decision", "reflection"), "instrument"),
    }
    values = free | known
    required = [parameter.name for parameter in operation.parameters if parameter.required]
    assert set(required) <= values.keys(), "give this test a value for the new parameter"
    base = {name: values[name] for name in required}
    options = [p.name for p in operation.parameters if not p.required and p.name in known]
    return [base, *({**base, name: known[name]} for name in options)]


def names() -> list[str]:
    return list(Mind(Settings(), embedder=FakeEmbedder()).operations)


@pytest.mark.parametrize("name", names())
async def test_an_operation_reads_and_changes_nothing_of_another_namespace(
    mind: Mind, worlds: tuple[World, World], name: str
) -> None:
    theirs, ours = worlds
    operation = mind.operations[name]
    before = await everything(mind, theirs.namespace)
    assert SECRET in str(before)
    for arguments in calls(operation, theirs.known):
        try:
            found = await operation.call({**arguments, "namespace": ours.namespace})
            answer = json.dumps(asdict(found), default=str)
        except LegacyMindError as refused:
            answer = str(refused)
        for given in arguments.values():
            answer = answer.replace(str(given), "")  # what the caller sent
        assert SECRET not in answer
    assert await everything(mind, theirs.namespace) == before


@pytest.mark.parametrize("name", sorted(READS.intersection(names())))
async def test_the_same_calls_find_data_of_their_own_namespace(
    mind: Mind, worlds: tuple[World, World], name: str
) -> None:
    theirs, _ = worlds
    found: list[str] = []
    for arguments in calls(mind.operations[name], theirs.known):
        with suppress(InvalidInput):  # one of two may be required
            answer = await mind.operations[name].call({**arguments, "namespace": theirs.namespace})
            found.append(json.dumps(asdict(answer), default=str))
    assert any(SECRET in one for one in found)


async def test_a_fixed_namespace_is_left_by_no_argument(mind: Mind, worlds: tuple[World, World]) -> None:
    theirs, ours = worlds
    before = await everything(mind, theirs.namespace)
    with calling(namespaces=(ours.namespace,)):
        with pytest.raises(RequestRefused):  # it takes no namespace, because it concerns all of them
            await mind.operations["reembed"].call({"action": "status"})
        for operation in mind.operations.values():
            if operation.name == "reembed":
                continue
            refused: list[LegacyMindError] = []
            for arguments in calls(operation, theirs.known):
                with pytest.raises(LegacyMindError) as raised:
                    await operation.call({**arguments, "namespace": theirs.namespace})
                refused.append(raised.value)
            exempt = operation.name == "detailed_help"  # it has no namespace
            assert exempt or any(isinstance(error, RequestRefused) for error in refused), operation.name
        line = '{"kind": "thought", "content": "x"}'
        with pytest.raises(RequestRefused):
            await mind.services.importing.load([line], namespace=theirs.namespace)
        found = await mind.operations["search"].call({"query": "instrument", "namespace": " "})
        assert found.namespace == ours.namespace
        assert found.hits
        assert SECRET not in str(found)
    assert await everything(mind, theirs.namespace) == before


async def test_no_relationship_leaves_a_namespace(mind: Mind, worlds: tuple[World, World]) -> None:
    for world in worlds:
        rows = await everything(mind, world.namespace)
        assert {row["other"] for row in rows} <= {world.namespace, None}
        assert len(rows) > 20


async def test_the_same_session_in_two_namespaces_is_two_chains(
    mind: Mind, worlds: tuple[World, World]
) -> None:
    reports = [
        await mind.operations["verify_chain"].call({"session_id": "session", "namespace": world.namespace})
        for world in worlds
    ]
    assert all(report.valid for report in reports)
    assert reports[0].head_hash != reports[1].head_hash


async def test_an_unused_namespace_is_empty(mind: Mind, worlds: tuple[World, World]) -> None:
    assert await everything(mind, mind.settings.namespace) == []
    assert (await mind.operations["search"].call({"query": f"{SECRET} {OWN} instrument"})).hits == []


def test_every_statement_that_reads_or_writes_memory_takes_a_namespace() -> None:
    free = {
        query.file
        for query in every_statement()
        if "namespace" not in query.names and not query.file.startswith("schema/")
    }
    # A thought's id is unique in the database, so imports ask by id alone, and each stored thought has its
    # own namespace. Deferred items, thresholds and slots belong to the model, across all namespaces.
    # An algorithm reads a projection, which has one namespace; those of killed processes hold no data.
    # A token decides the namespace of a request.
    # Metrics count everything, and the doctor reads a sample of it and the places of all namespaces. Nodes
    # made by hand and the graphs of other tools have no namespace yet. Namespaces are listed and measured for
    # callers that may use all.
    assert free == {
        "think/find_known",
        "think/store_thoughts",
        "think/read_unmentioned",
        "think/find_naming",
        "think/store_mentions",
        "think/settle_mentions",
        "nodes/list_namespaces",
        "nodes/find_empty_namespaces",
        "maintain/read_deferred",
        "maintain/embed_deferred",
        "maintain/measure_graph",
        "maintain/sample_vectors",
        "maintain/read_tokens",
        "transfer/measure_namespaces",
        "transfer/read_quotas",
        "maintain/create_token",
        "maintain/revoke_token",
        "maintain/keep_thresholds",
        "maintain/drop_thresholds",
        "analysis/drop_projections",
        "analysis/read_version",
        "analysis/rank_nodes",
        "analysis/group_nodes",
        "analysis/compare_thoughts",
        "maintain/adopt_nodes",
        "maintain/begin_reembed",
        "maintain/clear_slot",
        "maintain/count_deferred",
        "maintain/count_by_hand",
        "maintain/defer_nodes",
        "maintain/find_crowded",
        "maintain/find_nearest",
        "maintain/find_silent",
        "maintain/forget_slot",
        "maintain/mark_missing",
        "maintain/read_transactions",
        "sync/read_horizon",
        "maintain/record_filling",
        "maintain/release_slot",
        "maintain/switch_slot",
        "maintain/find_by_hand",
        "knowledge/read_agent_memory",
        "knowledge/read_graphiti",
        "knowledge/read_mcp_neo4j_memory",
    }


async def test_reads_take_several_namespaces_and_results_name_theirs(mind: Mind) -> None:
    project, everyone = f"kestrel-{uuid.uuid4()}", f"global-{uuid.uuid4()}"
    call = mind.operations
    await call["think"].call({"content": "The copper kettle is in the lab.", "namespace": project})
    fact = {"entity": "user", "content": "The copper kettle must be descaled.", "standing": True}
    await call["remember"].call({"observations": [fact], "namespace": everyone})
    both = {"namespace": project, "also_read": [everyone]}
    for query in ("copper kettle", None):
        found = await call["search"].call({"query": query, "limit": 10, **both})
        spaces = {hit.text: hit.namespace for hit in found.hits if "kettle" in hit.text}
        assert spaces == {
            "The copper kettle is in the lab.": None,
            "The copper kettle must be descaled.": everyone,
        }
        pages = await pages_of(mind, "search", query=query, limit=1, **both)
        assert [hit.id for page in pages for hit in page.hits] == [hit.id for hit in found.hits]
    about = await call["search"].call({"about": ["user"], **both})
    assert {hit.namespace for hit in about.hits} == {everyone}
    context = await call["context"].call(both)
    assert [(hit.text, hit.namespace) for hit in context.standing] == [(fact["content"], everyone)]
    assert [hit.namespace for hit in context.recent] == [None]


async def test_a_revision_stays_before_what_it_revises_among_hits_of_several_namespaces(mind: Mind) -> None:
    old = "The copper kettle is in the lab."
    first = bare(await think(mind, old))
    await think(mind, "It stands in the attic now.", revises_thought=first)
    everyone = f"global-{uuid.uuid4()}"
    await think(mind, "A copper kettle boils faster.", namespace=everyone)
    await text_indexed(mind)
    for also in ([], [everyone]):
        found = await mind.operations["search"].call({"query": old, "also_read": also})
        own = [hit.text for hit in found.hits if hit.namespace is None]
        assert own == ["It stands in the attic now.", old]
        assert [hit.rank for hit in found.hits] == [*range(1, len(found.hits) + 1)]


async def test_a_thought_recalls_from_further_namespaces_and_is_linked_to_nothing_there(mind: Mind) -> None:
    project, everyone = f"kestrel-{uuid.uuid4()}", f"global-{uuid.uuid4()}"
    text = "The copper kettle must be descaled in March."
    there = {"namespace": everyone, "session_id": "one"}
    fact = {"entity": "copper kettle", "content": text}
    (known,) = (await remember(mind, observations=[fact], namespace=everyone)).observations
    secret = "The copper kettle was descaled secretly."
    await think_without_recall(mind, secret, is_private=True, **there)
    await think(mind, "The copper kettle is in the lab.", namespace=project, session_id="two")
    await text_indexed(mind)
    both: dict[str, Any] = {"namespace": project, "also_read": [everyone], "session_id": "one"}
    asked = "When must the copper kettle be descaled?"
    told = await think(mind, asked, **both)
    recalled = await mind.operations["recall"].call({"content": asked, "max_tokens": 10_000, **both})
    for answer in (told, recalled):
        spaces = {memory.text: memory.namespace for memory in answer.memories}
        assert spaces[text] == everyone
        assert spaces["The copper kettle is in the lab."] is None
        assert not any("secretly" in each for each in spaces)
        assert [m.score for m in answer.memories] == sorted((m.score for m in answer.memories), reverse=True)
    rows = await raw(
        mind,
        "MATCH (t:Thought {id: $id}) MATCH (f:Observation {id: $fact})"
        " RETURN t.injected_memories AS ids, f.access_count AS used,"
        " COUNT { (t)-[]-(n) WHERE n.namespace <> t.namespace } AS across",
        id=bare(told),
        fact=known.id,
    )
    assert [(known.id in row["ids"], row["used"] or 0, row["across"]) for row in rows] == [(False, 0, 0)]
    assert not (await think(mind, "Penguins swim south in winter.", **both)).memories
    with calling(namespaces=(project,)):  # a token that may not read it
        for name in ("think", "recall"):
            with pytest.raises(RequestRefused):
                await mind.operations[name].call({"content": asked, **both})


async def test_a_setting_adds_namespaces_to_reads(engine_settings: Settings) -> None:
    everyone = f"global-{uuid.uuid4()}"
    settings = engine_settings.changed(namespace=f"kestrel-{uuid.uuid4()}", also_read=everyone)
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        await mind.remember(entities=[{"name": "Osprey"}], namespace=everyone)  # pyright: ignore[reportArgumentType]
        (hit,) = (await mind.search()).hits
        assert (hit.text, hit.namespace) == ("Osprey", everyone)
        (memory,) = (await mind.recall("Where does the osprey nest?")).memories
        assert (memory.text, memory.namespace) == ("Osprey", everyone)
        with calling(namespaces=(settings.namespace,)):  # a token that may not read it
            assert not (await mind.search()).hits
            assert not (await mind.recall("Where does the osprey nest?")).memories
            with pytest.raises(RequestRefused):
                await mind.search(also_read=[everyone])


async def test_an_empty_answer_names_an_unknown_namespace_and_the_known_ones(mind: Mind) -> None:
    await mind.operations["remember"].call({"entities": [{"name": "Osprey"}]})
    wrong = f"{mind.settings.namespace}x"
    found = await mind.operations["search"].call({"query": "osprey", "namespace": wrong})
    assert f"Nothing is stored in the namespace '{wrong}'" in (found.note or "")
    assert repr(mind.settings.namespace) in (found.note or "")
    context = await mind.operations["context"].call({"namespace": wrong})
    assert wrong in " ".join(context.warnings)
    found = await mind.operations["search"].call({"query": "osprey", "also_read": [wrong]})
    assert "Osprey" in [hit.text for hit in found.hits]
    assert f"Nothing is stored in the namespace '{wrong}'" in (found.note or "")
    with calling(namespaces=(wrong,)):
        found = await mind.operations["search"].call({"query": "osprey"})
        assert mind.settings.namespace not in (found.note or "").replace(wrong, "")
