"""Verification of a session's hash chain."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import Field

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.db.parameters.chain import OfSession
from legacymind.db.rows.chain import ChainHeadRow, ChainRow, LinkTargets
from legacymind.db.stored import ChainedThought
from legacymind.errors import NotFound
from legacymind.model.about import about
from legacymind.model.chain import ChainReport
from legacymind.model.progress import Progress
from legacymind.operations.registry import operation
from legacymind.services.chain import hashing
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace
from legacymind.settings import Settings

_MAX_PASSES: Final = 10
"""How often verification continues with thoughts stored while it reads."""

_PROGRESS_INTERVAL: Final = 1000
"""Thoughts between two reports of progress."""


class ChainService:
    """Verifies stored chains against their hashes."""

    def __init__(self, graph: Graph, settings: Settings, keys: hashing.ChainKeys) -> None:
        self._graph = graph
        self._settings = settings
        self._keys = keys

    @operation(tool="thought_verify_chain", command="verify", writes=False)
    async def verify_chain(
        self,
        session_id: Annotated[str, about("Session id", "Session to verify")],
        known_step: Annotated[
            int | None,
            Field(ge=0),
            about(
                "Of exported head",
                "Step of an exported chain head, 0 or more; requires `known_hash`",
            ),
        ] = None,
        known_hash: Annotated[
            str | None, about("Its hash", "Hash of that head; requires `known_step`")
        ] = None,
        namespace: Namespace = None,
    ) -> ChainReport:
        """Verify that no thought of a session was changed, removed or inserted.

        Streams the chain in step order, in constant memory. ``valid``: every stored step verifies.
        ``complete``: the last step is the session's head. Given a head exported earlier, ``knownHead`` is
        true when the history up to it is unchanged. Raises NotFound when the session does not exist.
        """
        return await self.verify(session_id, known_step, known_hash, namespace)

    async def verify(
        self,
        session_id: str,
        known_step: int | None = None,
        known_hash: str | None = None,
        namespace: str | None = None,
        progress: Progress | None = None,
    ) -> ChainReport:
        """``verify_chain`` that reports its progress: thoughts verified, and about how many there are."""
        namespace = checks.namespace(namespace, self._settings)
        session = checks.key("session_id", session_id)
        known = None if known_step is None or known_hash is None else (known_step, known_hash)
        walk = ChainWalk(namespace, session, self._keys, known)
        total = 0
        if progress is not None:
            (head,) = await self._graph.run(
                queries.read_head, {"namespace": namespace, "session_id": session}
            )
            total = head["head_step"] + 1 if isinstance(head["head_step"], int) else 0

        def report_progress() -> None:
            if progress is not None and walk.count % _PROGRESS_INTERVAL == 0:
                progress(f"verifying {session}", walk.count, max(total, walk.count))

        head = await self._walk(walk, report_progress)
        for _ in range(_MAX_PASSES):
            counted = walk.count
            if head["head_step"] == walk.last_step:
                break
            head = await self._walk(walk, report_progress)  # Thoughts stored meanwhile belong to the chain.
            if walk.count == counted:
                break
        if head["head_hash"] is None and walk.count == 0 and known is None:
            raise NotFound(
                f"There is no session {session} in this namespace.",
                effect="Nothing was verified.",
                hint="Check the id. A session is created with its first thought.",
            )
        return walk.report(head["head_hash"], head["head_step"])

    async def _walk(self, walk: "ChainWalk", report_progress: Callable[[], None]) -> ChainHeadRow:
        """Verify the steps after the last verified one, and read the head only afterwards."""
        session: OfSession = {"namespace": walk.namespace, "session_id": walk.session_id}
        async for row in self._graph.stream(queries.read_chain, {**session, "after": walk.last_step}):
            walk.step(row)
            report_progress()
        (head,) = await self._graph.run(queries.read_head, session)
        return head


@dataclass(slots=True)
class ChainWalk:
    """The state of one verification: constant in size, with the first fault found."""

    namespace: str
    session_id: str
    keys: hashing.ChainKeys
    known: tuple[int, str] | None = None
    known_head: bool | None = None
    count: int = 0
    keyed: int = 0
    redacted: int = 0
    pending: int = 0
    broken_at: int | None = None
    broken_thought: str | None = None
    broken: str | None = None
    last_step: int = -1
    last_hash: str = field(default="")

    def __post_init__(self) -> None:
        self.last_hash = hashing.genesis(self.namespace, self.session_id)
        if self.known is not None:
            self.known_head = False  # Until its step verifies.

    def step(self, row: ChainRow) -> None:
        """Verify the next thought."""
        thought = row["thought"]
        self.count += 1
        self.redacted += thought.get("content") is None
        self.pending += len(row["pending"])
        if self.broken is None:
            try:
                fault = self._fault(row)
            except (ValueError, TypeError, AttributeError):
                # Tampering may leave values that cannot be hashed: no hex, no text, not a number.
                fault = "record: a hashed field was changed"
            if fault is not None:
                # A gap is reported at the first missing step, any other fault at the step itself.
                gap = fault.startswith("missing")
                self.broken_at = self.last_step + 1 if gap else int(thought["step_index"])
                self.broken_thought = None if gap else thought["id"]
                self.broken = fault
        self.keyed += thought.get("hash_alg") == hashing.KEYED_ALG
        self.last_step = thought["step_index"]
        self.last_hash = str(thought.get("chain_hash") or "")
        if self.known == (self.last_step, self.last_hash):
            self.known_head = self.broken is None

    def _fault(self, row: ChainRow) -> str | None:
        thought = row["thought"]
        step = thought["step_index"]
        if step <= self.last_step:
            return "duplicate step: two thoughts have the same step number"
        if step > self.last_step + 1:
            return "missing step: a thought was deleted or moved away"
        content, salt = thought.get("content"), thought.get("salt")
        if content is not None:
            if salt is None:
                return "content: the salt was removed but the content was not"
            if hashing.content_digest(salt, content) != thought.get("content_digest"):
                return "content: it was changed"
        if hashing.content_hash(thought) != thought.get("content_hash"):
            return "record: a hashed field was changed"
        if thought.get("prev_hash") != self.last_hash:
            return "link to the previous step: the previous step was replaced, or this one was moved"
        if (found := self._hash_fault(thought)) is not None:
            return found
        return _link_fault(thought, row["targets"], row["pending"], in_session=row["in_session"])

    def _hash_fault(self, thought: ChainedThought) -> str | None:
        secret = None
        if thought.get("hash_alg") not in (hashing.HASH_ALG, hashing.KEYED_ALG):
            return "hash: its algorithm is unknown"
        if thought["hash_alg"] == hashing.KEYED_ALG:
            secret = self.keys.secret(thought.get("key_id"))
            if secret is None:
                return f"key: {thought.get('key_id')} is not configured, so this step cannot be verified"
        elif self.keyed:
            # Without the key, an attacker could hash all later steps again unkeyed.
            return "key: this step has no key although earlier steps have one"
        if hashing.chain_hash(self.last_hash, thought["content_hash"], secret) != thought.get("chain_hash"):
            return "hash: the chain hash does not follow from the record"
        return None

    def report(self, head_hash: str | None, head_step: int | None) -> ChainReport:
        """The result of the verification."""
        valid = self.broken is None
        complete = head_hash == self.last_hash and head_step == self.last_step
        if not valid:
            message = f"Chain broken at step {self.broken_at}: {self.broken}."
        elif not complete:
            message = (
                f"All {self.count} thoughts verify, but the session's head is at step {head_step}: "
                "the end was cut off, or the head was changed."
            )
        else:
            message = f"Chain intact: {self.count} thoughts verify up to the session's head."
        if self.known is not None:
            message += (
                f" History up to the known head at step {self.known[0]} is unchanged."
                if self.known_head
                else f" The known head at step {self.known[0]} is not in this chain: history was rewritten."
            )
        return ChainReport(
            success=True,
            valid=valid,
            complete=complete,
            message=message,
            session_id=self.session_id,
            thought_count=self.count,
            broken_at=self.broken_at,
            broken_thought=self.broken_thought,
            broken=self.broken,
            head_hash=head_hash,
            redacted=self.redacted,
            pending_links=self.pending,
            keyed=self.keyed,
            known_head=self.known_head,
        )


def _link_fault(
    thought: ChainedThought, targets: LinkTargets, pending: list[str], *, in_session: bool
) -> str | None:
    """Compare the link relationships with the hashed properties; both store each link."""
    if not in_session:
        return "relationship IN_SESSION: it was removed or points elsewhere"
    for name, linked in targets.items():
        hashed = thought.get(name)
        if hashed is None and linked:
            return f"relationship of {name}: it was added later"
        if hashed is not None and linked != [hashed] and not (linked == [] and hashed in pending):
            return f"relationship of {name}: it was removed or points elsewhere"
    return None
