"""The mind of one command."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from legacymind.doors.cli.output import waiting
from legacymind.mind import Mind
from legacymind.settings import Settings


@asynccontextmanager
async def connected(settings: Settings | None = None) -> AsyncGenerator[Mind]:
    """A mind. If a call starts the managed Neo4j, a terminal shows for how long."""
    with waiting() as progress:
        async with Mind(settings, progress=progress) as mind:
            yield mind
