"""Lines that wait in the database for what they need, such as the step before them."""

import hashlib
import json
from collections.abc import Iterable, Mapping

from legacymind.db.query import NoRow, load
from legacymind.services.sync.applying import apply
from legacymind.services.sync.arrival import Arrival
from legacymind.services.sync.lines import SyncLine

KEEP_WAITING = load("sync/keep_waiting", NoRow, writes=True)
READ_WAITING = load("sync/read_waiting", str, writes=False)


async def store(here: Arrival, lines: Iterable[SyncLine]) -> None:
    """Store lines; those that cannot be stored yet are in the database when this returns."""
    await apply(here, lines)
    await keep(here, here.result.waiting)
    here.result.waiting = {}


async def keep(here: Arrival, waiting: Mapping[str, str | None]) -> None:
    """Keep lines with what each waits for in the database; those with None wait no more."""
    rows = [
        {"id": hashlib.sha256(line.encode()).hexdigest(), "line": line, "reason": reason}
        for line, reason in waiting.items()
    ]
    if rows:
        await here.graph.run(KEEP_WAITING, {"namespace": here.namespace, "rows": rows})


async def retry(here: Arrival) -> None:
    """Store what waited, until nothing more can be stored. A line goes when it is stored."""
    while True:
        lines = await here.graph.run(READ_WAITING, {"namespace": here.namespace})
        here.result.waiting = {}
        if not lines:
            return
        before = here.result.stored
        await apply(here, map(json.loads, lines))
        gone = dict.fromkeys({*lines} - here.result.waiting.keys())
        await keep(here, gone)
        if not gone or here.result.stored == before:
            return
