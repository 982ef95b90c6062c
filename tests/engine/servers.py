"""The server of the engine's tests, and queries of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

from neo4j import AsyncGraphDatabase
from neo4j.exceptions import ClientError

from legacymind.engine import Engine
from legacymind.settings import Settings

MakeSettings = Callable[[Path], Settings]


@dataclass(frozen=True)
class Started:
    """The server that most tests share, started by two processes at once; both have ended."""

    engine: Engine
    pids: list[int]
    command_lines: set[str]


async def query(engine: Engine, statement: LiteralString) -> list[Any]:
    """The first column of the rows of ``statement``."""
    status = engine.status()
    credentials = (status.username, engine.password())
    async with AsyncGraphDatabase.driver(status.uri, auth=credentials) as driver:  # pyright: ignore[reportUnknownMemberType]
        return [record[0] for record in (await driver.execute_query(statement)).records]


async def guess_passwords(uri: str) -> list[str | None]:
    """Try five wrong passwords; the codes of the errors."""
    codes: list[str | None] = []
    for attempt in range(5):
        async with AsyncGraphDatabase.driver(uri, auth=("neo4j", f"wrong{attempt}")) as driver:  # pyright: ignore[reportUnknownMemberType]
            try:
                await driver.verify_connectivity()  # pyright: ignore[reportUnknownMemberType]
            except ClientError as refused:
                codes.append(refused.code)
    return codes


def port_of(address: str) -> int:
    """The port of an engine's address."""
    return int(address.split(":")[2].split("/")[0])
