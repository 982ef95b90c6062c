"""The steps of one verification: every fault of a chain, in constant memory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypedDict

from legacymind.db.query import load
from legacymind.model.base import LINKS, REDACTED, ChainVerdict, FaultKind
from legacymind.model.chain import ChainFault, ChainReport
from legacymind.model.stored import Thought, properties
from legacymind.services.chain import hashing
from legacymind.services.chain.faults import MAX_FAULTS, fault, shown
from legacymind.services.shared import checks
from legacymind.services.shared.chain_keys import HASH_ALG, KEYED_ALG, ChainKeys
from legacymind.text.numbers import counted


class WaitingLink(TypedDict):
    """A link that waits for its target; ``overdue``: the target exists."""

    type: str | None
    id: str
    overdue: bool


class ChainRow(TypedDict):
    """One step of a chain for verification.

    ``targets`` are the targets of its relationships, by the property that holds the intended id.
    ``in_session``: the thought belongs to this session and no other. Tampering may leave any value in any
    property, whatever its type here. ``restored``: the step that this one redacted, if it has a text.
    ``thought`` has the properties of ``model.stored.VERIFIED``, and ``chained``.
    """

    thought: dict[str, Any]
    targets: dict[str, list[str]]
    waiting: list[WaitingLink]
    in_session: bool
    restored: list[int | None]


READ_CHAIN = load("chain/read_chain", ChainRow, writes=False)


class OutsideRow(TypedDict):
    """A thought of a session that is not a step of its chain."""

    thought_id: str | None
    reason: str


class ChainHeadRow(TypedDict):
    """A session's stored head, or nulls."""

    head_hash: str | None
    head_step: int | None


class FullHeadRow(ChainHeadRow):
    """A session's head with the id and the key of its last thought; ``last`` as in ``HeadRow``.

    ``sessions`` is the number of Session nodes with this id.
    """

    sessions: int
    head_id: str | None
    head_key_id: str | None
    mapped_from: str | None
    last: list[dict[str, Any]]


READ_HEAD = load("chain/read_head", FullHeadRow, writes=False)


class SessionHeadRow(ChainHeadRow):
    """A session, its chain head, and the key of its last thought; tampering may leave any value in these.

    ``fits``: a step has that head.
    """

    session_id: str
    head_key_id: str | None
    fits: bool


READ_HEADS = load("chain/read_heads", SessionHeadRow, writes=False)


class FaultRow(TypedDict):
    """A fault of a chain that is visible without hashing."""

    step: int
    thought: str | None
    fault: str


CHECK_LINKS = load("chain/check_links", FaultRow, writes=False)


_Doubt = Literal["rewritten", "faulty", "missing", "rekeyed", "key", "cut", "deleted"]
"""Why a known head is not proven. ``faulty``: it is in the chain, but a step up to it does not verify."""

_DOUBTS: Final[dict[_Doubt, tuple[FaultKind, str, str]]] = {
    "rewritten": ("history", "history: it is not the one of the known head", "its history is another one"),
    "faulty": (
        "history",
        "history: the known head is there, but not all up to it",
        "a step before it is at fault",
    ),
    "missing": ("history", "history: the step of the known head is missing", "that step is missing"),
    "rekeyed": (
        "rekeyed",
        "history: it was hashed again with another key",
        "history was hashed again with another key",
    ),
    "key": ("key", "key: a known head cannot be compared without it", "a key is missing to compare them"),
    "cut": ("cut", "cut: the end of the chain is missing", "the end was cut off"),
    "deleted": ("deleted", "deleted: the session was deleted", "the session was deleted"),
}
"""Each as the kind of a fault, as a fault, and in the message."""

_LINK_TYPES: Final = {**dict(LINKS), "action_id": "FOR_ACTION"}
"""The relationship type of each hashed link. The one to an action never waits."""


_UNHASHED: Final = frozenset[FaultKind]({"key", "unkeyed", "relationship", "unmarked", "redaction"})
"""Faults with which the hashed history is what it was, if a later hash is."""

_UNSEEN: Final = frozenset[FaultKind]({"key", "unkeyed", "head", "cut", "leaves"})
"""Faults with which nothing is wrong in the steps that can be seen."""

_FITS: Final = {name: each.fits for name, each in properties(Thought).items() if name in hashing.HASHED}


