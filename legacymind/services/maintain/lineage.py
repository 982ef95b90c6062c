"""What a memory touched, and its quarantine: out of every read with what it touched, and back unchanged."""

import asyncio
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from legacymind.db.graph import Transaction
from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.base import ALWAYS, OPEN
from legacymind.model.graph import View
from legacymind.model.lineage import QuarantineResult, ReleaseResult, Touched, TouchedResult, Way
from legacymind.model.members import Id
from legacymind.model.values import Ids, whole
from legacymind.operations.budget import MaxTokens
from legacymind.operations.pages import After, Paged, begin, by_offset
from legacymind.operations.registry import operation
from legacymind.services.chain.call_log import exposures
from legacymind.services.nodes.reads import NodeReads
from legacymind.services.shared import checks, items
from legacymind.services.shared.parameters import Namespace, OwnSessionId
from legacymind.services.shared.service import Service
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.services.think.thought import Thought

TouchedRow = tuple[str, Way, int, str | None, str | None]
"""An id, the way on which it was touched, the number of steps, the last link, and the node before."""

READ_TOUCHED = load("trust/read_touched", TouchedRow, writes=False)

QUARANTINE_NODES = load("trust/quarantine_nodes", tuple[int, int, list[str]], writes=True)
"""How many nodes are taken out, how many links, and a line for each node with its digest."""

RELEASE_NODES = load("trust/release_nodes", tuple[int, int], writes=True)

MOST: Final = 500
"""The most nodes of one quarantine: its step in the chain names each."""

SESSION: Final = "quarantine"
"""The session whose chain has the steps."""

_READ: Final = 1_000
_LENGTH: Final = 300


