"""The ``:params`` line of every statement is enough to run it in Neo4j Browser."""

import re
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, LiteralString, cast

import pytest
from neo4j import AsyncTransaction

from legacymind.db import queries
from legacymind.db.queries import Query
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio

_PARAMS = re.compile(r"^// :params (\{.*\})$", re.MULTILINE)


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """One for all: every transaction is rolled back."""
    settings = replace(engine_settings, namespace=f"test-{uuid.uuid4()}")
    async with Mind(settings, embedder=FakeEmbedder()) as opened:
        await opened.vectors.claim()
        yield opened


def named(query: Query[Any, Any]) -> str:
    return query.file


async def evaluated(tx: AsyncTransaction, query: Query[Any, Any]) -> dict[str, Any]:
    """The map of the ``:params`` line, evaluated as Neo4j Browser does: as an expression of Cypher."""
    (line,) = _PARAMS.findall(query.text)
    result = await tx.run(cast("LiteralString", f"CYPHER 25 RETURN {line} AS params"))
    row = await result.single(strict=True)
    return row["params"]


@pytest.mark.parametrize("query", queries.everything(), ids=named)
async def test_a_statement_runs_with_the_parameters_of_its_comment(
    mind: Mind, query: Query[Any, Any]
) -> None:
    async with (
        mind.graph._connected().session("WRITE") as session,  # pyright: ignore[reportPrivateUsage]  # to roll back
        await session.begin_transaction() as tx,
    ):
        params = await evaluated(tx, query)
        assert params.keys() == query.names
    async with (
        mind.graph._connected().session("WRITE") as session,  # pyright: ignore[reportPrivateUsage]
        await session.begin_transaction() as tx,
    ):
        await (await tx.run(query.text, params)).consume()
        await tx.rollback()