@dataclass(frozen=True, slots=True)
class KnownHead:
    """A head as it was exported or anchored. ``names_key``: ``key_id`` was stored too, None for no key.

    ``source`` says in what, and when.
    """

    step: int
    hash: str
    key_id: str | None = None
    names_key: bool = False
    source: str = field(default="", compare=False)

    @property
    def said(self) -> str:
        """The source in a message."""
        return f" ({self.source})" if self.source else ""


@dataclass(slots=True)
class _Removed:
    """A thought without content; ``redacted``: a step redacts it, but with another time or reason."""

    step: int
    at: object
    reason: object
    redacted: bool = False


@dataclass(slots=True)
class ChainWalk:
    """The state of one verification: constant in size, with the first hundred faults.

    Each step is verified against the stored hash of the step before, so a fault does not hide later ones.
    """

    namespace: str
    session_id: str
    keys: ChainKeys
    known: Sequence[KnownHead] = ()
    require_key: bool = False
    leaves_lost: bool = False
    """Whether the session was anchored, perhaps, in an anchor that has no leaves any more."""
    unproven: dict[KnownHead, _Doubt] = field(default_factory=dict[KnownHead, _Doubt])
    """The known heads that are not proven so far, and why."""
    count: int = 0
    keyed: int = 0
    key_ids: set[str] = field(default_factory=set[str])
    """The configured keys with which steps were hashed."""
    redacted: int = 0
    pending: int = 0
    last_step: int = -1
    last_hash: str = field(default="")
    last: Mapping[str, Any] | None = None
    removed: dict[str | int, "_Removed"] = field(default_factory=dict[str | int, "_Removed"])
    """The thoughts without content that a later step must redact, by id, or by step if the id is no text."""
    faults: list[ChainFault] = field(default_factory=list[ChainFault])
    fault_count: int = 0
    kinds: set[FaultKind] = field(default_factory=set[FaultKind])

    def __post_init__(self) -> None:
        self.last_hash = hashing.genesis(self.namespace, self.session_id)
        self.unproven = {replace(head, hash=head.hash.lower()): "cut" for head in self.known}

    def step(self, row: ChainRow) -> None:
        """Verify the next thought."""
        thought = row["thought"]
        self.count += 1
        if thought.get("content") is None:
            self.redacted += 1
            own_id = thought["id"]
            self.removed[own_id if isinstance(own_id, str) else thought["step_index"]] = _Removed(
                thought["step_index"], thought.get("redacted_at"), thought.get("redacted_reason")
            )
        self.pending += sum(not link["overdue"] for link in row["waiting"])
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
        if sound and (redacts := thought.get("redacts")) is not None:
            self._redaction(redacts, row)
        if thought.get("hash_alg") == KEYED_ALG:
            self.keyed += 1
            if isinstance(key_id := thought.get("key_id"), str) and self.keys.secret(key_id) is not None:
                self.key_ids.add(key_id)
        self.last, self.last_step = thought, thought["step_index"]
        self.last_hash = str(thought.get("chain_hash") or "")
        self._compare_known(thought)

    def _redaction(self, redacts: str, row: ChainRow) -> None:
        """Compare a step that redacts another with what is left of the other."""
        thought = row["thought"]
        for step in row["restored"]:
            what = "redaction: the text was redacted, and is there again"
            self._add(fault("redaction", what, step, redacts))
        removed = self.removed.get(redacts)
        if removed is not None:
            removed.redacted = True
            said = thought.get("content")
            reasons = (REDACTED, removed.reason if said is None else str(said).partition(": ")[2])
            if removed.at == thought.get("created_at") and removed.reason in reasons:
                del self.removed[redacts]

    def _compare_known(self, thought: Mapping[str, Any]) -> None:
        """Compare the known heads with the step just verified, and with those that are missing before it."""
        for head in [head for head in self.unproven if head.step <= self.last_step]:
            here = head.step == self.last_step
            if here and head.hash == self.last_hash.lower():
                if not self.kinds <= _UNHASHED:
                    self.unproven[head] = "faulty"
                elif "key" in self.kinds:
                    self.unproven[head] = "key"
                else:
                    del self.unproven[head]
            elif self.unproven[head] == "cut":  # Not judged before.
                rekeyed = head.names_key and head.key_id != thought.get("key_id")
                self.unproven[head] = "missing" if not here else "rekeyed" if rekeyed else "rewritten"

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
        if not checks.is_key(thought["id"]):
            yield "id", "id: it was removed, or is not one that calls accept"
        content, salt = thought.get("content"), thought.get("salt")
        if content is not None:
            if (thought.get("redacted_at"), thought.get("redacted_reason")) != (None, None):
                yield "redaction", "redaction: the mark of one was set, but the text is there"
            if salt is None:
                yield "content", "content: the salt was removed but the content was not"
            else:
                if hashing.content_digest(salt, content) != thought.get("content_digest"):
                    yield "content", "content: it was changed"
                hypothesis = hashing.hypothesis_digest(salt, thought.get("hypothesis"))
                if hypothesis != thought.get("hypothesis_digest"):
                    yield "content", "hypothesis: it was changed"
        elif (thought.get("hypothesis"), salt) != (None, None):
            yield "content", "content: it was removed, but its hypothesis or its salt is there"
        if not _has_types(thought) or hashing.content_hash(thought) != thought.get("content_hash"):
            yield "record", "record: a hashed field was changed"
        if not gap and thought.get("prev_hash") != self.last_hash:
            yield (
                "previous",
                "link to the previous step: the previous step was replaced, or this one was moved",
            )
        yield from self._hash_faults(thought)
        yield from _link_faults(row)

    def _hash_faults(self, thought: Mapping[str, Any]) -> Iterator[tuple[FaultKind, str]]:
        secret = None
        alg, key_id = thought.get("hash_alg"), thought.get("key_id")
        if alg not in (HASH_ALG, KEYED_ALG):
            yield "hash", "hash: its algorithm is unknown"
            return
        if alg == KEYED_ALG:
            secret = self.keys.secret(key_id)
            if secret is None:
                yield "key", f"key: {shown(key_id)} is not configured, so this step cannot be verified"
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
        for thought_id, removed in self.removed.items():
            if removed.redacted:
                found = fault(
                    "redaction", "redaction: its time or its reason was changed", removed.step, thought_id
                )
            else:
                what = "content: it was removed, and no step of the chain redacts it"
                found = fault("content", what, removed.step, thought_id)
            self._add(found)
        self.faults.sort(key=lambda found: (found.step is None, found.step or 0))

    def report(self, head: FullHeadRow) -> ChainReport:
        """The result of the verification."""
        if head["sessions"] > 1:
            what = f"duplicate session: {head['sessions']} nodes have this session's id"
            self._add(fault("duplicate", what, None, None))
        self._end()
        first = next(iter(self.faults), None)
        end = self._wrong_end(head)
        if self.count == 0 and head["head_hash"] is None and self.unproven:
            self.unproven = dict.fromkeys(self.unproven, "deleted")
        elif end is not None:
            last = None if self.last is None else self.last_step
            self._add(fault("head", "head: it is not the last step", last, None))
        if self.leaves_lost:
            self._add(fault("leaves", "anchor: its leaves are lost or were changed", None, None))
        for known, doubt in self.unproven.items():
            kind, what, _ = _DOUBTS[doubt]
            which = ", ".join(filter(None, (f"known head at step {known.step}", known.source)))
            self._add(fault(kind, f"{what} ({which})", known.step, None))
        verdict = self._verdict(complete=end is None)
        return ChainReport(
            success=True,
            namespace=self.namespace,
            verdict=verdict,
            valid=first is None,
            complete=end is None,
            message=self._summary(verdict, first, end) + self._remarks(head),
            session_id=self.session_id,
            thought_count=self.count,
            broken_at=first.step if first else None,
            broken_thought=first.thought_id if first else None,
            broken=first.fault if first else None,
            faults=self.faults,
            fault_count=self.fault_count,
            head_hash=head["head_hash"] if isinstance(head["head_hash"], str) else None,
            redacted=self.redacted,
            pending_links=self.pending,
            keyed=self.keyed,
            unkeyed=self.count - self.keyed,
            known_head=not self.unproven if self.known else None,
        )

    def _wrong_end(self, head: FullHeadRow) -> str | None:
        """What is wrong with the session's head; None if it is the last step."""
        last_id = self.last["id"] if self.last is not None else head["head_id"]
        last_key = self.last.get("key_id") if self.last is not None else head["head_key_id"]
        step = head["head_step"]
        # 4.0 equals 4, but the steps after it would be no integers.
        if type(step) is not int or (head["head_hash"], step) != (self.last_hash, self.last_step):
            if head["head_hash"] is None or step is None:
                return "but the session's head was removed"
            at = f"but the session's head is at step {shown(step)}"
            return f"{at}: the end was cut off, or the head was changed"
        if (head["head_id"], head["head_key_id"]) != (last_id, last_key):
            return (
                "but the session's head names another thought or key than "
                f"step {self.last_step} has: the head was changed"
            )
        return None

    def _summary(self, verdict: ChainVerdict, first: ChainFault | None, end: str | None) -> str:
        """The verdict as a sentence: the worst fault if a step has one, ``first``, or else the end."""
        if "deleted" in self.kinds:
            return "The session was deleted."
        if first is not None:
            worst = next((each for each in self.faults if each.kind not in _UNSEEN), first)
            at = "" if worst.step is None else f" at step {worst.step}"
            more = f" {counted(self.fault_count - 1, 'more fault')}." if self.fault_count > 1 else ""
            return f"Chain {verdict}{at}: {worst.fault}.{more}"
        verified = f"{counted(self.count, 'thought')} verified"
        if end is not None:
            return f"{verified}, {end}."
        verified += " up to the session's head."
        return verified if self.unproven else f"Chain {verdict}: {verified}"

    def _verdict(self, *, complete: bool) -> ChainVerdict:
        if self.kinds - _UNSEEN:
            return "broken"
        if self.kinds - {"head", "cut"}:
            return "unverifiable"
        return "intact" if complete and "cut" not in self.kinds else "truncated"

    def _remarks(self, head: FullHeadRow) -> str:
        """What the message says beside the verdict."""
        remarks = ""
        if self.redacted:
            remarks += f" Redacted: {self.redacted}."
        if self.key_ids and not self.kinds & {"hash", "record"}:
            remarks += f" Proven by the key{'s' * (len(self.key_ids) > 1)} {', '.join(sorted(self.key_ids))}."
        if 0 < self.keyed < self.count or (self.keys.current is not None and self.keyed < self.count):
            remarks += f" Without a key: {self.count - self.keyed}."
        if self.unproven and "deleted" not in self.unproven.values():
            first = min(self.unproven, key=lambda head: head.step)
            remarks += (
                f" The known head at step {first.step}{first.said} is not proven to be in this chain: "
                f"{_DOUBTS[self.unproven[first]][2]}."
            )
        elif self.known and not self.unproven:
            last = max(self.known, key=lambda head: head.step)
            remarks += f" History up to the known head at step {last.step} is unchanged{last.said}."
        if head["mapped_from"] is not None:
            source = shown(head["mapped_from"])
            remarks += f" An import hashed it again; its proof is the chain in the file ({source})."
        if self.leaves_lost:
            remarks += " The leaves of an anchor are lost or were changed, so it proves nothing."
        return remarks


