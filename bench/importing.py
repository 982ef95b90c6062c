"""The import of knowledge compared with bare statements: ``python -m bench.importing``.

Imports entities with observations from lines of the reference memory's format, in slices. In turns with it,
two batched ``UNWIND`` create as many nodes with a relationship for each observation on the same server. The
statement ``same`` stores the same properties under the same labels, so that the same indexes and constraints
hold its nodes; it merges nothing. The statement ``minimal`` stores id, name or content, and vector under
labels of its own with a constraint, a vector index and a full-text index. Vectors are given, so embedding
costs nothing. ``--order apart`` imports CSV: the entities of a slice before its observations.
``cpu_seconds`` are those of engine and client, which depend less on other work of the machine. Needs a home
of its own (LEGACYMIND_HOME); prints JSON.
"""

import argparse
import asyncio
import json
import statistics
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, LiteralString

import psutil
from neo4j import AsyncDriver, AsyncGraphDatabase

from legacymind import settings as settings_module
from legacymind.mind import Mind
from legacymind.model.base import ALWAYS, OPEN
from legacymind.text import fulltext, keys, passages
from tests.fakes import FakeEmbedder

BARE: Final = (
    "CREATE CONSTRAINT bare_entity IF NOT EXISTS FOR (b:BareEntity) REQUIRE b.id IS UNIQUE",
    "CREATE CONSTRAINT bare_fact IF NOT EXISTS FOR (b:BareFact) REQUIRE b.id IS UNIQUE",
    """CYPHER 25 CREATE VECTOR INDEX bare_knowledge IF NOT EXISTS FOR (b:BareEntity|BareFact) ON b.embedding
       OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'COSINE',
         `vector.quantization.enabled`: false}}""",
    """CREATE FULLTEXT INDEX bare_words IF NOT EXISTS FOR (b:BareEntity|BareFact) ON EACH [b.name, b.content]
       OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}}""",
)
SAME: Final = (
    """UNWIND $rows AS row
CREATE (e:Entity) SET e = $common, e += row.properties
WITH e, row CALL db.create.setNodeVectorProperty(e, 'embedding_a', row.vector)""",
    """UNWIND $rows AS row
MATCH (e:Entity {id: row.entity})
CREATE (o:Observation)-[:ABOUT]->(e) SET o = $common, o += row.properties
WITH o, row CALL db.create.setNodeVectorProperty(o, 'embedding_a', row.vector)""",
)
MINIMAL: Final = (
    """UNWIND $rows AS row
CREATE (b:BareEntity {id: row.properties.id, name: row.properties.name})
WITH b, row CALL db.create.setNodeVectorProperty(b, 'embedding', row.vector)""",
    """UNWIND $rows AS row
MATCH (e:BareEntity {id: row.entity})
CREATE (b:BareFact {id: row.properties.id, content: row.properties.content})-[:ABOUT]->(e)
WITH b, row CALL db.create.setNodeVectorProperty(b, 'embedding', row.vector)""",
)
BATCH: Final = 1000
"""Rows of a bare statement."""


class GivenVectors(FakeEmbedder):
    """Returns vectors that were made before the measurement."""

    def __init__(self) -> None:
        super().__init__()
        self.given: dict[str, list[float]] = {}

    def make(self, texts: Sequence[str]) -> None:
        """Make the vectors of texts."""
        self.given |= dict(zip(texts, self.of(texts), strict=True))

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """The given vectors; KeyError for a text without one."""
        return [self.given[text] for text in texts]


def names(slice: int, size: int) -> list[str]:
    """The names of a slice's entities."""
    return [f"Service {slice * size + n} of region {n % 7}" for n in range(size)]


def facts(name: str, count: int) -> list[str]:
    """The observations of an entity."""
    return [
        f"{name} had incident {n} with pump pressure {n * 31 % 97} and a cold cache" for n in range(count)
    ]


def lines(entities: Sequence[str], count: int, order: str) -> tuple[str, list[str]]:
    """The format and the lines of a slice: each entity with its observations, or before those of all."""
    if order == "apart":
        rows = ["kind,name,entity_type,entity,content", *(f"entity,{name},service,," for name in entities)]
        rows += [f"observation,,service,{name},{fact}" for name in entities for fact in facts(name, count)]
        return "csv", rows
    return "mcp-memory", [
        json.dumps(
            {"type": "entity", "name": name, "entityType": "service", "observations": facts(name, count)}
        )
        for name in entities
    ]


