"""A Neo4j as users run it: with TLS, without GDS, and with a database of any schema version."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, LiteralString, cast

import pytest
import trustme
from neo4j import AsyncDriver, AsyncGraphDatabase

from legacymind.embed.base import EmbedderInfo
from legacymind.engine import Engine, config
from legacymind.engine.home import Home
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder

_KEPT: Final = Path(__file__).parent / "databases"

VERSIONS: Final = sorted(int(file.stem.removeprefix("schema_")) for file in _KEPT.glob("schema_*.json"))
"""The schema versions with a file. No code is left that wrote version 3."""


class FormerEmbedder(FakeEmbedder):
    """The fake embedder under the name that it has in the older databases."""

    info = EmbedderInfo(
        provider="fake",
        model="bag-of-words",
        version="1",
        dimensions=384,
        tokenizer="words",
        normalized=True,
    )


@dataclass(frozen=True)
class Remote:
    """A server in its own home, and the authority of its certificate."""

    engine: Engine
    authority: Path
    stranger: Path

    @property
    def port(self) -> str:
        """The port for Bolt."""
        return self.engine.status().uri.rpartition(":")[2]

    def driver(self) -> AsyncDriver:
        """A driver for the server, without LegacyMind."""
        return driver(self.engine)


def driver(engine: Engine) -> AsyncDriver:
    """A driver for the engine's server, without LegacyMind."""
    port = engine.status().uri.rpartition(":")[2]
    auth = ("neo4j", engine.password())
    return AsyncGraphDatabase.driver(f"bolt://127.0.0.1:{port}", auth=auth)  # pyright: ignore[reportUnknownMemberType]


async def start(folder: Path, cache: str) -> Remote:
    """Start the server as ``localhost``; clients may connect with or without encryption."""
    home = Home(folder / "home")
    home.make()
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost")
    policy = home.folder / "certificates" / "bolt"
    policy.mkdir(parents=True)
    certificate.private_key_pem.write_to_path(policy / "private.key")
    for part in certificate.cert_chain_pems:
        part.write_to_path(policy / "public.crt", append=True)
    files = (folder / "authority.pem", folder / "stranger.pem")
    for signer, file in zip((authority, trustme.CA()), files, strict=True):
        signer.cert_pem.write_to_path(file)

    written = config.neo4j_conf

    def conf(ports: config.Ports, memory: config.MemorySizes) -> str:
        own = written(ports, memory)
        for special in ("procedures.unrestricted=gds.*", "auth_max_failed_attempts=0"):
            own = own.replace(f"dbms.security.{special}\n", "")
        return f"""{own}
server.bolt.tls_level=OPTIONAL
server.bolt.advertised_address=localhost:{ports.bolt}
dbms.ssl.policy.bolt.enabled=true
dbms.ssl.policy.bolt.base_directory={policy}
""".replace(f"server.bolt.advertised_address=127.0.0.1:{ports.bolt}\n", "")

    engine = Engine(Settings(home=str(home.folder), cache=cache, heap_mb=512, page_cache_mb=64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(config, "neo4j_conf", conf)
        patch.setattr(Home, "link_plugins", _no_plugins)
        await engine.up()
    return Remote(engine, *files)


def _no_plugins(*_: object) -> tuple[str, ...]:
    return ()


async def empty(driver: AsyncDriver) -> None:
    """Delete everything in the database, also indexes."""
    await driver.execute_query("MATCH (n) DETACH DELETE n")
    for shown, dropped in (("CONSTRAINTS", "CONSTRAINT"), ("INDEXES", "INDEX")):
        found = await driver.execute_query(
            cast("LiteralString", f"SHOW {shown} YIELD name, type WHERE type <> 'LOOKUP' RETURN name")
        )
        for record in found.records:
            await driver.execute_query(cast("LiteralString", f"DROP {dropped} {record['name']}"))


async def declared(driver: AsyncDriver) -> set[str]:
    """Every index and constraint as declared."""
    found = await driver.execute_query(
        "SHOW INDEXES YIELD name, type, labelsOrTypes, properties, options, state"
    )
    return {repr(record.values()) for record in found.records}


async def everything(driver: AsyncDriver) -> list[str]:
    """All nodes with their properties."""
    found = await driver.execute_query("MATCH (n) RETURN labels(n), properties(n)")
    return sorted(repr(record.values()) for record in found.records)


async def derived(driver: AsyncDriver) -> list[str]:
    """The texts of what upgrades add to: preferences with a mark, facts with a title, merged names."""
    found = await driver.execute_query(
        """MATCH (n) WHERE n.standing OR n:Observation AND n.title IS NOT NULL OR n.aliases IS NOT NULL
           RETURN coalesce(n.aliases[0], n.title) AS text ORDER BY text"""
    )
    return [record["text"] for record in found.records]


def to_derive(version: int) -> list[str]:
    """What ``derived`` returns after the upgrade of a database of that version."""
    since_4 = ["Always answer me in French, please.", "Payments has been written in Go since 2019."]
    return since_4 * (version > 3) + ["The circuit breaker"] * (version > 4)


def file(version: int) -> Path:
    """The file of a database with that schema version."""
    return _KEPT / f"schema_{version}.json"


async def restore(driver: AsyncDriver, version: int) -> None:
    """Fill the database with one that LegacyMind created with that schema version.

    The files contain what the code of that version stored and declared: three thoughts of the session
    ``old`` in the namespace ``kept``, two entities, vectors of the fake embedder. Since version 4 also a fact
    about one, a relation between the two, and a standing preference in the session ``habits``; since version
    5, an entity that was merged into another.
    """
    kept: dict[str, Any] = json.loads(file(version).read_text(encoding="utf-8"))
    for statement in kept["schema"]:
        await driver.execute_query(statement)
    for number, (labels, stored) in enumerate(kept["nodes"]):
        await driver.execute_query(
            cast("LiteralString", f"CREATE (n:{':'.join(labels)}) SET n = $plain, n.restored = $number")
            + "".join(
                cast("LiteralString", f", n.{name} = datetime($times.{name})") for name in _times(stored)
            ),
            plain={name: value for name, value in stored.items() if not isinstance(value, dict)},
            times=_times(stored),
            number=number,
        )
        if "embedding_a" in stored:
            await driver.execute_query(
                "MATCH (n {restored: $number}) "
                "CALL db.create.setNodeVectorProperty(n, 'embedding_a', $vector)",
                number=number,
                vector=_dense(stored["embedding_a"]["vector"]),
            )
    for source, kind, target, stored in kept["relationships"]:
        await driver.execute_query(
            cast(
                "LiteralString",
                f"MATCH (a {{restored: $a}}), (b {{restored: $b}}) CREATE (a)-[r:{kind}]->(b) SET r = $plain",
            )
            + "".join(
                cast("LiteralString", f", r.{name} = datetime($times.{name})") for name in _times(stored)
            ),
            a=source,
            b=target,
            plain={name: value for name, value in stored.items() if not isinstance(value, dict)},
            times=_times(stored),
        )
    await driver.execute_query("MATCH (n) REMOVE n.restored")
    await driver.execute_query("CALL db.awaitIndexes(60)")


def _times(stored: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: value["datetime"]
        for name, value in stored.items()
        if isinstance(value, dict) and "datetime" in value
    }


def _dense(vector: Mapping[str, float]) -> list[float]:
    return [vector.get(str(place), 0.0) for place in range(384)]
