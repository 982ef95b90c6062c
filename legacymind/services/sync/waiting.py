"""Lines that wait in the database for what they need, such as the step before them."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from legacymind.db.query import NoRow, load
from legacymind.services.sync.applying import apply
from legacymind.services.sync.arrival import Arrival
from legacymind.services.sync.lines import SyncLine

KEEP_WAITING = load("sync/keep_waiting", int, writes=True)
READ_WAITING = load("sync/read_waiting", str, writes=False)
DROP_WAITING = load("sync/drop_waiting", NoRow, writes=True)


async def store(here: Arrival, lines: Iterable[SyncLine]) -> None:
    """Store lines; those that cannot be stored yet are in the database when this returns."""
    await apply(here, lines)
    if here.result.waiting:
        await here.graph.run(
            KEEP_WAITING, {"namespace": here.namespace, "rows": waiting_rows(here.result.waiting)}
        )
        here.result.waiting = {}


async def retry(here: Arrival) -> None:
    """Store what waited, until nothing more can be stored. A line goes when it is stored."""
    while True:
        lines = await here.graph.run(READ_WAITING, {"namespace": here.namespace})
        here.result.waiting = {}
        if not lines:
            return
        before = here.result.stored
        await apply(here, map(json.loads, lines))
        rest = {row["id"] for row in waiting_rows(here.result.waiting)}
        gone = [row["id"] for row in waiting_rows(dict.fromkeys(lines, "")) if row["id"] not in rest]
        await here.graph.run(DROP_WAITING, {"namespace": here.namespace, "ids": gone})
        if not gone or here.result.stored == before:
            return


def waiting_rows(waiting: Mapping[str, str]) -> list[dict[str, Any]]:
    """The rows of sync/keep_waiting.cypher."""
    return [
        {
            "id": hashlib.sha256(line.encode()).hexdigest(),
            "line": line,
            "replica": json.loads(line).get("replica"),
            "reason": reason,
        }
        for line, reason in waiting.items()
    ]
