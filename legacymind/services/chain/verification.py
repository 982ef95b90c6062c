"""Verification of a session's hash chain."""

from collections.abc import Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Annotated, Final

from pydantic import Field

from legacymind.db.query import Parameters, load
from legacymind.errors import InputFinding, InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.chain import ChainReport
from legacymind.model.members import Id
from legacymind.model.progress import Progress, call_progress, no_progress
from legacymind.operations.registry import operation
from legacymind.services.chain import hashing
from legacymind.services.chain.faults import MAX_FAULTS
from legacymind.services.chain.walk import (
    READ_CHAIN,
    READ_HEAD,
    ChainWalk,
    FullHeadRow,
    KnownHead,
    OutsideRow,
)
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service

READ_OUTSIDE = load("chain/read_outside", OutsideRow, writes=False)


_MAX_STEP: Final = 2**31 - 1
"""The highest step that can be named: GraphQL's Int has 32 bits."""

_MAX_PASSES: Final = 10
"""How often verification continues with thoughts stored while it reads."""

_MAX_READINGS: Final = 5
"""How often a chain with faults is read again, until two readings find the same."""

_PROGRESS_INTERVAL: Final = 1000
"""Thoughts between two reports of progress."""


class ChainService(Service):
    """Verifies stored chains against their hashes."""

    @operation(tool="thought_verify_chain", command="verify", writes=False)
    async def verify_chain(
        self,
        session_id: Annotated[Id, about("Session id", "Session to verify")],
        known_step: Annotated[
            int | None,
            Field(ge=0, le=_MAX_STEP),
            about(
                "Step of a noted head",
                "Step of an exported chain head, 0 to 2,147,483,647; requires `known_hash`",
            ),
        ] = None,
        known_hash: Annotated[
            str | None, about("Hash of that head", "Hash of that head; requires `known_step`")
        ] = None,
        require_key: Annotated[
            bool,
            about(
                "Unkeyed steps are faults",
                "Report each step that was hashed without a key as a fault",
                tuning=True,
            ),
        ] = False,
        namespace: Namespace = None,
    ) -> ChainReport:
        """Verify that nobody changed a session's thoughts.

        Streams the chain in step order, in constant memory, and lists the faults. ``verdict`` is ``intact``,
        ``truncated``, ``broken`` or ``unverifiable``. ``valid``: every stored step verifies. ``complete``:
        the last step is the session's head. Given a head exported earlier, ``knownHead`` is true when the
        history up to it is unchanged. Raises NotFound when the session does not exist.
        """
        if (known_step is None) != (known_hash is None):
            raise InvalidInput(
                "known_step and known_hash belong together, and one of them is missing.",
                effect="Nothing was verified.",
                hint="Pass the step and the hash of one exported head.",
            )
        if known_hash is not None and not hashing.HASH.fullmatch(known_hash.lower()):
            raise InvalidInput(
                findings=[InputFinding("known_hash", "must be a hash of 64 hexadecimal digits")],
                effect="Nothing was verified.",
                hint="Pass the hash of an exported head.",
            )
        known = [] if known_step is None or known_hash is None else [KnownHead(known_step, known_hash)]
        return await self.verify(session_id, known, namespace, call_progress.get(), require_key=require_key)

    async def verify(
        self,
        session_id: str,
        known: Sequence[KnownHead] = (),
        namespace: str | None = None,
        progress: Progress = no_progress,
        *,
        require_key: bool = False,
        leaves_lost: bool = False,
    ) -> ChainReport:
        """``verify_chain`` against any number of known heads.

        ``progress`` gets the number of verified thoughts, and about how many there are. ``leaves_lost``: the
        session was to be compared with an anchor too, and the leaves of that anchor are lost or were changed.

        A fault counts if a second reading finds it, too: a step that is redacted while it is read may come
        with some of its properties from before and some from after.
        """
        namespace = checks.namespace(namespace, self._settings)
        begin = partial(
            ChainWalk,
            namespace,
            checks.key("session_id", session_id),
            self._keys,
            known,
            require_key=require_key or self._settings.chain_key_required,
            leaves_lost=leaves_lost,
        )
        report = await self._read(begin(), progress)
        for _ in range(_MAX_READINGS):
            found = report.faults
            report = await self._read(begin(), progress) if found else report
            if report.faults == found:
                break
        return report

    async def _read(self, walk: ChainWalk, progress: Progress) -> ChainReport:
        """Read the chain once, and what was stored meanwhile."""
        namespace, session = walk.namespace, walk.session_id
        total = 0
        if progress is not no_progress:
            (head,) = await self._graph.run(READ_HEAD, {"namespace": namespace, "session_id": session})
            total = head["head_step"] + 1 if isinstance(head["head_step"], int) else 0

        def report_progress() -> None:
            if walk.count % _PROGRESS_INTERVAL == 0:
                progress(f"verifying {session}", walk.count, max(total, walk.count))

        head = await self._walk(walk, None, report_progress)
        for _ in range(_MAX_PASSES):
            # Thoughts stored meanwhile belong to the chain, which is complete if it has the head read before.
            end = head["head_step"]
            if type(end) is not int or end <= walk.last_step:
                break
            later = await self._walk(walk, end, report_progress)
            if not walk.removed or walk.last_step < end:
                break
            head = later  # One of them may redact a thought that was read without its text.
        walk.outside(
            await self._graph.run(
                READ_OUTSIDE, {"namespace": namespace, "session_id": session, "take": MAX_FAULTS}
            )
        )
        if head["sessions"] == walk.count == walk.fault_count == 0 and not walk.known:
            raise NotFound(
                f"There is no session {session} in this namespace.",
                effect="Nothing was verified.",
                hint="Check the id. A session is created with its first thought.",
            )
        return walk.report(head)

    async def _walk(
        self, walk: ChainWalk, end: int | None, report_progress: Callable[[], None]
    ) -> FullHeadRow:
        """Verify the steps after the last verified one, up to ``end``, and read the head only afterwards."""
        session: Parameters = {"namespace": walk.namespace, "session_id": walk.session_id}
        rows = self._graph.stream(READ_CHAIN, {**session, "after": walk.last_step})
        async with aclosing(rows):
            async for row in rows:
                if end is not None and row["thought"]["step_index"] > end:
                    break
                walk.step(row)
                report_progress()
        (head,) = await self._graph.run(READ_HEAD, session)
        return head
