"""New ids for the nodes of an export, and new hashes for its chains: an import into another namespace.

Ids and the namespace are hashed, so a chain with other ids has other hashes. The new id of a node follows
from the target namespace and its old id alone, and salts and texts stay, so that anybody can repeat the
mapping from the file and compare. What the file proves, only the file proves: keep it.
"""

from typing import Any, Final, cast

from legacymind.errors import InvalidInput
from legacymind.services.chain import hashing
from legacymind.services.knowledge.importers.records import Fault, refused
from legacymind.services.shared.chain_keys import ChainKeys
from legacymind.services.think.thought import derived_id
from legacymind.services.transfer.lines import ExportedItem

_LINKS: Final = ("previous_thought_id", "revises_thought", "branch_from", "parent_id", "redacts")
_IDS: Final = frozenset({"thought", "entity", "observation", "pending"})
_OF_LINKS: Final = ("id", "supersedes", "merged_from")


class Mapping:
    """Maps the lines of one file, in their order, in constant memory.

    Every step is verified with its old hashes before it gets new ones: a broken chain would look intact.
    """

    def __init__(self, source: str, target: str, keys: ChainKeys) -> None:
        self._source = source
        self._target = target
        self._keys = keys
        self._session: str | None = None
        self._step: int = -1
        self._keyed = False
        self._old = self._new = ""
        self._last: tuple[object, object] = (None, None)
        """The old id and the key id of the last step."""

    def mapped(self, item: ExportedItem) -> ExportedItem:
        """The line with its new ids."""
        own = item.properties
        if item.kind not in ("thought", "session"):
            self.end()
        match item.kind:
            case "thought":
                self._thought(item)
            case "session":
                self._ended(item)
            case "entity" | "observation" | "pending":
                self._rename(own, ("id", "entity_id", "merged_from"))
            case "link":
                self._rename(own, _OF_LINKS)
                item.start, item.end = self._end(item.start), self._end(item.end)
            case _:
                pass
        return item

    def end(self) -> None:
        """Raise InvalidInput if the session of the last step has no line, which has its head."""
        if self._session is not None:
            raise InvalidInput(
                f"The file has no line of the session {self._session[:80]}: its chain may have been cut off. "
                "With new hashes, it would look intact.",
                hint="Import the file into its own namespace, where verification reports the fault.",
            )

    def _ended(self, item: ExportedItem) -> None:
        """Compare the head of a session with its last step; note it as the origin of the new chain."""
        own = item.properties
        if item.id != self._session:
            self.end()
            self._step, self._old, self._last = -1, hashing.genesis(self._source, item.id), (None, None)
        last = (self._step, self._old, *self._last)
        if tuple(map(own.get, ("head_step", "head_hash", "head_id", "head_key_id"))) != last:
            raise _laundered(item, "its head is not the last step of its chain in the file")
        own["mapped_from"] = f"{self._source}: step {self._step}, {self._old}"
        self._session = None

    def _thought(self, item: ExportedItem) -> None:
        own = item.properties
        try:
            key = self._verified(own)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise refused(item.place, "a hashed field has another form than it was hashed with") from None
        except Fault as reason:
            raise _laundered(item, str(reason)) from None
        if key:
            self._last = (item.id, own.get("key_id"))
        self._rename(own, ("id", *_LINKS))
        memories = own.get("injected_memories")
        if memories is not None:
            own["injected_memories"] = [self._id(memory) for memory in memories]
        own["content_hash"] = hashing.content_hash({**own, "namespace": self._target})
        if "chain_hash" not in own:
            return
        own["prev_hash"] = self._new
        secret = None
        if self._keyed:  # a step without a key gets none, since nobody proved it
            own["hash_alg"] = self._keys.alg
            own["key_id"] = self._keys.current
            secret = self._keys.secret(self._keys.current)
        self._new = own["chain_hash"] = hashing.chain_hash(self._new, own["content_hash"], secret)
        self._old = key

    def _verified(self, own: dict[str, Any]) -> str:
        """The old chain hash of a thought that its old hashes prove. Raises Fault."""
        if own.get("content") is not None:
            salt, hypothesis = own["salt"], own.get("hypothesis")
            if hashing.content_digest(salt, own["content"]) != own["content_digest"]:
                raise Fault("its content was changed")
            if hashing.hypothesis_digest(salt, hypothesis) != own.get("hypothesis_digest"):
                raise Fault("its hypothesis was changed")
        if hashing.content_hash({**own, "namespace": self._source}) != own["content_hash"]:
            raise Fault("a hashed field was changed")
        session, step = own.get("session_id"), own.get("step_index")
        if (session is None) != ("chain_hash" not in own):
            raise Fault("it is outside its chain")
        if session is None:
            return ""
        if session != self._session:
            self.end()
            self._session = session
            self._step = -1
            self._keyed = False
            self._old = hashing.genesis(self._source, session)
            self._new = hashing.genesis(self._target, session)
        if step != self._step + 1 or own["prev_hash"] != self._old:
            raise Fault("its chain is broken before it")
        try:
            secret = self._keys.of_step(own)
        except ValueError as reason:
            raise Fault(str(reason)) from None
        if self._keyed and secret is None:
            raise Fault("it has no key although earlier steps have one")
        self._keyed = secret is not None
        if own["chain_hash"] != hashing.chain_hash(self._old, own["content_hash"], secret):
            raise Fault("its chain hash is wrong")
        self._step = cast("int", step)
        return own["chain_hash"]

    def _rename(self, own: dict[str, Any], names: tuple[str, ...]) -> None:
        for name in names:
            if isinstance(own.get(name), str):
                own[name] = self._id(own[name])

    def _end(self, end: tuple[str, str]) -> tuple[str, str]:
        kind, own_id = end
        return (kind, self._id(own_id)) if kind in _IDS else end

    def _id(self, own_id: str) -> str:
        return derived_id(self._target, own_id)


def _laundered(item: ExportedItem, reason: str) -> InvalidInput:
    return InvalidInput(
        f"{item.place} cannot be imported: {reason}. With new hashes, it would look intact.",
        hint="Import the file into its own namespace, where verification reports the fault.",
    )
