"""Neo4j's logs hold no text of a thought."""

from pathlib import Path

import pytest
from neo4j.exceptions import ClientError

from legacymind.engine.home import Home
from legacymind.mind import Mind

pytestmark = pytest.mark.anyio


@pytest.mark.slow
async def test_neo4j_does_not_log_the_parameters_of_a_statement_that_times_out(mind: Mind) -> None:
    """By default it does."""
    await mind.graph.ready()
    slow = "UNWIND range(1, 1000000000) AS i RETURN count(i + $note)"
    opened = mind.graph._connected().session("READ")  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(ClientError, match="TransactionTimedOut"):
        async with opened as session, await session.begin_transaction(timeout=1) as transaction:
            await (await transaction.run(slow, note="zebrafish")).consume()
    logs = Home(Path(mind.settings.home)).logs
    logged = {path.name: path.read_text(encoding="utf-8") for path in logs.iterdir()}
    used = [line for line in logged["debug.log"].splitlines() if "Logging config in use" in line]
    assert "conf/server-logs.xml" in used[-1]
    assert [name for name, text in logged.items() if "zebrafish" in text] == []
