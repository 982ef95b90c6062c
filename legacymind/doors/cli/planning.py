"""The process that `legacymind up` leaves behind: it has the engine plan statements, and ends.

python -m legacymind.doors.cli.planning
"""

import asyncio
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from legacymind.engine import Engine, process
from legacymind.errors import LegacyMindError
from legacymind.mind import Mind
from legacymind.settings import Settings, load_settings


def begin() -> None:
    """Start the process with this one's folder and environment, which have the settings.

    ``-P``: it must not import modules from that folder.
    """
    process.spawn([sys.executable, "-P", "-m", __name__], Path.cwd(), os.environ, subprocess.DEVNULL)


async def plan(settings: Settings) -> None:
    """Plan ahead if the engine runs and the database holds vectors: before, it has no vector indexes."""
    engine = Engine(settings)
    status = engine.status()
    if not status.running:
        return
    # By its address: an engine that has been stopped, or whose home is gone, must not be started again.
    running = replace(
        settings, neo4j_uri=status.uri, neo4j_username=status.username, neo4j_password=engine.password()
    )
    async with Mind(running) as mind:
        if await mind.vectors.check():
            await mind.plan_ahead()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(19)
    with suppress(LegacyMindError):  # the next call has the same error, and reports it
        asyncio.run(plan(load_settings()))