class LineageService(Service):
    """Reads what a memory touched, and takes it out of every read."""

    _reads: NodeReads
    _think: ThinkService
    _store: Store

    @operation(tool="legacymind_touched", command="touched", writes=False, profile="full")
    async def touched(
        self,
        id: Annotated[Id, about("Any id", "Id of a thought, a fact or an entity")],
        limit: Annotated[int, whole(1, 200), about("On a page", "Items on a page")] = 50,
        after: After = None,
        max_tokens: MaxTokens = None,
        own_session_id: OwnSessionId = None,
        namespace: Namespace = None,
    ) -> Paged[TouchedResult]:
        """What a memory touched: made from it, recalled it, changed by it, or thought after it.

        ``way`` is ``made`` (revisions, summaries, sections, facts learned from it), ``shown`` (thoughts that
        recalled any of these), ``changed`` (facts that it ended, problems that it solved, what it
        contradicts) or ``after`` (later steps of sessions that had recalled it, or to which MCP, a server or
        a hook showed it). ``reached_from`` is the node before, so that the items are a tree. Raises NotFound.
        """
        view = self._reads.view(namespace, own_session_id)
        rows = await self._touched(view, checks.thought_id("id", id) or "")
        start = begin(after)
        page = rows[start : start + limit]
        nodes = await items.rows(self._graph, view, [row[0] for row in page], length=_LENGTH + 1)
        shown = [
            items.record(
                Touched, nodes[own], _LENGTH, way=way, distance=distance, via=via, reached_from=source
            )
            for own, way, distance, via, source in page
            if own in nodes
        ]
        ways = Counter(row[1] for row in rows)
        answer = TouchedResult(
            id=rows[0][0],
            items=shown,
            made=ways["made"],
            shown=ways["shown"],
            changed=ways["changed"],
            after=ways["after"],
        )
        return by_offset(answer, "items", offset=start, more=start + limit < len(rows))

    @operation(
        tool="legacymind_quarantine",
        command="quarantine",
        writes=True,
        profile="full",
        idempotent=True,
        planned={"dry_run": True},
    )
    async def quarantine(
        self,
        ids: Annotated[Ids, about("Any ids", "Ids of thoughts, facts and entities")],
        touched: Annotated[
            bool,
            about(
                "And what it touched",
                "Also what was made from them, thoughts that recalled them, and later steps of those "
                "sessions",
            ),
        ] = False,
        reason: Annotated[str, about("Stored openly", "Reason, stored in the chain")] = "quarantine",
        dry_run: Annotated[bool, about("Count only", "Change nothing; count what would go")] = False,
        own_session_id: OwnSessionId = None,
        namespace: Namespace = None,
    ) -> QuarantineResult:
        """Take memories out of every read, until `release`.

        What they ended is true again, and what they solved is open. A step of the chain of the session
        ``quarantine`` names each with its digest; its id releases them. Chains still verify. Raises NotFound
        when one does not exist, and InvalidInput for more than 500.
        """
        view = self._reads.view(namespace, own_session_id)
        chosen = [str(checks.thought_id("ids", id)) for id in ids]
        if touched:
            found = [row for id in chosen for row in await self._touched(view, id)]
            chosen = list(dict.fromkeys(own for own, way, *_ in found if way != "changed"))
        else:
            _check(chosen, await items.rows(self._graph, view, chosen, length=1))
        if len(chosen) > MOST:
            raise InvalidInput(
                f"That would take out {len(chosen):,} memories; at most {MOST} go at once.",
                effect="Nothing was changed.",
                hint="Read `touched`, and send the ids that are to go.",
            )
        given: dict[str, Any] = {"ids": chosen, "namespace": view.namespace, "past": ALWAYS, "open": OPEN}
        ((count, links, lines),) = await self._graph.run(QUARANTINE_NODES, {**given, "step": None})
        if dry_run or not count:
            return QuarantineResult(step=None, taken=count, links=links, done=False)
        checks.text("reason", reason, limit=1000)
        step = self._step(view.namespace, "\n".join([f"Quarantined: {reason}", *lines]), "quarantine")

        async def take(tx: Transaction) -> None:
            await tx.run(QUARANTINE_NODES, {**given, "step": step.id})

        await self._store.store_and(step, take)
        self._vectors.forget_all()
        return QuarantineResult(step=step.id, taken=count, links=links, done=True)

    @operation(tool="legacymind_release", command="release", writes=True, profile="full", planned={})
    async def release(
        self,
        step: Annotated[Id, about("Id that quarantine answered", "Id of the step of the quarantine")],
        namespace: Namespace = None,
    ) -> ReleaseResult:
        """Undo a quarantine: every memory and link is as it was. Raises NotFound for another id."""
        space, own_id = checks.namespace(namespace, self._settings), str(checks.thought_id("step", step))
        released = 0
        made = self._step(space, f"Released what {own_id} quarantined.", "release")

        async def free(tx: Transaction) -> None:
            nonlocal released
            ((released, _),) = await tx.run(RELEASE_NODES, {"namespace": space, "step": own_id})
            if not released:
                raise NotFound(
                    f"Nothing is in quarantine by the step {own_id}.",
                    effect="Nothing was changed.",
                    hint="Send the `step` that `quarantine` answered.",
                )

        await self._store.store_and(made, free)
        return ReleaseResult(step=own_id, released=released)

    async def _touched(self, view: View, id: str) -> list[TouchedRow]:
        """What a node touched, itself first. Raises NotFound."""
        given = {"id": id, "namespace": view.namespace, "own_session": view.own_session, "most": _READ}
        rows = await self._graph.run(READ_TOUCHED, {**given, "exposed": []})
        _check([id], [row[0] for row in rows[:1]])
        made = {row[0]: row[2] for row in rows if row[1] == "made"}
        calls = await asyncio.to_thread(exposures, self._settings, view.namespace, made)
        if not calls:
            return rows
        exposed = [{**call, "distance": made[call["id"]] + 1} for call in calls]
        return await self._graph.run(READ_TOUCHED, {**given, "exposed": exposed})

    def _step(self, namespace: str, content: str, kind: str) -> Thought:
        """The step of the chain that records what was done."""
        step = self._think.prepare(
            content=content,
            hint="conclude",
            thought_type=kind,
            session_id=SESSION,
            namespace=namespace,
            injection_scale=0,
            enhance=False,
            standing=False,
            created_at=datetime.now(UTC),
        )
        return replace(step, hot=False)


def _check(ids: Sequence[str], found: Container[str]) -> None:
    """Raise NotFound unless each was found."""
    for id in ids:
        if id not in found:
            raise NotFound(
                f"There is no thought, fact or entity {id} in this namespace that you may read.",
                effect="Nothing was changed.",
                hint="Check the id, or find it with a search.",
            )
