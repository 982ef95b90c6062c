"""Every file in ``cypher/`` runs in Neo4j Browser as it is: first its ``:param`` lines, then its statement.

Browser 5.24 ran every file in Chromium. Here the server evaluates each line likewise.
"""

import re
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, LiteralString, cast

import pytest
from neo4j import AsyncTransaction

from legacymind import files
from legacymind.db.query import Query
from legacymind.db.sending import checked, sent_text
from legacymind.mind import Mind
from legacymind.settings import Settings
from scripts import compose_cypher
from tests.fakes import FakeEmbedder
from tests.statements import assert_declared, every_statement
from tests.wire import raw

PROJECTED = {"analysis/rank_nodes", "analysis/group_nodes", "analysis/compare_thoughts"}
"""Algorithms, which read a projection: ``tests/services/analysis`` runs them on one."""

RUN_ALONE = [query for query in every_statement() if query.file not in PROJECTED]

pytestmark = pytest.mark.anyio

_FILE = re.compile(r"(?P<comment>(?://.*\n)+)(?P<samples>(?::param .*\n)*)(?P<statement>[^:/][\s\S]*)")
# A map needs parentheses: without them, Browser 5 reads it as the body of a query.
_SAMPLE = re.compile(r":param (\w+) => ([^{].*);")


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Shared by the module: every transaction is rolled back."""
    settings = engine_settings.changed(namespace=f"test-{uuid.uuid4()}")
    async with Mind(settings, embedder=FakeEmbedder()) as opened:
        await opened.vectors.claim()
        yield opened


def named(query: Query[Any]) -> str:
    return query.file


def samples(text: str) -> dict[str, str]:
    """The expression of each parameter; fails when Browser or Cypher Shell could not read a line."""
    found = _FILE.fullmatch(text)
    assert found is not None, "A comment, then :param lines, then the statement."
    lines = found["samples"].splitlines()
    matches = [_SAMPLE.fullmatch(line) for line in lines]
    wrong = [line for line, match in zip(lines, matches, strict=True) if match is None or ";" in line[:-1]]
    assert wrong == []
    expressions = {match[1]: match[2] for match in matches if match is not None}
    assert len(expressions) == len(lines)
    return expressions


async def evaluated(tx: AsyncTransaction, expression: str) -> object:
    """The value of an expression, from the statement that Neo4j Browser makes of it."""
    result = await tx.run(cast("LiteralString", f"RETURN {expression}"))
    return (await result.single(strict=True))[0]


@pytest.mark.parametrize("file", compose_cypher.statements(), ids=lambda file: file.stem)
def test_sample_parameters_are_commands_that_browser_and_cypher_shell_read(file: Path) -> None:
    samples(file.read_text(encoding="utf-8"))


PROJECTIONS = {
    "analysis/read_results": "legacymind-sample",
    "analysis/read_pairs": "legacymind-sample-thoughts",
}
"""The projections that statements read, which another one makes."""
PROJECT = """
  MATCH (n:LegacyMind {id: 'database'})
  WITH n, {mass: 1.0} AS of_node
  RETURN gds.graph.project($name, n, n, {
    sourceNodeProperties: of_node, targetNodeProperties: of_node, relationshipProperties: {similarity: 1.0}
  }) AS made
"""


@pytest.fixture
async def projected(mind: Mind, query: Query[Any]) -> AsyncIterator[None]:
    """The projection that the statement reads, if it reads one."""
    name = PROJECTIONS.get(query.file)
    if name:
        await raw(mind, PROJECT, name=name)
    yield
    if name:
        await raw(mind, "CALL gds.graph.drop($name) YIELD graphName RETURN graphName", name=name)


@pytest.mark.usefixtures("projected")
@pytest.mark.parametrize("query", RUN_ALONE, ids=named)
async def test_a_statement_runs_with_its_sample_parameters_as_declared(mind: Mind, query: Query[Any]) -> None:
    """It returns the columns of its row and writes only if declared. Its plan serves the other tests."""
    expressions = samples(files.text("cypher", f"{query.file}.cypher"))
    assert expressions.keys() == query.names
    async with (
        mind.graph._connected().session("WRITE") as session,  # pyright: ignore[reportPrivateUsage]  # to roll back
        await session.begin_transaction() as tx,
    ):
        params = {name: await evaluated(tx, expression) for name, expression in expressions.items()}
    async with (
        mind.graph._connected().session("WRITE") as session,  # pyright: ignore[reportPrivateUsage]
        await session.begin_transaction() as tx,
    ):
        result = await tx.run(sent_text(query), checked(query, params))
        columns = result.keys()
        kind = (await result.consume()).query_type
        await tx.rollback()
    assert_declared(query, columns)
    assert kind is not None
    assert ("w" in kind) == (query.writes and kind != "s")  # s: a change of the schema