async def create(
    driver: AsyncDriver,
    statements: Sequence[LiteralString],
    rows: tuple[list[dict[str, Any]], list[dict[str, Any]]],
    common: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    """Create a slice with a bare statement for its entities and one for its observations."""
    for statement, own, shared in zip(statements, rows, common, strict=True):
        for start in range(0, len(own), BATCH):
            parameters = {"rows": own[start : start + BATCH], "common": shared}
            await driver.execute_query(statement, parameters)


def rows_of(
    entities: Sequence[str], count: int, vectors: GivenVectors
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of the bare statements: entities and observations with the properties that differ."""
    ids = {name: str(uuid.uuid4()) for name in entities}
    of_entities = [
        {
            "properties": {"id": ids[name], "name": name, "name_key": keys.normalised(name)},
            "vector": vectors.given[passages.of_entity(name, "service", None)],
        }
        for name in entities
    ]
    of_facts = [
        {
            "properties": {
                "id": str(uuid.uuid4()),
                "entity_id": ids[name],
                "content": fact,
                "fact_key": keys.fact_key(fact),
            },
            "entity": ids[name],
            "vector": vectors.given[passages.of_fact(name, fact)],
        }
        for name in entities
        for fact in facts(name, count)
    ]
    return of_entities, of_facts


def common_of() -> tuple[dict[str, Any], dict[str, Any]]:
    """The properties that all entities have alike, and all observations, in another namespace."""
    now, namespace = datetime.now(UTC), f"same-{uuid.uuid4()}"
    shared = {
        "namespace": namespace,
        "ns_key": fulltext.namespace_key(namespace),
        "recorded_at": now,
        "valid_from": ALWAYS,
        "valid_to": OPEN,
        "access_count": 0,
        "embedding_a_at": now,
    }
    of_entities = {"kind": "entity", "entity_type": "service", "type_key": "service"}
    return shared | of_entities, shared | {"kind": "observation"}


def seconds_used(engine: int | None) -> float:
    """Seconds of CPU that the engine and this process have used."""
    assert engine is not None
    of_engine = psutil.Process(engine).cpu_times()
    return of_engine.user + of_engine.system + time.process_time()


async def measure(entities: int, count: int, slices: int, order: str) -> dict[str, Any]:
    """Import and create in turns, after a slice of each that plans the statements and warms the server."""
    settings = settings_module.load_settings().changed(namespace=f"bench-{uuid.uuid4()}")
    vectors = GivenVectors()
    times: dict[str, list[float]] = {"import": [], "same": [], "minimal": []}
    cpu = dict.fromkeys(times, 0.0)
    async with Mind(settings, embedder=vectors) as mind:
        await mind.vectors.claim()
        status = await mind.engine.up()
        auth = (status.username, mind.engine.password())
        driver = AsyncGraphDatabase.driver(status.uri, auth=auth)  # pyright: ignore[reportUnknownMemberType]
        for statement in BARE:
            await driver.execute_query(statement)
        size, common = entities // slices, common_of()
        for number in range(slices + 1):
            own = names(number, size)
            vectors.make([passages.of_entity(name, "service", None) for name in own])
            vectors.make([passages.of_fact(name, fact) for name in own for fact in facts(name, count)])
            (source, given), rows = lines(own, count, order), rows_of(own, count, vectors)

            async def imported(source: str = source, given: list[str] = given) -> None:
                result = await mind.import_lines(given, format=source)
                assert (result.entities, result.observations) == (size, size * count)

            works: list[tuple[str, Callable[[], Awaitable[None]]]] = [
                ("import", imported),
                ("same", partial(create, driver, SAME, rows, common)),
                ("minimal", partial(create, driver, MINIMAL, rows, common)),
            ]
            for name, work in works if number % 2 else reversed(works):
                used, begun = seconds_used(status.pid), time.perf_counter()
                await work()
                if number:
                    times[name].append(time.perf_counter() - begun)
                    cpu[name] += seconds_used(status.pid) - used
            vectors.given.clear()
        await driver.close()
    seconds = {name: sum(taken) for name, taken in times.items()}
    return {
        "entities": size * slices,
        "observations": size * slices * count,
        "order": order,
        "seconds": {name: round(taken, 2) for name, taken in seconds.items()},
        "cpu_seconds": {name: round(used, 2) for name, used in cpu.items()},
    } | {
        f"import / {name}": {
            "seconds": round(seconds["import"] / seconds[name], 2),
            "cpu_seconds": round(cpu["import"] / cpu[name], 2),
            "median_of_slices": round(
                statistics.median(
                    ours / theirs for ours, theirs in zip(times["import"], times[name], strict=True)
                ),
                2,
            ),
        }
        for name in ("same", "minimal")
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=10_000)
    parser.add_argument("--facts", type=int, default=2, help="Observations of each entity.")
    parser.add_argument("--slices", type=int, default=10)
    parser.add_argument("--order", choices=("together", "apart"), default="together")
    given = parser.parse_args()
    print(json.dumps(asyncio.run(measure(given.entities, given.facts, given.slices, given.order)), indent=1))


if __name__ == "__main__":
    main()
