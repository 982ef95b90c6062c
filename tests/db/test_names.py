"""The names that are created with the schema are those of the statements, neither more nor fewer."""

import re
from typing import Any, get_type_hints

import pytest
from neo4j import GraphDatabase

from legacymind.db import names, queries, stored
from legacymind.db.options import Address
from legacymind.db.parameters.knowledge import EntityProperties, SourceProperties
from legacymind.db.query import COMMENT_OR_STRING, Query
from legacymind.mind import Mind
from tests.fakes import FakeEmbedder
from tests.wire import noted_statements, raw

_OF_OTHERS = {"read_agent_memory", "read_graphiti", "read_mcp_neo4j_memory"}
"""Statements that read what other tools stored."""

_CLAUSE = "SET|WITH|RETURN|CREATE|MERGE|MATCH|FOREACH|CALL|DELETE|REMOVE|ON|UNWIND"


def codes() -> list[str]:
    """Our statements without comments and strings."""
    every: list[Query[Any, Any]] = queries.everything()
    own = [query for query in every if query.file.rpartition("/")[2] not in _OF_OTHERS]
    return [COMMENT_OR_STRING.sub(" ", query.text) for query in own]


def written(code: str) -> set[str]:
    """The property keys that a statement writes by name, or puts into an index."""
    if re.search(r"CREATE \w*\s?(INDEX|CONSTRAINT)", code):
        return set(re.findall(r"\b[a-z]\.(\w+)", code))
    maps = re.findall(r"(?:CREATE|MERGE) [^{};]*?[:\w)\]]+ \{([^{}]*)\}", code)
    found: set[str] = set()
    for clause in re.findall(rf"(?s)\bSET\b(.*?)(?=\b(?:{_CLAUSE})\b|$)", code):
        found |= set(re.findall(r"(?:^|,)\s*\w+\.(\w+) = ", clause))
        maps += re.findall(r"\+?= ?\{([^{}]*)\}", clause)
    return found.union(*(re.findall(r"(\w+): ", each) for each in maps))


def test_the_names_are_those_of_the_statements() -> None:
    labelled = {
        name
        for code in codes()
        for alternatives in re.findall(r":(!?[A-Z]\w*(?:\s*[|&]\s*!?[A-Z]\w*)*)", code)
        for name in re.findall(r"\w+", alternatives)
    }
    types = {name for name in labelled if name.isupper()}
    assert labelled - types == set(names.LABELS)
    assert types <= set(names.TYPES)
    whole = (stored.StoredThought, stored.EmbeddingDetails, EntityProperties, SourceProperties)
    keys = {name for kind in whole for name in get_type_hints(kind)}.union(*map(written, codes()))
    keys |= {"mass", "community", "community_label"}  # of graph algorithms
    assert {name for name in keys if not name.startswith("embedding_b")} == set(names.PROPERTIES)


@pytest.mark.anyio
async def test_a_database_of_before_gets_the_names_at_the_next_connection_only(
    mind: Mind, address: Address
) -> None:
    await raw(mind, "MATCH (d:LegacyMind {id: 'database'}) REMOVE d.names")
    run: list[list[str]] = []
    for _ in range(2):
        async with Mind(mind.settings, embedder=FakeEmbedder()) as other:
            with noted_statements() as statements:
                await other.graph.ready()
            run.append(statements)
    assert run == [["schema/create_names"], []]
    labels, types = "|".join(names.LABELS), "|".join(names.TYPES)
    keys = ", ".join(f"n.{name}" for name in names.PROPERTIES)
    unknown = f"EXPLAIN MATCH (n:{labels})-[:{types}]->() RETURN {keys}"
    with GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver:  # pyright: ignore[reportUnknownMemberType]
        summary = driver.execute_query(unknown).summary
    assert [each.status_description for each in summary.gql_status_objects if each.is_notification] == []