def _has_types(thought: Mapping[str, Any]) -> bool:
    """Whether hashed values have their types; in the record's JSON, a text can equal a time, and 1.0 is 1."""
    for name, fits in _FITS.items():
        value = thought.get(name)
        if value is not None and not fits(value):
            return False
    return thought["created_at"].tzinfo is not None and thought["recorded_at"].tzinfo is not None


def _link_faults(row: ChainRow) -> Iterator[tuple[FaultKind, str]]:
    """Faults of the step's mark and of its relationships, which store each hashed link again."""
    if not row["in_session"]:
        yield "relationship", "relationship IN_SESSION: it was removed, was doubled or points elsewhere"
    if row["thought"].get("chained") is not True:
        yield "unmarked", "chained: the mark of a step was removed or changed"
    thought: Mapping[str, Any] = row["thought"]
    waiting = row["waiting"]
    for name, kind in _LINK_TYPES.items():
        hashed, linked = thought.get(name), row["targets"][name]
        waits = [link for link in waiting if link["type"] == kind]
        waits_for = [link["id"] for link in waits]
        if hashed is None:
            if linked or waits:
                yield "relationship", f"relationship of {name}: it was added later"
        elif (linked, waits_for) not in (([hashed], []), ([], [hashed])) or (waits and name == "action_id"):
            yield "relationship", f"relationship of {name}: it was removed, was doubled or points elsewhere"
        elif waits and waits[0]["overdue"]:
            yield "relationship", f"relationship of {name}: it waits for its target, which exists"
    if any(link["type"] not in _LINK_TYPES.values() for link in waiting):
        yield "relationship", "relationship AWAITS: it waits as none of the step's links"
