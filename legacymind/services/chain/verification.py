"""Verifying that a session's chain is what was thought."""

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

_FOLLOWED: Final = 10
"""How often verification follows what is thought while it reads."""

_TOLD: Final = 1000
"""Thoughts between two words of progress."""


class ChainService:
    """Reading chains back and holding them against their hashes."""

    def __init__(self, graph: Graph, settings: Settings, keys: hashing.ChainKeys) -> None:
        self._graph = graph
        self._settings = settings
        self._keys = keys

    @operation(tool="thought_verify_chain", command="verify", writes=False)
    async def verify_chain(
        self,
        session_id: Annotated[str, about("Its id", "Session to verify")],
        known_step: Annotated[
            int | None,
            Field(ge=0),
            about(
                "Of a known head",
                "Step of an exported head, 0 or more; with `known_hash`",
            ),
        ] = None,
        known_hash: Annotated[str | None, about("Its hash", "Hash of that head; with `known_step`")] = None,
        namespace: Namespace = None,
    ) -> ChainReport:
        """Verify that no thought of a session was changed, removed or inserted.

        Streams the chain in step order, in memory that does not grow with it. ``valid``: every link that
        is there is unbroken; ``complete``: the last one is the session's head. With a head exported earlier,
        ``knownHead`` says whether history up to it is unchanged. Raises NotFound for a session that
        does not exist.
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
        """``verify_chain``, telling ``progress`` how many of about how many thoughts were verified."""
        space = checks.key("namespace", namespace or self._settings.namespace)
        session = checks.key("session_id", session_id)
        known = None if known_step is None or known_hash is None else (known_step, known_hash)
        walk = Walk(space, session, self._keys, known)
        total = 0
        if progress is not None:
            (head,) = await self._graph.run(queries.read_head, {"namespace": space, "session_id": session})
            total = head["head_step"] + 1 if isinstance(head["head_step"], int) else 0

        def tell() -> None:
            if progress is not None and walk.count % _TOLD == 0:
                progress(f"verifying {session}", walk.count, max(total, walk.count))

        head = await self._walk(walk, tell)
        for _ in range(_FOLLOWED):
            counted = walk.count
            if head["head_step"] == walk.last_step:
                break
            head = await self._walk(walk, tell)  # what was thought meanwhile: a chain that grows is complete
            if walk.count == counted:
                break
        if head["head_hash"] is None and walk.count == 0 and known is None:
            raise NotFound(
                f"There is no session {session} in this namespace.",
                effect="Nothing was verified.",
                hint="Check the id; sessions are made by thinking into them.",
            )
        return walk.report(head["head_hash"], head["head_step"])

    async def _walk(self, walk: "Walk", tell: Callable[[], None]) -> ChainHeadRow:
        """Walk from where the walk ends to the end, and only then read the head."""
        session: OfSession = {"namespace": walk.namespace, "session_id": walk.session_id}
        async for row in self._graph.stream(queries.read_chain, {**session, "after": walk.last_step}):
            walk.step(row)
            tell()
        (head,) = await self._graph.run(queries.read_head, session)
        return head


@dataclass(slots=True)
class Walk:
    """One pass over a chain: constant memory, the first break is kept."""

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
            self.known_head = False  # until its step is met

    def step(self, row: ChainRow) -> None:
        """Hold one thought against the chain so far."""
        thought = row["thought"]
        self.count += 1
        self.redacted += thought.get("content") is None
        self.pending += len(row["pending"])
        if self.broken is None:
            try:
                found = self._fault(row)
            except (ValueError, TypeError, AttributeError):
                # Tampering may leave what cannot even be hashed: no hex, no text, not a number.
                found = "record: a hashed field was changed"
            if found is not None:
                # A gap is named by the first step that is missing, anything else by the step itself.
                gap = found.startswith("missing")
                self.broken_at = self.last_step + 1 if gap else int(thought["step_index"])
                self.broken_thought = None if gap else thought["id"]
                self.broken = found
        self.keyed += thought.get("hash_alg") == hashing.KEYED_ALG
        self.last_step = thought["step_index"]
        self.last_hash = str(thought.get("chain_hash") or "")
        if self.known == (self.last_step, self.last_hash):
            self.known_head = self.broken is None

    def _fault(self, row: ChainRow) -> str | None:
        thought = row["thought"]
        step = thought["step_index"]
        if step <= self.last_step:
            return "duplicate step: two thoughts claim the same place"
        if step > self.last_step + 1:
            return "missing step: a thought was deleted or moved away"
        content, salt = thought.get("content"), thought.get("salt")
        if content is not None:
            if salt is None:
                return "content: the salt is gone but the content is not"
            if hashing.content_digest(salt, content) != thought.get("content_digest"):
                return "content: it is not what was thought"
        if hashing.content_hash(thought) != thought.get("content_hash"):
            return "record: a hashed field was changed"
        if thought.get("prev_hash") != self.last_hash:
            return "link to the previous step: the step before was replaced, or this one moved"
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
            # Whoever lacks the key could re-hash from here on without one.
            return "key: the chain was keyed, and this step is not"
        if hashing.chain_hash(self.last_hash, thought["content_hash"], secret) != thought.get("chain_hash"):
            return "hash: the chain hash does not follow from the record"
        return None

    def report(self, head_hash: str | None, head_step: int | None) -> ChainReport:
        """What was found, in words and figures."""
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
    """Links are kept twice; the relationships must say what the hashed properties say."""
    if not in_session:
        return "relationship IN_SESSION: it is gone or points elsewhere"
    for name, found in targets.items():
        wanted = thought.get(name)
        if wanted is None and found:
            return f"relationship of {name}: there is one that was never thought"
        if wanted is not None and found != [wanted] and not (found == [] and wanted in pending):
            return f"relationship of {name}: it is gone or points elsewhere"
    return None
