"""The steps of one verification: every fault of a chain, in constant memory."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, Final

from legacymind.model.base import LINKS, REDACTED, ChainVerdict, FaultKind
from legacymind.model.chain import ChainFault, ChainReport
from legacymind.model.properties import properties
from legacymind.model.stored import Thought
from legacymind.services.chain import hashing
from legacymind.services.chain.faults import MAX_FAULTS, fault, shown
from legacymind.services.chain.reads import ChainEnd, ChainRow, Outside, StoredHead
from legacymind.services.shared import checks
from legacymind.services.shared.chain_keys import HASH_ALG, KEYED_ALG, ChainKeys
from legacymind.text.numbers import counted

_LINK_TYPES: Final = {**dict(LINKS), "action_id": "FOR_ACTION"}
"""The relationship type of each hashed link. The one to an action never waits."""

_UNHASHED: Final = frozenset[FaultKind]({"key", "unkeyed", "relationship", "unmarked", "redaction"})
"""Faults with which the hashed history is what it was, if a later hash is."""

_UNSEEN: Final = frozenset[FaultKind]({"key", "unkeyed", "head", "cut"})
"""Faults with which nothing is wrong in the steps that can be seen."""

_UNNAMED: Final = "two thoughts have the same step number, and no head of the session is after this one"

_FITS: Final = {name: each.fits for name, each in properties(Thought).items() if name in hashing.HASHED}


@dataclass(frozen=True, slots=True)
class KnownHead:
    """A head as it was exported. ``key_id`` is None for no key, and empty if it is not known.

    ``source`` says by which export it is known.
    """

    step: int
    hash: str
    key_id: str | None = ""
    source: str = field(default="", compare=False)


@dataclass(slots=True)
class _Removed:
    """A thought without content; ``redacted``: a step redacts it, but with another time or reason."""

    step: int
    at: object
    reason: object
    redacted: bool = False


@dataclass(slots=True)
class _Passed:
    """A step that was verified; ``keyed``: it or a step before it has a key. ``followed``: one follows it."""

    end: ChainEnd
    keyed: bool = False
    followed: bool = False


@dataclass(slots=True)
class ChainWalk:
    """The state of one verification: as large as the chain has branches, with the first hundred faults.

    Each step is verified against the stored hashes of the steps with the number before, so a fault does not
    hide later ones. Two steps may have one number, where two machines continued a session: then each branch
    must end in one of ``ends``, the heads that are stored. With ``suspected``, the faults of an earlier
    reading, no other fault counts.
    """

    namespace: str
    session_id: str
    keys: ChainKeys
    known: Sequence[KnownHead] = ()
    require_key: bool = False
    suspected: Set[ChainFault] | None = None
    ends: list[ChainEnd] = field(default_factory=list[ChainEnd])
    """The stored heads that no step was so far."""
    unproven: dict[KnownHead, FaultKind] = field(default_factory=dict[KnownHead, FaultKind])
    """The known heads that are not proven so far, each with the fault that it is."""
    count: int = 0
    keyed: int = 0
    key_ids: set[str] = field(default_factory=set[str])
    """The configured keys with which steps were hashed."""
    redacted: int = 0
    pending: int = 0
    last_step: int = -1
    last_hash: str = field(default="")
    before: dict[str, _Passed] = field(default_factory=dict[str, _Passed])
    here: dict[str, _Passed] = field(default_factory=dict[str, _Passed])
    """The steps with the last number but one, and with the last number, by their hashes."""
    gap: bool = False
    """Whether steps are missing between them."""
    unnamed: list[ChainEnd] = field(default_factory=list[ChainEnd])
    """The steps that nothing follows and that are no head."""
    branches: int = 1
    removed: dict[str | int, _Removed] = field(default_factory=dict[str | int, _Removed])
    """The thoughts without content that a later step must redact, by id, or by step if the id is no text."""
    redacting: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """The steps that redact a thought of another branch that comes later, by its id."""
    faults: list[ChainFault] = field(default_factory=list[ChainFault])
    fault_count: int = 0
    kinds: set[FaultKind] = field(default_factory=set[FaultKind])

    def __post_init__(self) -> None:
        self.last_hash = hashing.genesis(self.namespace, self.session_id)
        self.here = {self.last_hash: _Passed(ChainEnd(self.last_hash, -1, None, None))}
        self.unproven = {replace(head, hash=head.hash.lower()): "cut" for head in self.known}

    def step(self, row: ChainRow) -> None:
        """Verify the next thought."""
        thought = row["thought"]
        self.count += 1
        self._advance(thought["step_index"])
        if thought.get("content") is None:
            self.redacted += 1
            own_id = thought["id"]
            redacting = self.redacting.pop(own_id, None) if isinstance(own_id, str) else None
            self.removed[own_id if isinstance(own_id, str) else thought["step_index"]] = _Removed(
                thought["step_index"], thought.get("redacted_at"), thought.get("redacted_reason")
            )
            if redacting is not None:
                self._redacted(own_id, redacting)
        self.pending += sum(not link["overdue"] for link in row["waiting"])
        found: list[tuple[FaultKind, str]] = []
        try:
            for item in self._faults(row):
                found.append(item)
        except (ValueError, TypeError, AttributeError):
            # Tampering may leave values that cannot be hashed: no hex, no text, not a number.
            found.append(("record", ""))
        for kind, detail in found:
            self._add(kind, thought["step_index"], thought["id"], detail)
        sound = {kind for kind, _ in found} <= {"key", "unkeyed"}
        if sound and (redacts := thought.get("redacts")) is not None:
            self._redaction(redacts, row)
        keyed = thought.get("hash_alg") == KEYED_ALG
        if keyed:
            self.keyed += 1
            if isinstance(key_id := thought.get("key_id"), str) and self.keys.secret(key_id) is not None:
                self.key_ids.add(key_id)
        self.last_hash = str(thought.get("chain_hash") or "")
        end = ChainEnd(self.last_hash, thought["step_index"], thought["id"], thought.get("key_id"))
        previous = self._previous(thought)
        if previous is None:
            for one in self.before.values():  # which of them it followed is not known
                one.followed = True
        elif previous.followed:
            self.branches += 1
        else:
            previous.followed = True
        if "duplicate" not in {kind for kind, _ in found}:
            self.here[self.last_hash] = _Passed(end, keyed or (previous or self).keyed > 0)
        self._compare_known(thought)

    def _advance(self, step: int) -> None:
        """Begin with the steps of the next number."""
        if step == self.last_step:
            return
        if not self.gap:
            for passed in self.before.values():
                if not passed.followed and not self._is_end(passed.end) and len(self.unnamed) < MAX_FAULTS:
                    self.unnamed.append(passed.end)
        self.before, self.here = self.here, dict[str, _Passed]()
        self.gap = step > self.last_step + 1
        if self.gap:  # reported at the first missing step
            self._add("missing", self.last_step + 1)
        self.last_step = step

    def _previous(self, thought: Mapping[str, Any]) -> _Passed | None:
        """The step that a step follows."""
        previous = thought.get("prev_hash")
        return self.before.get(previous) if isinstance(previous, str) else None

    def _is_end(self, end: ChainEnd) -> bool:
        """Whether a step is a stored head, which is found then."""
        for one in self.ends:
            if one == end and type(one.step) is int:  # 4.0 equals 4, but the steps after it are no integers
                self.ends.remove(one)
                return True
        return False

    def outside(self, rows: Sequence[Outside]) -> None:
        """Add the thoughts that belong to the session but not to its chain."""
        for thought_id, reason in rows:
            self._add("outside", None, thought_id, reason)

    def report(self, head: StoredHead) -> ChainReport:
        """The result of the verification."""
        if head.sessions > 1:
            self._add("duplicate", None, None, f"{head.sessions} nodes have the session's id")
        for thought_id, removed in self.removed.items():
            if removed.redacted:
                self._add("redaction", removed.step, thought_id, "its time or its reason was changed")
            else:
                self._add("content", removed.step, thought_id, "it was removed, and no step redacts it")
        if self.count > 0:
            last = list(self.here.values())
            if not self.gap:
                last += self.before.values()
            left = [one.end for one in last if not one.followed and not self._is_end(one.end)]
            self.unnamed += left
            for end in self.unnamed if len(self.unnamed) > len(self.ends) else []:  # else they were cut off
                self._add("duplicate", end.step, end.id, _UNNAMED)
        self.faults.sort(key=lambda found: (found.step is None, found.step or 0))
        first = next(iter(self.faults), None)
        if self.count == 0 and head.hash is None and self.unproven:
            self.unproven = dict.fromkeys(self.unproven, "deleted")
        elif self.count == 0:
            if (head.hash, head.step) != (self.last_hash, -1) or type(head.step) is not int:
                self._add("head", None)
        else:
            for end in self.ends:
                branch = "" if end == ChainEnd.of(head) else f"of the branch that ends at step {end.step}"
                self._add("head", self.last_step, None, branch)
        for known, kind in self.unproven.items():
            which = (f"known head at step {known.step}", known.source)
            self._add(kind, known.step, None, ", ".join(filter(None, which)))
        verdict = self._verdict()
        return ChainReport(
            success=True,
            namespace=self.namespace,
            verdict=verdict,
            valid=first is None,
            complete=not self.kinds & {"head", "deleted"},
            message=self._message(verdict, head),
            session_id=self.session_id,
            thought_count=self.count,
            broken_at=first.step if first else None,
            broken_thought=first.thought_id if first else None,
            broken=first.fault if first else None,
            faults=self.faults,
            fault_count=self.fault_count,
            head_hash=head.hash if isinstance(head.hash, str) else None,
            redacted=self.redacted,
            pending_links=self.pending,
            keyed=self.keyed,
            unkeyed=self.count - self.keyed,
            known_head=not self.unproven if self.known else None,
        )

    def _add(self, kind: FaultKind, step: int | None, thought_id: object = None, detail: str = "") -> None:
        found = fault(kind, step, thought_id, detail)
        if self.suspected is not None and found not in self.suspected:
            return
        self.fault_count += 1
        self.kinds.add(kind)
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(found)

    def _redaction(self, redacts: str, row: ChainRow) -> None:
        """Compare a step that redacts another with what is left of the other."""
        thought = row["thought"]
        for step in row["restored"]:
            self._add("redaction", step, redacts, "the text is there again")
        if redacts in self.removed:
            self._redacted(redacts, thought)
        else:
            self.redacting[redacts] = thought

    def _redacted(self, own_id: str, thought: Mapping[str, Any]) -> None:
        """Compare what is left of a thought with the step that redacts it."""
        removed = self.removed.get(own_id)
        if removed is not None:
            removed.redacted = True
            said = thought.get("content")
            reasons = (REDACTED, removed.reason if said is None else str(said).partition(": ")[2])
            if removed.at == thought.get("created_at") and removed.reason in reasons:
                del self.removed[own_id]

    def _compare_known(self, thought: Mapping[str, Any]) -> None:
        """Compare the known heads with the step just verified, and with those that are missing before it."""
        for head in [head for head in self.unproven if head.step <= self.last_step]:
            here = head.step == self.last_step
            if here and head.hash == self.last_hash.lower():
                if not self.kinds <= _UNHASHED:
                    self.unproven[head] = "history"
                elif "key" in self.kinds:
                    self.unproven[head] = "key"
                else:
                    del self.unproven[head]
            elif self.unproven[head] == "cut":  # Not judged before.
                rekeyed = here and head.key_id not in ("", thought.get("key_id"))
                self.unproven[head] = "rekeyed" if rekeyed else "history"

    def _faults(self, row: ChainRow) -> Iterator[tuple[FaultKind, str]]:
        """Each fault of a step with its detail, which is empty where the sentence of the kind says all."""
        thought = row["thought"]
        follows = self.gap or self._previous(thought) is not None
        if self.here and (not follows or thought.get("chain_hash") in self.here):
            yield "duplicate", "two thoughts have the same step number"
            return
        if not checks.is_key(thought["id"]):
            yield "id", ""
        content, salt = thought.get("content"), thought.get("salt")
        if content is not None:
            if (thought.get("redacted_at"), thought.get("redacted_reason")) != (None, None):
                yield "redaction", "the mark of one was set, but the text is there"
            if salt is None:
                yield "content", "the salt was removed"
            else:
                if hashing.content_digest(salt, content) != thought.get("content_digest"):
                    yield "content", "the content was changed"
                hypothesis = hashing.hypothesis_digest(salt, thought.get("hypothesis"))
                if hypothesis != thought.get("hypothesis_digest"):
                    yield "content", "the hypothesis was changed"
        elif (thought.get("hypothesis"), salt) != (None, None):
            yield "content", "the content was removed, but its hypothesis or its salt is there"
        if not _has_types(thought) or hashing.content_hash(thought) != thought.get("content_hash"):
            yield "record", ""
        if not follows:
            yield "previous", ""
        yield from self._hash_faults(thought)
        yield from _link_faults(row)

    def _hash_faults(self, thought: Mapping[str, Any]) -> Iterator[tuple[FaultKind, str]]:
        secret = None
        alg, key_id = thought.get("hash_alg"), thought.get("key_id")
        if alg not in (HASH_ALG, KEYED_ALG):
            yield "hash", "its algorithm is unknown"
            return
        if alg == KEYED_ALG:
            secret = self.keys.secret(key_id)
            if secret is None:
                yield "key", shown(key_id)
                return
        elif (self._previous(thought) or self).keyed:
            # Without the key, an attacker could hash all later steps again unkeyed.
            yield "hash", "this step has no key although earlier steps have one"
            return
        elif self.require_key:
            yield "unkeyed", ""
        expected = hashing.chain_hash(str(thought.get("prev_hash")), thought["content_hash"], secret)
        if expected != thought.get("chain_hash"):
            yield "hash", ""

    def _verdict(self) -> ChainVerdict:
        if self.kinds - _UNSEEN:
            return "broken"
        if self.kinds - {"head", "cut"}:
            return "unverifiable"
        return "truncated" if self.kinds else "intact"

    def _message(self, verdict: ChainVerdict, head: StoredHead) -> str:
        """The verdict with the worst fault, and what else to know."""
        if not self.faults:
            heads = (
                "the session's head" if self.branches == 1 else f"the heads of its {self.branches} branches"
            )
            said = [f"Chain intact: {counted(self.count, 'thought')} verified up to {heads}."]
        else:
            seen = [each for each in self.faults if each.kind not in _UNSEEN]
            worst = (seen or self.faults)[0]
            at = "" if worst.step is None else f" at step {worst.step}"
            said = [f"Chain {verdict}{at}. {worst.fault}"]
        if self.fault_count > 1:
            said.append(f"{counted(self.fault_count - 1, 'more fault')}.")
        if self.redacted:
            said.append(f"Redacted: {self.redacted}.")
        if self.key_ids and not self.kinds & {"hash", "record"}:
            said.append(f"Proven by the key {' and the key '.join(sorted(self.key_ids))}.")
        if self.keyed < self.count and (self.keyed or self.keys.current is not None):
            said.append(f"Without a key: {self.count - self.keyed}.")
        if self.known and not self.unproven:
            last = max(self.known, key=lambda known: known.step)
            source = f" ({last.source})" if last.source else ""
            said.append(f"History up to the known head at step {last.step} is unchanged{source}.")
        return " ".join(said)


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
        yield "relationship", "IN_SESSION"
    if row["thought"].get("chained") is not True:
        yield "unmarked", ""
    thought: Mapping[str, Any] = row["thought"]
    waiting = row["waiting"]
    for name, kind in _LINK_TYPES.items():
        hashed, linked = thought.get(name), row["targets"][name]
        waits = [link for link in waiting if link["type"] == kind]
        waits_for = [link["id"] for link in waits]
        if hashed is None:
            if linked or waits:
                yield "relationship", f"{name} was added later"
        elif (linked, waits_for) not in (([hashed], []), ([], [hashed])) or (waits and name == "action_id"):
            yield "relationship", name
        elif waits and waits[0]["overdue"]:
            yield "relationship", f"{name} waits for its target, which exists"
    if any(link["type"] not in _LINK_TYPES.values() for link in waiting):
        yield "relationship", "AWAITS as none of the step's links"
