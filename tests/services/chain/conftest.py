"""What tests of chains share: the chain that they change, and a database without a constraint."""

from collections.abc import AsyncIterator

import pytest

from legacymind.mind import Mind
from tests.services.chain.chains import Chain, make
from tests.wire import raw


@pytest.fixture
async def chain(mind: Mind) -> Chain:
    return await make(mind)


@pytest.fixture
async def unconstrained(mind: Mind) -> AsyncIterator[Mind]:
    """A database from which somebody removed the constraint on sessions."""
    await raw(mind, "DROP CONSTRAINT session_key IF EXISTS")
    try:
        yield mind
    finally:
        await raw(mind, "MATCH (n {namespace: $ns}) DETACH DELETE n", ns=mind.settings.namespace)
        await raw(
            mind,
            "CREATE CONSTRAINT session_key IF NOT EXISTS "
            "FOR (s:Session) REQUIRE (s.namespace, s.id) IS UNIQUE",
        )
