"""Verification of a session's hash chain."""

from collections.abc import Sequence
from contextlib import aclosing
from typing import Annotated, Final

from pydantic import Field

from legacymind.db.query import Parameters
from legacymind.errors import InputFinding, InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.chain import ChainReport
from legacymind.model.members import Id
from legacymind.model.progress import Progress, call_progress, no_progress
from legacymind.operations.registry import operation
from legacymind.services.chain import hashing
from legacymind.services.chain.faults import MAX_FAULTS
from legacymind.services.chain.reads import READ_CHAIN, READ_HEAD, READ_OUTSIDE, stored_head
from legacymind.services.chain.walk import ChainWalk, KnownHead
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service

_MAX_STEP: Final = 2**31 - 1
"""The highest step that can be named: GraphQL's Int has 32 bits."""

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
    ) -> ChainReport:
        """``verify_chain`` against any number of known heads; ``progress`` gets the number of thoughts."""
        namespace = checks.namespace(namespace, self._settings)
        session = checks.key("session_id", session_id)
        return await self.judge(namespace, session, known, progress, require_key=require_key)

    async def judge(
        self,
        namespace: str,
        session_id: str,
        known: Sequence[KnownHead] = (),
        progress: Progress = no_progress,
        *,
        require_key: bool = False,
    ) -> ChainReport:
        """``verify`` in any namespace.

        A fault counts if a second reading finds it, too: a step that is redacted while it is read may come
        with some of its properties from before and some from after.
        """
        required = require_key or self._settings.chain_key_required
        walk = ChainWalk(namespace, session_id, self._keys, known, required)
        report = await self._read(walk, progress)
        if report.faults:
            suspected = None if report.fault_count > MAX_FAULTS else frozenset(report.faults)
            again = ChainWalk(namespace, session_id, self._keys, known, required, suspected)
            report = await self._read(again, progress)
        return report

    async def _read(self, walk: ChainWalk, progress: Progress) -> ChainReport:
        """Read the chain up to the head that the session had before. What is stored later is not judged."""
        session: Parameters = {"namespace": walk.namespace, "session_id": walk.session_id}
        head = await stored_head(self._graph, walk.namespace, walk.session_id)
        end = head.last_step
        walk.ends = head.ends
        rows = self._graph.stream(READ_CHAIN, {**session, "after": -1})
        async with aclosing(rows):
            async for row in rows:
                step = row["thought"]["step_index"]
                if end is not None and step > end:
                    (now,) = await self._graph.run(READ_HEAD, session)
                    if now.last_step is not None and now.last_step >= step:
                        break
                    end = None  # Nobody appended it: the head was changed, or the step was inserted.
                walk.step(row)
                if walk.count % _PROGRESS_INTERVAL == 0:
                    progress(f"verifying {walk.session_id}", walk.count, max((end or 0) + 1, walk.count))
        walk.outside(await self._graph.run(READ_OUTSIDE, {**session, "take": MAX_FAULTS}))
        if head.sessions == walk.count == walk.fault_count == 0 and not walk.known:
            raise NotFound(
                f"There is no session {walk.session_id} in this namespace.",
                effect="Nothing was verified.",
                hint="Check the id. A session is created with its first thought.",
            )
        return walk.report(head)
