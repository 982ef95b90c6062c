"""The steps of one verification: every fault of a chain, in constant memory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from legacymind.db.rows.chain import ChainRow, FullHeadRow, LinkTargets, OutsideRow
from legacymind.db.stored import ChainedThought
from legacymind.model.base import ChainVerdict, FaultKind
from legacymind.model.chain import ChainFault, ChainReport
from legacymind.services.chain import hashing
from legacymind.services.chain.faults import MAX_FAULTS, fault


@dataclass(slots=True)
class ChainWalk:
    """The state of one verification: constant in size, with the first hundred faults.

    Each step is verified against the stored hash of the step before, so a fault does not hide later ones.
    """

    namespace: str
    session_id: str
    keys: hashing.ChainKeys
    known: tuple[int, str] | None = None
    require_key: bool = False
    known_head: bool | None = None
    count: int = 0
    keyed: int = 0
    redacted: int = 0
    pending: int = 0
    last_step: int = -1
    last_hash: str = field(default="")
    last: ChainedThought | None = None
    removed: dict[str, int] = field(default_factory=dict[str, int])
    """The steps of thoughts without content, by id, that a later step must redact."""
    faults: list[ChainFault] = field(default_factory=list[ChainFault])
    fault_count: int = 0
    kinds: set[FaultKind] = field(default_factory=set[FaultKind])

    def __post_init__(self) -> None:
        self.last_hash = hashing.genesis(self.namespace, self.session_id)
        if self.known is not None:
            self.known_head = False  # Until its step verifies.

    def step(self, row: ChainRow) -> None:
        """Verify the next thought."""
        thought = row["thought"]
        self.count += 1
        if thought.get("content") is None:
            self.redacted += 1
            # Before version 2 a redaction left no step, but only its time.
            if thought.get("hash_version") != 1 or thought.get("redacted_at") is None:
                self.removed[thought["id"]] = thought["step_index"]
        self.pending += len(row["pending"])
        found: list[tuple[FaultKind, str]] = []
        try:
            for item in self._faults(row):
                found.append(item)
        except (ValueError, TypeError, AttributeError):
            # Tampering may leave values that cannot be hashed: no hex, no text, not a number.
            found.append(("record", "record: a hashed field was changed"))
        for kind, what in found:
            # A gap is reported at the first missing step, any other fault at the step itself.
            missing = kind == "missing"
            step = self.last_step + 1 if missing else thought["step_index"]
            self._add(fault(kind, what, step, None if missing else thought["id"]))
        sound = {kind for kind, _ in found} <= {"key", "unkeyed"}
        # Version 1 does not hash this field, so anybody could add it.
        if sound and thought["hash_version"] > 1 and (redacts := thought.get("redacts")) is not None:
            self.removed.pop(redacts, None)
        self.keyed += thought.get("hash_alg") == hashing.KEYED_ALG
        self.last, self.last_step = thought, thought["step_index"]
        self.last_hash = str(thought.get("chain_hash") or "")
        if self.known == (self.last_step, self.last_hash.lower()):
            self.known_head = self.fault_count == 0

    def outside(self, rows: Sequence[OutsideRow]) -> None:
        """Add the thoughts that belong to the session but not to its chain."""
        for row in rows:
            self._add(fault("outside", f"outside the chain: {row['reason']}", None, row["thought_id"]))

    def _add(self, found: ChainFault) -> None:
        self.fault_count += 1
        self.kinds.add(found.kind)
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(found)

    def _faults(self, row: ChainRow) -> Iterator[tuple[FaultKind, str]]:
        thought = row["thought"]
        step = thought["step_index"]
        if step <= self.last_step:
            yield "duplicate", "duplicate step: two thoughts have the same step number"
            return
        gap = step > self.last_step + 1
        if gap:
            yield "missing", "missing step: a thought was deleted or moved away"
        content, salt = thought.get("content"), thought.get("salt")
        if content is not None:
            if salt is None:
                yield "content", "content: the salt was removed but the content was not"
            else:
                if hashing.content_digest(salt, content) != thought.get("content_digest"):
                    yield "content", "content: it was changed"
                hypothesis = hashing.hypothesis_digest(salt, thought.get("hypothesis"))
                if thought["hash_version"] > 1 and hypothesis != thought.get("hypothesis_digest"):
                    yield "content", "hypothesis: it was changed"
        if not _has_types(thought) or hashing.content_hash(thought) != thought.get("content_hash"):
            yield "record", "record: a hashed field was changed"
        if not gap and thought.get("prev_hash") != self.last_hash:
            yield (
                "previous",
                "link to the previous step: the previous step was replaced, or this one was moved",
            )
        yield from self._hash_faults(thought)
        yield from _link_faults(row)

    def _hash_faults(self, thought: ChainedThought) -> Iterator[tuple[FaultKind, str]]:
        secret = None
        alg, key_id = thought.get("hash_alg"), thought.get("key_id")
        if alg not in (hashing.HASH_ALG, hashing.KEYED_ALG):
            yield "hash", "hash: its algorithm is unknown"
            return
        if alg == hashing.KEYED_ALG:
            secret = self.keys.secret(key_id)
            if secret is None:
                yield "key", f"key: {key_id} is not configured, so this step cannot be verified"
                return
        elif self.keyed:
            # Without the key, an attacker could hash all later steps again unkeyed.
            yield "hash", "key: this step has no key although earlier steps have one"
            return
        elif self.require_key:
            yield "unkeyed", "key: this step has no key, and a key is required"
        expected = hashing.chain_hash(str(thought.get("prev_hash")), thought["content_hash"], secret)
        if expected != thought.get("chain_hash"):
            yield "hash", "hash: the chain hash does not follow from the record"

    def _end(self) -> None:
        """Report contents that no step of the chain redacted, and put the faults in the order of steps."""
        for thought_id, step in self.removed.items():
            what = "content: it was removed, and no step of the chain redacts it"
            self._add(fault("content", what, step, thought_id))
        self.faults.sort(key=lambda found: (found.step is None, found.step or 0))

    def report(self, head: FullHeadRow) -> ChainReport:
        """The result of the verification."""
        self._end()
        last_id = self.last["id"] if self.last is not None else head["head_id"]
        last_key = self.last.get("key_id") if self.last is not None else head["head_key_id"]
        ends = (head["head_hash"], head["head_step"]) == (self.last_hash, self.last_step)
        complete = ends and (head["head_id"], head["head_key_id"]) == (last_id, last_key)
        broken = next(iter(self.faults), None)
        if not ends:
            message = (
                f"All {self.count} thoughts verify, but the session's head is at step {head['head_step']}: "
                "the end was cut off, or the head was changed."
            )
        elif not complete:
            message = (
                f"All {self.count} thoughts verify, but the session's head names another thought or key than "
                f"step {self.last_step} has: the head was changed."
            )
        else:
            message = f"Chain intact: {self.count} thoughts verify up to the session's head."
        if broken is not None:
            at = f"Chain broken at step {broken.step}" if broken.step is not None else "Chain broken"
            message = f"{at}: {broken.fault}."
            if self.fault_count > 1:
                message += f" {self.fault_count - 1} more {'fault' if self.fault_count == 2 else 'faults'}."
        if not complete:
            self._add(fault("head", "head: it is not the last step", self.last_step, None))
        if self.known is not None and not self.known_head:
            self._add(
                fault("history", "history: the known head is not in this chain", self.known[0], None),
            )
        return ChainReport(
            success=True,
            verdict=self._verdict(complete=complete),
            valid=broken is None,
            complete=complete,
            message=message + self._remarks(),
            session_id=self.session_id,
            thought_count=self.count,
            broken_at=broken.step if broken else None,
            broken_thought=broken.thought_id if broken else None,
            broken=broken.fault if broken else None,
            faults=self.faults,
            fault_count=self.fault_count,
            head_hash=head["head_hash"],
            redacted=self.redacted,
            pending_links=self.pending,
            keyed=self.keyed,
            unkeyed=self.count - self.keyed,
            known_head=self.known_head,
        )

    def _verdict(self, *, complete: bool) -> ChainVerdict:
        if self.kinds - {"key", "unkeyed", "head"}:
            return "broken"
        if self.kinds - {"head"}:
            return "unverifiable"
        return "intact" if complete else "truncated"

    def _remarks(self) -> str:
        """What the message says beside the verdict."""
        remarks = ""
        if self.redacted:
            remarks += f" Redacted: {self.redacted}."
        if 0 < self.keyed < self.count or (self.keys.current is not None and self.keyed < self.count):
            remarks += f" Without a key: {self.count - self.keyed}."
        if self.known is not None:
            remarks += (
                f" History up to the known head at step {self.known[0]} is unchanged."
                if self.known_head
                else f" The known head at step {self.known[0]} is not in this chain: history was rewritten."
            )
        return remarks


def _has_types(thought: ChainedThought) -> bool:
    """Whether the version and the times have their types; in the record's JSON a text can equal a time."""
    version: object = thought.get("hash_version")
    times: list[Any] = [thought.get("created_at"), thought.get("recorded_at")]
    return type(version) is int and all(
        isinstance(time, datetime) and time.tzinfo is not None for time in times
    )


def _link_faults(row: ChainRow) -> Iterator[tuple[FaultKind, str]]:
    """Compare the link relationships with the hashed properties; both store each link."""
    if not row["in_session"]:
        yield "relationship", "relationship IN_SESSION: it was removed, was doubled or points elsewhere"
    thought: Mapping[str, Any] = row["thought"]
    targets: LinkTargets = row["targets"]
    for name, linked in targets.items():
        hashed = thought.get(name)
        if hashed is None and linked:
            yield "relationship", f"relationship of {name}: it was added later"
        elif hashed is not None and linked != [hashed] and not (linked == [] and hashed in row["pending"]):
            waits = linked == [] and hashed in row["overdue"]
            yield (
                "relationship",
                f"relationship of {name}: it waits for its target, which exists"
                if waits
                else f"relationship of {name}: it was removed or points elsewhere",
            )
