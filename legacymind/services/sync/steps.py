"""Stores thoughts that other homes stored: hashes as they are, chains that continue or branch."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from legacymind.db.graph import Transaction
from legacymind.db.query import NoRow, load
from legacymind.model.base import LINKS, REDACTION
from legacymind.services.chain import hashing
from legacymind.services.chain.reads import ChainEnd
from legacymind.services.sync.arrival import Arrival
from legacymind.services.sync.lines import CheckedLine, sound
from legacymind.services.sync.reconcile import ERASED, KEPT, reconciled, travelling

LOCK_SESSIONS = load("sync/lock_sessions", tuple[str, str, list[str]], writes=True)
FIND_STEPS = load("sync/find_steps", str, writes=False)
STORE_STEPS = load("sync/store_steps", NoRow, writes=True)
STORE_NODES = load("sync/store_nodes", NoRow, writes=True)
REDACT = load("sync/redact", str, writes=True)


async def store_thoughts(here: Arrival, lines: Sequence[CheckedLine]) -> None:
    """Store new thoughts, and what may change of those that are here."""
    fitting: list[CheckedLine] = []
    for line in lines:
        if sound(line.own, here.namespace, here.keys):
            fitting.append(line)
        else:
            here.result.refused.append(f"{line.id}: its hash does not fit")
    held = await here.held("thought", [(line.id, []) for line in fitting])
    new: list[CheckedLine] = []
    changed: list[dict[str, Any]] = []
    redactions: list[dict[str, Any]] = []
    for line in fitting:
        own, known, removed = line.own, held[line.id]["held"], held[line.id]["removed"]
        if here.foreign(known, line.id):
            continue
        redacts = own.get("thought_type") == REDACTION and own.get("redacts")
        if redacts and (here.trusted or here.keyed(own)):
            said = str(own.get("content") or "").partition(": ")[2]
            redactions.append(
                {
                    "id": redacts,
                    "session_id": own.get("session_id"),
                    "redacted_at": own["created_at"],
                    "redacted_reason": said,
                }
            )
        if known is None:
            new.append(line)
            if removed and _redacts(removed, own):
                own |= _redacted(removed)
        elif known.get("content_hash") != own.get("content_hash"):
            here.result.refused.append(f"{line.id}: another thought has this id")
        elif (
            own.get("session_id") is None and own.get("redacted_at") and known.get("content") and here.trusted
        ):
            mark = {name: own.get(name) for name in ("redacted_at", "redacted_reason")}
            redactions.append({"id": line.id, "session_id": None, **mark})
        elif here.trusted and (update := _update(known, line)):
            changed.append(update)
    if new:
        await here.graph.transaction(lambda tx: _append(here, tx, new))
    given = {"namespace": here.namespace, "kind": "thought", "rows": changed}
    await here.graph.run(STORE_NODES, given)
    redactions.sort(key=lambda row: row["redacted_at"], reverse=True)
    await here.graph.run(REDACT, {"namespace": here.namespace, "rows": redactions})
    here.result.stored += len(changed)


async def check_ends(here: Arrival, lines: Sequence[CheckedLine]) -> None:
    """Let the lines of sessions wait whose last steps are not here: they were cut off, or come later."""
    for line in lines:
        own = line.own
        branches = [ChainEnd.of_line(one) for one in own.get("branches", ())]
        ends = {own["head_hash"]: own["head_step"], **{one.hash: one.step for one in branches}}
        steps = [{"session_id": line.id, "step": step, "hash": hash} for hash, step in ends.items()]
        found = await here.graph.run(FIND_STEPS, {"namespace": here.namespace, "steps": steps})
        if missing := ends.keys() - {*found}:
            here.wait(line.line, f"step {ends[missing.pop()]} of the session {line.id}")


def _update(known: Mapping[str, Any], line: CheckedLine) -> dict[str, Any] | None:
    """What may change of a stored thought."""
    kept = KEPT if known.get("content") is not None else KEPT | ERASED
    before, there = (
        {name: value for name, value in travelling(row).items() if name not in kept}
        for row in (known, line.own)
    )
    merged = reconciled(before, there)
    if merged == before:
        return None
    absent = {name: None for name in before if name not in merged}
    replica = line.by if merged == there else None
    return {"id": line.id, "properties": {**absent, **merged, "replica": replica}}


async def _append(here: Arrival, tx: Transaction, new: Sequence[CheckedLine]) -> None:
    """Store new thoughts: each step after a head moves that head, others begin a branch or wait."""
    owns = [line.own for line in new]
    sessions = {own["session_id"]: own["created_at"] for own in reversed(owns) if own.get("session_id")}
    genesis = {id: hashing.genesis(here.namespace, id) for id in sessions}
    given = [{"id": id, "genesis": genesis[id], "created_at": at} for id, at in sessions.items()]
    locked = await tx.run(LOCK_SESSIONS, {"namespace": here.namespace, "sessions": given})
    heads = {id: head for id, head, _ in locked}
    tails = {id: {ChainEnd.of_line(line).hash: line for line in branches} for id, _, branches in locked}
    sought = [
        {"session_id": own["session_id"], "step": own["step_index"] - before, "hash": own[name]}
        for own in owns
        if own.get("session_id")
        for before, name in ((1, "prev_hash"), (0, "chain_hash"))
    ]
    known = {*genesis.values(), *await tx.run(FIND_STEPS, {"namespace": here.namespace, "steps": sought})}
    rows: list[dict[str, Any]] = []
    moved: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for line in new:
        own = line.own
        session = own.get("session_id")
        if session is not None:
            if own["chain_hash"] in known:  # another call stored it before this one had the lock
                continue
            if own["prev_hash"] not in known:
                here.wait(line.line, f"step {own['step_index'] - 1} of the session {session}")
                continue
            known.add(own["chain_hash"])
            end = ChainEnd(own["chain_hash"], own["step_index"], own["id"], own.get("key_id"))
            if heads[session] == own["prev_hash"]:
                heads[session] = end.hash
                moved[session] |= {f"head_{name}": value for name, value in end._asdict().items()}
            else:
                tails[session].pop(own["prev_hash"], None)
                tails[session][end.hash] = end.line
                moved[session]["branches"] = [*tails[session].values()]
            if own.get("is_private"):
                moved[session]["has_private"] = True
        links = [
            {"type": type, "id": own[name]} for name, type in dict(LINKS).items() if own.get(name) is not None
        ]
        local = here.local(own, here.trust(own, proven=here.keyed(own)))
        rows.append({"properties": {**own, **local, "replica": line.by}, "links": links})
    sessions = [{"id": id, "properties": changed} for id, changed in moved.items()]
    await tx.run(STORE_STEPS, {"namespace": here.namespace, "rows": rows, "sessions": sessions})
    here.result.stored += len(rows)


def _redacts(removed: Mapping[str, Any], own: Mapping[str, Any]) -> bool:
    """Whether a removal is the redaction of a thought that has its text."""
    same = removed["session_id"] == own.get("session_id")
    return same and removed["reason"] is not None and own.get("content") is not None


def _redacted(removed: Mapping[str, Any]) -> dict[str, Any]:
    """What a redaction that came before a thought changes of it."""
    absent = dict.fromkeys(("content", "salt", "hypothesis"))
    mark = {"redacted_at": removed["removed_at"], "redacted_reason": removed.get("reason")}
    return {**absent, **mark, "title": "(redacted)"}
