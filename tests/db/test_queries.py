"""Every Cypher file has its constant, and every constant is checked on the server."""

import re
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, LiteralString, cast

import pytest
from neo4j import ResultSummary
from neo4j import exceptions as neo

from legacymind import files
from legacymind.db.filters import CONDITIONS, FILTERS
from legacymind.db.graph import WRITE_VERSION
from legacymind.db.query import NoRow, Parameters, Query, load
from legacymind.db.schema import APPLY_SCHEMA, CREATE_VECTOR_INDEXES, DROP_VECTOR_INDEXES, VERSION
from legacymind.mind import Mind
from legacymind.services.chain.reads import READ_CHAIN, READ_HEAD
from legacymind.services.recall.finds import FIND_KNOWLEDGE, FIND_TAGGED, FIND_THOUGHTS
from legacymind.settings import Settings
from scripts import compose_cypher
from tests.fakes import FakeEmbedder
from tests.statements import assert_declared, every_statement
from tests.wire import raw

pytestmark = pytest.mark.anyio

EVERY = every_statement()
STATEMENTS = compose_cypher.statements()
SCHEMA = {query.file for query in (*APPLY_SCHEMA, *CREATE_VECTOR_INDEXES, *DROP_VECTOR_INDEXES)}
SLOTTED = [query for query in EVERY if query.file not in SCHEMA and "embedding_a" in query.text]
IN_VECTOR_INDEX = [name for name, one in FILTERS.items() if not one.is_list]


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Shared by the module: no test stores a thought."""
    settings = engine_settings.changed(namespace=f"test-{uuid.uuid4()}")
    async with Mind(settings, embedder=FakeEmbedder()) as opened:
        await opened.vectors.claim()
        yield opened


def named(query: Query[Any]) -> str:
    return query.file


async def explained(mind: Mind, query: Query[Any]) -> tuple[list[str], ResultSummary]:
    """The columns that a statement returns on the server, and the summary with its plan."""
    text = re.sub(r"^(CYPHER 25|CALL)\b", r"EXPLAIN \1", query.text, count=1, flags=re.MULTILINE)
    assert text.count("EXPLAIN") == 1
    async with mind.graph._connected().session("WRITE") as session:  # pyright: ignore[reportPrivateUsage]  # rows have neither
        result = await session.run(cast("LiteralString", text), dict.fromkeys(query.names))
        columns = list(result.keys())
        return columns, await result.consume()


async def explain(mind: Mind, query: Query[Any]) -> tuple[list[str], bool]:
    """The columns that a statement returns on the server, and whether it writes."""
    columns, summary = await explained(mind, query)
    assert summary.query_type is not None
    return columns, "w" in summary.query_type


def operators(plan: Any) -> list[str]:
    """The operators of a plan."""
    return [plan["operatorType"], *(name for child in plan.get("children", []) for name in operators(child))]


@pytest.mark.parametrize("query", [query for query in EVERY if "replan=skip" in query.text], ids=named)
async def test_a_plan_that_is_kept_while_the_graph_grows_reads_no_label_as_a_whole(
    mind: Mind, query: Query[Any]
) -> None:
    _, summary = await explained(mind, query)
    found = operators(cast("Any", summary.plan))
    assert [name for name in found if "Scan" in name] == []
    assert any("UniqueIndexSeek" in name for name in found)


def test_every_file_has_one_constant_and_every_constant_a_file() -> None:
    on_disk = {file.relative_to(files.path("cypher")).with_suffix("").as_posix() for file in STATEMENTS}
    # Files that people only paste into Neo4j Browser need no constant.
    on_disk = {file for file in on_disk if not file.startswith("browser/")}
    constants = [query.file for query in EVERY]
    assert sorted(constants) == sorted(on_disk)


@pytest.mark.parametrize("file", STATEMENTS, ids=lambda file: file.stem)
def test_a_file_begins_with_a_comment_and_has_one_statement(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    first = text.splitlines()[0]
    assert first.startswith("// ")
    assert len(first) > 20
    statement = re.sub(r"//[^\n]*|^:param [^\n]*", "", text, flags=re.MULTILINE).strip()
    assert statement
    assert ";" not in statement


def test_a_file_without_a_comment_is_rejected_at_load(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def uncommented(*_: str) -> str:
        return "RETURN 1 AS one"

    monkeypatch.setattr(files, "text", uncommented)
    with pytest.raises(ValueError, match="comment"):
        load("x", NoRow, writes=False)


@pytest.mark.parametrize(
    "names",
    [*([name] for name in IN_VECTOR_INDEX), IN_VECTOR_INDEX, ["hot", "since", "before"]],
    ids=" ".join,
)
def test_every_filter_is_a_condition_of_the_vector_index(names: list[str]) -> None:
    for searching in (FIND_THOUGHTS, FIND_TAGGED):
        query = searching.filtered(names)
        for name in names:
            assert CONDITIONS[name].condition in query.text
        assert "filters*/" not in query.text
        assert query.names == searching.names | set(names)


async def test_the_server_answers_all_filters_inside_the_vector_index(mind: Mind) -> None:
    """``tests/services/search/test_filters.py`` searches with each of them."""
    for query in (FIND_THOUGHTS, FIND_TAGGED):
        columns, writes = await explain(mind, query.filtered(IN_VECTOR_INDEX))
        assert_declared(query, columns)
        assert not writes


def test_statements_with_a_search_clause_search_vectors() -> None:
    searching = {query.file for query in EVERY if query.searches_vectors}
    assert {"recall/find_thoughts", "recall/find_knowledge", "knowledge/find_duplicates"} <= searching
    assert not searching & (SCHEMA | {"think/store_thoughts"})


def test_only_filters_of_the_fixed_list_are_composed() -> None:
    with pytest.raises(KeyError):
        FIND_THOUGHTS.filtered(["t.id = 'x' OR true"])
    with pytest.raises(ValueError, match="takes no filters"):
        FIND_KNOWLEDGE.filtered(["author"])


def test_the_order_of_filters_does_not_change_the_statement() -> None:
    forward = FIND_THOUGHTS.filtered(["author", "origin"])
    assert forward is FIND_THOUGHTS.filtered(["origin", "author"])


def test_slot_b_is_the_same_statement_over_the_other_embedding() -> None:
    touched = [query for query in EVERY if "embedding_a" in query.text]
    assert {"think/store_thoughts", "recall/find_thoughts", "search/list_thoughts"} <= {
        q.file for q in touched
    }
    for query in touched:
        other = query.for_slot("b")
        # The names are exchanged, so that a statement about both slots still names both.
        assert other.text.count("embedding_b") == query.text.count("embedding_a")
        assert other.text.count("embedding_a") == query.text.count("embedding_b")
        assert other.for_slot("b").text == query.text
        assert other.names == query.names
        assert query.for_slot("a") is query
    untouched = READ_CHAIN
    assert untouched.for_slot("b").text == untouched.text


@pytest.mark.parametrize("query", SLOTTED, ids=named)
async def test_a_statement_for_slot_b_is_valid_cypher_and_lacks_only_its_index(
    mind: Mind, query: Query[Any]
) -> None:
    other = query.for_slot("b")
    if "VECTOR INDEX thought_" in other.text or "VECTOR INDEX knowledge_" in other.text:
        # Planning looks up an index last.
        with pytest.raises(neo.ClientError, match=r"(thought|knowledge)_embedding_b") as refused:
            await explain(mind, other)
        assert refused.value.code == "Neo.ClientError.Schema.IndexNotFound"
    else:
        columns, writes = await explain(mind, other)
        assert_declared(query, columns)
        assert writes == query.writes


async def test_missing_and_unknown_parameters_are_rejected_before_anything_is_sent(mind: Mind) -> None:
    less = cast("Parameters", {"namespace": "x"})
    with pytest.raises(TypeError, match=r"missing parameters \['session_id'\]"):
        await mind.graph.run(READ_HEAD, less)
    more = cast("Parameters", {"namespace": "x", "session_id": "y", "more": 1})
    with pytest.raises(TypeError, match=r"unknown parameters \['more'\]"):
        await mind.graph.run(READ_HEAD, more)
    with pytest.raises(TypeError, match="missing parameters"):
        async for _ in mind.graph.stream(READ_CHAIN, {**less, "after": -1}):
            pass


CONSTRAINTS = {
    "thought_id": (["Thought"], ["id"]),
    "session_key": (["Session"], ["namespace", "id"]),
    "action_key": (["Action"], ["namespace", "id"]),
    "entity_id": (["Entity"], ["id"]),
    "entity_key": (["Entity"], ["namespace", "name_key", "type_key"]),
    "observation_id": (["Observation"], ["id"]),
    "observation_key": (["Observation"], ["namespace", "entity_id", "fact_key"]),
    "pending_key": (["Pending"], ["namespace", "id"]),
    "database_id": (["LegacyMind"], ["id"]),
    "removed_key": (["Removed"], ["namespace", "id"]),
    "waiting_key": (["Waiting"], ["namespace", "id"]),
}
RANGES = {
    "thought_steps": (["Thought"], ["namespace", "session_id", "step_index"]),
    "thought_thread": (["Thought"], ["namespace", "session_id", "created_at"]),
    "thought_membership": (["Thought"], ["namespace", "session_id"]),
    "thought_labels": (["Thought"], ["namespace", "chain_id"]),
    "thought_authors": (["Thought"], ["namespace", "author"]),
    "thought_stored": (["Thought"], ["namespace", "stored_at"]),
    "thought_label_thread": (["Thought"], ["namespace", "chain_id", "created_at"]),
    "thought_recorded": (["Thought"], ["namespace", "recorded_at"]),
    "thought_created": (["Thought"], ["namespace", "created_at"]),
    "thought_curated": (["Thought"], ["namespace", "curated_at"]),
    "thought_pinned": (["Thought"], ["namespace", "pinned"]),
    "thought_playbook": (["Thought"], ["namespace", "playbook", "salience"]),
    "thought_standing": (["Thought"], ["namespace", "standing", "created_at"]),
    "thought_expiry": (["Thought"], ["namespace", "expires_at"]),
    "thought_noted": (["Thought"], ["namespace", "noted_at"]),
    "entity_noted": (["Entity"], ["namespace", "noted_at"]),
    "observation_noted": (["Observation"], ["namespace", "noted_at"]),
    "removed_noted": (["Removed"], ["namespace", "noted_at"]),
    "thought_deferred": (["Thought"], ["embedding_deferred"]),
    "entity_deferred": (["Entity"], ["embedding_deferred"]),
    "thought_mentions": (["Thought"], ["mentions_deferred"]),
    "entity_mentions": (["Entity"], ["mentions_deferred"]),
    "entity_name": (["Entity"], ["namespace", "name"]),
    "entity_type": (["Entity"], ["namespace", "entity_type"]),
    "observation_deferred": (["Observation"], ["embedding_deferred"]),
    "observation_standing": (["Observation"], ["namespace", "standing", "valid_from"]),
}
# The vector is first; all other properties filter inside the index (SPEC §2).
VECTORS = {
    "thought_embedding_a": (
        ["Thought"],
        "embedding_a namespace session_id chain_id origin trust author mode thought_type confidence"
        " created_at is_private hot found_until action_id previous_thought_id revises_thought branch_from"
        " parent_id".split(),
    ),
    "knowledge_embedding_a": (
        ["Entity", "Observation"],
        ["embedding_a", "namespace", "kind", "trust", "valid_from", "valid_to"],
    ),
}
TEXTS = {
    "thought_tags": (["Thought"], ["tags", "ns_key"]),
    "thought_text": (["Thought"], ["content", "author", "other_forms", "ns_key"]),
    "knowledge_text": (
        ["Entity", "Observation"],
        ["name", "aliases", "entity_type", "description", "content", "other_forms", "ns_key"],
    ),
    "other_text": (
        ["Entity", "Observation", "Thought"],
        ["hypothesis", "source", "data", "merged_by", "merged_reason"],
    ),
}
ANALYZERS = {"thought_tags": "keyword", "other_text": "standard-no-stop-words"}


async def schema_of(mind: Mind) -> dict[str, dict[str, Any]]:
    rows = await raw(
        mind,
        "SHOW INDEXES YIELD name, type, labelsOrTypes, properties, options, state, owningConstraint "
        "WHERE type <> 'LOOKUP' RETURN name, type, labelsOrTypes AS labels, properties, options, state, "
        "owningConstraint AS constraint",
    )
    return {row["name"]: row for row in rows}


async def test_the_schema_is_exactly_that_of_the_specification(mind: Mind) -> None:
    found = await schema_of(mind)
    assert {row["state"] for row in found.values()} == {"ONLINE"}

    def of(kind: str) -> dict[str, tuple[list[str], list[str]]]:
        return {
            name: (sorted(row["labels"]), row["properties"])
            for name, row in found.items()
            if row["type"] == kind and row["constraint"] is None
        }

    assert of("RANGE") == RANGES
    assert of("VECTOR") == VECTORS
    assert of("FULLTEXT") == TEXTS
    rows = await raw(
        mind,
        "SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties "
        "RETURN name, type, labelsOrTypes AS labels, properties",
    )
    assert {row["name"]: (row["labels"], row["properties"]) for row in rows} == CONSTRAINTS
    assert all("UNIQUE" in row["type"] for row in rows)


@pytest.mark.parametrize("condition", ["name: 'Thing 777'", "entity_type: 'person'"])
async def test_an_analyst_finds_an_entity_by_an_index(mind: Mind, condition: str) -> None:
    text = f"MATCH (e:Entity {{namespace: 'default', {condition}}}) RETURN e.id AS id"
    query = Query("own", dict[str, Any], False, cast("LiteralString", f"CYPHER 25\n{text}"), frozenset())
    _, summary = await explained(mind, query)
    found = operators(cast("Any", summary.plan))
    assert any("IndexSeek" in name for name in found)
    assert not any("Scan" in name for name in found)


async def test_the_indexes_have_the_measured_options(mind: Mind) -> None:
    found = await schema_of(mind)
    for name in VECTORS:
        options = found[name]["options"]["indexConfig"]
        assert options["vector.dimensions"] == 384
        assert options["vector.similarity_function"] == "COSINE"
        assert options["vector.default_search_expansion_factor"] == 10.0
        assert options["vector.quantization.type"] == "NONE"
    for name in TEXTS:
        options = found[name]["options"]["indexConfig"]
        assert options["fulltext.analyzer"] == ANALYZERS.get(name, "english")
        assert options["fulltext.eventually_consistent"] is True


async def test_applying_the_schema_again_changes_nothing(mind: Mind) -> None:
    before = await schema_of(mind)
    for statement in APPLY_SCHEMA:
        await mind.graph.run(statement, {})
    for statement in CREATE_VECTOR_INDEXES:
        await mind.graph.run(statement, {"dimensions": 384})
    (row,) = await mind.graph.run(WRITE_VERSION, {"version": 1})
    assert row == VERSION  # never set to an older version
    assert await schema_of(mind) == before
