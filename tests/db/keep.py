"""Keep what this version of the schema stores, before ``VERSION`` is raised: ``python -m tests.db.keep``.

Needs a home of its own (LEGACYMIND_HOME) with an empty database, and leaves it empty. Writes
tests/db/databases/schema_N.json, which tests of upgrades restore (``tests.db.remote``).
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from neo4j import AsyncDriver, Record
from neo4j.time import DateTime

from legacymind import settings as settings_module
from legacymind.db.schema import VERSION
from legacymind.mind import Mind
from tests.db import remote

_ORDER: Final = ("LegacyMind", "Entity", "Observation", "Session", "Thought")
_VECTORS: Final = (
    "OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'COSINE', "
    "`vector.quantization.enabled`: false, `vector.default_search_expansion_factor`: 10.0}}"
)
"""Instead of the options that the server reports, whose names differ between its releases."""


async def fill(mind: Mind) -> None:
    """Store what ``remote.restore`` describes."""
    call = mind.operations
    await call["remember"].call(
        {
            "entities": [
                {"name": "Breaker", "description": "Cuts a failing service off."},
                {"name": "Payments"},
                {"name": "The circuit breaker"},
            ],
            "observations": [
                {"entity": "Payments", "content": "Payments has been written in Go since 2019."}
            ],
            "relations": [{"source_entity": "Breaker", "type": "PROTECTS", "target_entity": "Payments"}],
        }
    )
    await call["merge"].call({"keep": "Breaker", "others": ["The circuit breaker"]})
    for content in (
        "The retry storm began when the breaker's timeout was raised.",
        "Payments fell over at 03:15 in the retry storm.",
        "The breaker's timeout goes back to 2 s.",
    ):
        await call["think"].call({"content": content, "injection_scale": 3, "session_id": "old"})
    await call["think"].call(
        {"content": "Always answer me in French, please.", "injection_scale": 0, "session_id": "habits"}
    )


async def kept(driver: AsyncDriver) -> str:
    """The declarations, nodes and relationships of a database, as JSON with a line for each."""
    constraints = await driver.execute_query(
        "SHOW CONSTRAINTS YIELD name, createStatement RETURN name, createStatement ORDER BY name"
    )
    indexes = await driver.execute_query(
        "CYPHER 25 SHOW INDEXES YIELD name, type, owningConstraint, createStatement "
        "WHERE type <> 'LOOKUP' AND owningConstraint IS NULL RETURN type, createStatement ORDER BY type, name"
    )
    schema = [_without_options(record["createStatement"]) for record in constraints.records]
    schema += [_declaration(record) for record in indexes.records]
    read = await driver.execute_query("MATCH (n) RETURN n, elementId(n) AS id")
    rows = sorted(read.records, key=_place)
    places = {row["id"]: number for number, row in enumerate(rows)}
    nodes = [[sorted(row["n"].labels), _stored(row["n"])] for row in rows]
    linked = await driver.execute_query(
        "MATCH (a)-[r]->(b) RETURN elementId(a) AS a, type(r) AS type, elementId(b) AS b, properties(r) AS r"
    )
    relationships = [
        [places[row["a"]], row["type"], places[row["b"]], _stored(row["r"])] for row in linked.records
    ]
    parts = {"schema": schema, "nodes": nodes, "relationships": sorted(relationships, key=lambda r: r[:3])}
    return "{\n" + ",\n".join(f' "{name}": [\n{_lines(part)}\n ]' for name, part in parts.items()) + "\n}\n"


def _lines(part: Sequence[Any]) -> str:
    return ",\n".join(f"  {json.dumps(row)}" for row in part)


def _without_options(statement: str) -> str:
    return statement.partition(" OPTIONS ")[0]


def _declaration(index: Record) -> str:
    statement: str = index["createStatement"]
    if index["type"] == "VECTOR":
        return f"CYPHER 25 {_without_options(statement)} {_VECTORS}"
    return statement if index["type"] == "FULLTEXT" else _without_options(statement)


def _place(row: Record) -> tuple[int, str, str]:
    node = row["n"]
    first = min((_ORDER.index(label) for label in node.labels if label in _ORDER), default=len(_ORDER))
    return first, str(node.get("created_at") or ""), node.get("name") or ""


def _stored(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _sparse(value) if name == "embedding_a" else _value(value)
        for name, value in sorted(properties.items())
    }


def _sparse(vector: Sequence[float]) -> dict[str, Any]:
    return {"vector": {str(place): number for place, number in enumerate(vector) if number}}


def _value(value: Any) -> Any:
    if isinstance(value, DateTime):
        return {"datetime": value.iso_format()}
    return value


async def main() -> None:
    """Fill the database, write the file, and empty the database."""
    settings = replace(settings_module.load_settings(), namespace="kept")
    async with Mind(settings, embedder=remote.FormerEmbedder(), session_id="old") as mind:
        await mind.engine.up()
        async with remote.driver(mind.engine) as driver:
            found = await driver.execute_query("MATCH (n) RETURN count(n) AS nodes")
            if found.records[0]["nodes"]:
                raise SystemExit("The database is not empty. Set LEGACYMIND_HOME to a new folder.")
            await fill(mind)
            await driver.execute_query("CALL db.awaitIndexes(60)")
            written = await kept(driver)
            await remote.empty(driver)
    file = remote.file(VERSION)
    file.write_text(written, encoding="utf-8")
    print(file)


if __name__ == "__main__":
    asyncio.run(main())
