"""Vector indexes answer even in small namespaces and directly after deletions."""

from typing import LiteralString

import pytest

from legacymind.db.schema import APPLY_SCHEMA, INDEX_NAMES
from legacymind.errors import DatabaseError
from legacymind.mind import Mind
from tests.fakes import FakeEmbedder
from tests.wire import raw

pytestmark = [pytest.mark.anyio, pytest.mark.last, pytest.mark.slow]

NAMES = [f"thing {number}" for number in range(60)]


@pytest.fixture
async def stored(mind: Mind) -> Mind:
    """A mind with sixty entities and as many thoughts, the latest in their indexes."""
    await mind.operations["remember"].call({"entities": [{"name": name} for name in NAMES]})
    await raw(
        mind,
        "UNWIND $ids AS id CREATE (t:Thought {id: id, namespace: $ns, is_private: false, hot: true, "
        "found_until: datetime('9999-12-31')}) "
        "SET t.created_at = datetime() "
        "WITH t CALL db.create.setNodeVectorProperty(t, 'embedding_a', $vector)",
        ids=[f"{mind.settings.namespace}-{name}" for name in NAMES],
        ns=mind.settings.namespace,
        vector=(await mind.vectors.embed(["thing"]))[0],
    )
    return mind


@pytest.mark.parametrize(
    "deleted",
    [
        "MATCH (e:Entity {namespace: $ns, name: 'thing 7'}) DETACH DELETE e",
        "MATCH (t:Thought {namespace: $ns}) WHERE t.id ENDS WITH 'thing 7' DETACH DELETE t",
    ],
    ids=["entity", "thought"],
)
async def test_a_search_and_a_thought_work_in_a_small_namespace_after_a_deletion(
    stored: Mind, deleted: LiteralString
) -> None:
    # A quantized index returns more rows than it has when its last segment lacks a document, and fails.
    await raw(stored, deleted, ns=stored.settings.namespace)
    elsewhere = f"{stored.settings.namespace}-elsewhere"
    for kind in ("thought", "entity", "observation"):
        arguments = {"query": "x", "kinds": [kind], "namespace": elsewhere}
        assert (await stored.operations["search"].call(arguments)).hits == []
    thought = await stored.operations["think"].call({"content": "x", "namespace": elsewhere})
    assert thought.memories == []


async def test_the_index_works_after_a_redaction(mind: Mind) -> None:
    thought = await mind.operations["think"].call({"content": "thing to redact", "injection_scale": 0})
    arguments = {"thought_id": thought.delegated_result.thought_id, "reason": "asked to"}
    await mind.operations["redact_thought"].call(arguments)
    for method in ("vector", "graph"):
        assert (await mind.operations["search"].call({"query": "thing", "method": method})).hits == []


@pytest.mark.alone
async def test_a_failed_index_of_legacymind_is_reported_and_one_of_others_ignored(
    mind: Mind,
) -> None:
    assert "thought_playbook" in INDEX_NAMES
    await mind.graph.ready()
    too_long = "x" * 40_000  # more than a range index accepts
    await raw(mind, "CREATE (:Broken {text: $long})", long=too_long)
    await raw(mind, "CREATE RANGE INDEX broken FOR (b:Broken) ON (b.text)")
    await raw(mind, "DROP INDEX thought_playbook")
    await raw(
        mind,
        "CREATE (:Thought {id: $id, namespace: $id, playbook: $long, salience: 0.5})",
        id="broken",
        long=too_long,
    )
    try:
        async with Mind(mind.settings, embedder=FakeEmbedder()) as other:
            assert (await other.operations["search"].call({"query": "x"})).hits == []
        for statement in APPLY_SCHEMA:
            if "thought_playbook" in statement.text:
                await mind.graph.run(statement, {})
        async with Mind(mind.settings, embedder=FakeEmbedder()) as other:
            with pytest.raises(DatabaseError, match="thought_playbook could not be built"):
                await other.operations["search"].call({"query": "x"})
    finally:
        await raw(mind, "MATCH (n) WHERE n:Broken OR n.id = 'broken' DETACH DELETE n")
        await raw(mind, "DROP INDEX broken IF EXISTS")
        await raw(mind, "DROP INDEX thought_playbook IF EXISTS")
        for statement in APPLY_SCHEMA:
            if "thought_playbook" in statement.text:
                await mind.graph.run(statement, {})
    async with Mind(mind.settings, embedder=FakeEmbedder()) as healed:
        assert (await healed.operations["search"].call({"query": "x"})).hits == []
