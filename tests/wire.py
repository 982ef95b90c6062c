"""Raw statements on the run's server, and counts of statements, round trips and database hits."""

import logging
import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, LiteralString, cast

from legacymind.db.query import Parameters, Query
from legacymind.db.sending import checked, sent_text
from legacymind.mind import Mind
from legacymind.observe import Step, observed_by


async def raw(mind: Mind, text: LiteralString, **parameters: Any) -> list[dict[str, Any]]:
    """Run any Cypher on the mind's database, without the checks of LegacyMind."""
    statement: Query[dict[str, Any]] = Query("raw", dict[str, Any], True, text, frozenset(parameters))
    return await mind.graph.run(statement, parameters)


async def one(mind: Mind, text: LiteralString, **parameters: Any) -> Any:
    """The one value in the one row of a statement."""
    ((value,),) = [tuple(row.values()) for row in await raw(mind, text, **parameters)]
    return value


async def settled(mind: Mind) -> None:
    """Remove the marks of the namespace that maintenance in another test may remove at any time."""
    await raw(mind, "MATCH (n {namespace: $ns}) REMOVE n.mentions_deferred", ns=mind.settings.namespace)


@contextmanager
def noted_statements() -> Generator[list[str]]:
    """The names of the statements that this process runs."""
    names = list[str]()

    @contextmanager
    def note(step: Step) -> Generator[None]:
        if step.kind == "statement":
            names.append(step.name)
        yield

    with observed_by(note):
        yield names


async def text_indexed(mind: Mind) -> None:
    """Wait until full text, which is eventually consistent, has everything stored so far."""
    await raw(mind, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")


async def db_hits(mind: Mind, operation: str, arguments: dict[str, Any]) -> int:
    """Database hits of an operation's statements: a measure of work, independent of the machine's load."""
    ran = await _statements(mind, operation, arguments)
    total = sum([await profiled_hits(mind, query, parameters) for query, parameters in ran])
    assert total > 0
    return total


async def _statements(
    mind: Mind, operation: str, arguments: dict[str, Any]
) -> list[tuple[Query[Any], dict[str, Any]]]:
    """Call an operation, and return its statements with their parameters."""
    ran: list[tuple[Query[Any], dict[str, Any]]] = []
    run = mind.graph.run

    async def listen(query: Query[Any], parameters: Parameters) -> list[Any]:
        ran.append((query, dict(parameters)))
        return await run(query, parameters)

    mind.graph.run = listen
    try:
        await mind.operations[operation].call(arguments)
    finally:
        del mind.graph.run
    return ran


async def peak_memory(mind: Mind, operation: str, arguments: dict[str, Any]) -> int:
    """The most memory, in bytes, that the server charges to one of an operation's statements."""
    ran = await _statements(mind, operation, arguments)
    plans = [await _profiled(mind, query, parameters) for query, parameters in ran]
    return max(plan["args"].get("GlobalMemory", 0) for plan in plans)


async def profiled_hits(mind: Mind, query: Query[Any], parameters: dict[str, Any]) -> int:
    """Database hits of one statement."""
    return _hits(await _profiled(mind, query, parameters))


async def _profiled(mind: Mind, query: Query[Any], parameters: dict[str, Any]) -> dict[str, Any]:
    text = re.sub(r"^CYPHER 25.*", r"\g<0> PROFILE", sent_text(query), count=1, flags=re.MULTILINE)
    async with mind.graph._connected().session("WRITE") as session:  # pyright: ignore[reportPrivateUsage]  # rows do not include it
        result = await session.run(cast("LiteralString", text), checked(query, parameters))
        summary: Any = await result.consume()
    return summary.profile


def _hits(plan: dict[str, Any]) -> int:
    return plan.get("dbHits", 0) + sum(_hits(child) for child in plan.get("children", []))


class Wire(logging.Handler):
    """Counts statements and round trips from the driver's log while it is entered.

    A round trip ends when the server answers a message of the client.
    """

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.statements: list[str] = []
        self.connections: list[str] = []
        """The connection over which each statement was sent."""
        self.round_trips = 0
        self._waiting = False

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        connection, _, sent = message.partition("  ")
        if sent.startswith(("C: <", "C: HELLO", "C: LOGON")):  # opens a further connection
            return
        if sent.startswith("C: "):
            self._waiting = True
            if sent.startswith("C: RUN "):
                self.statements.append(sent.removeprefix("C: RUN ")[:60])
                self.connections.append(connection)
        elif sent.startswith("S: ") and self._waiting:
            self._waiting = False
            self.round_trips += 1

    def __enter__(self) -> "Wire":
        self._log = logging.getLogger("neo4j.io")
        self._level, self._propagate = self._log.level, self._log.propagate
        self._log.setLevel(logging.DEBUG)
        self._log.propagate = False  # so that pytest does not keep every vector
        self._log.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._log.removeHandler(self)
        self._log.setLevel(self._level)
        self._log.propagate = self._propagate


async def contradict(mind: Mind, node: str, by: str, cosine: float | None = None) -> None:
    """Create a CONTRADICTS between two nodes, by their bare ids."""
    await raw(
        mind,
        "MATCH (a {id: $by}), (b {id: $node}) CREATE (a)-[:CONTRADICTS {cosine: $cosine}]->(b)",
        node=node,
        by=by,
        cosine=cosine,
    )
