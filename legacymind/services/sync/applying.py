"""Stores what other homes wrote. Everything may be stored twice, in parts and in any order of segments."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from legacymind.db.query import load
from legacymind.model.base import ALWAYS
from legacymind.origins import trust_of_origin
from legacymind.services.knowledge.importers.records import Fault
from legacymind.services.sync.arrival import Arrival, parts
from legacymind.services.sync.fields import LineKind
from legacymind.services.sync.knowledge import KnowledgeStore
from legacymind.services.sync.lines import CheckedLine, SyncLine, name_of, read
from legacymind.services.sync.steps import check_ends, store_thoughts

STORE_LINKS = load("sync/store_links", int, writes=True)


async def apply(here: Arrival, lines: Iterable[SyncLine]) -> None:
    """Store all lines, by kind."""
    kinds: defaultdict[LineKind, list[CheckedLine]] = defaultdict(list)
    for line in lines:
        try:
            row = read(line)
            kinds[row.kind].append(row)
        except Fault as reason:
            here.result.refused.append(f"{name_of(line)}: {reason}")
    knowledge = KnowledgeStore(here)
    for part in parts(kinds["removed"]):
        await knowledge.remove(part)
    for part in parts(kinds["entity"]):
        await knowledge.store("entity", part)
    for part in parts(kinds["observation"]):
        await knowledge.store("observation", part)
    for part in parts(sorted(kinds["thought"], key=_step)):
        await store_thoughts(here, part)
    for part in parts(kinds["link"]):
        await _links(here, knowledge, part)
    knowledge.wait()
    await check_ends(here, kinds["session"])


async def _links(here: Arrival, knowledge: KnowledgeStore, lines: Sequence[CheckedLine]) -> None:
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(lines):
        name = line.line["type"]
        if name == "MERGED_INTO" and here.trusted:
            await knowledge.merge(line.end[1], line.start[1])
        told = not here.trusted or trust_of_origin(line.own.get("origin")) is not None
        trust = {"trust": here.trust(line.own)} if told else {}
        rows.append(
            {
                "number": number,
                "from": line.start[1],
                "type": name,
                "to": line.end[1],
                "own": line.own.get("id", ""),
                "properties": {**line.own, "replica": line.by, **trust},
            }
        )
    given = {"namespace": here.namespace, "most_trust": here.most_trust, "rows": rows}
    found = {*await here.graph.run(STORE_LINKS, given)}
    missing = [line for number, line in enumerate(lines) if number not in found]
    ends = {id for line in missing for kind, id in (line.start, line.end) if kind != "thought"}
    held = await here.held("entity", [(id, ["", ""]) for id in ends]) if ends else {}
    for line in missing:
        removed = [held[id]["removed"] for _, id in (line.start, line.end) if id in held]
        if line.changed == ALWAYS or not any(one and one["removed_at"] >= line.changed for one in removed):
            # What was removed may be stated again, by a home that is read later, and a merge, which has no
            # time, holds then, too; nothing is lacking.
            here.wait(line.line, "" if any(removed) else f"an end of a {line.line['type']}")


def _step(row: CheckedLine) -> tuple[str, int]:
    number = row.own.get("step_index")
    return str(row.own.get("session_id", "")), number if isinstance(number, int) else -1
