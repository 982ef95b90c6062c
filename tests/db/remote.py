"""A Neo4j as users run it: with TLS and without GDS."""

from dataclasses import dataclass
from pathlib import Path
from typing import LiteralString, cast

import pytest
import trustme
from neo4j import AsyncDriver, AsyncGraphDatabase

from legacymind.embed.base import EmbedderInfo
from legacymind.engine import Engine, config
from legacymind.engine.home import Home
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder


class NamedEmbedder(FakeEmbedder):
    """The fake embedder under a name of its own, which no setting leads to."""

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
