"""The head of a chain, checked before a step is appended: what follows a false head is broken for good."""

from collections.abc import Iterable
from typing import Any, TypedDict

from legacymind.errors import ChainBroken, ConfigurationError
from legacymind.services.chain import hashing
from legacymind.services.shared.chain_keys import HASH_ALG, KEYED_ALG, ChainKeys
from legacymind.services.think.session_slots import Head


class HeadRow(TypedDict):
    """A session's chain head, locked, and the hashes of the steps from there on, two at most."""

    hash: str
    step: int
    id: str | None
    key_id: str | None
    last: list[dict[str, Any]]


def checked_head(found: HeadRow, namespace: str, session_id: str, keys: ChainKeys) -> Head:
    """The head that a session stores, if it is the last step of its chain. Tampering may leave any value.

    Raises ChainBroken if it is not, and ConfigurationError without the key of that step.
    """
    head = Head(found["hash"], found["step"], found["id"], found["key_id"])
    if type(head.step) is not int or not _is_last(head, found, hashing.genesis(namespace, session_id), keys):
        raise ChainBroken(
            f"The head of the session {session_id} is not the last step of its chain: one was changed.",
            effect="Nothing was stored. A step after it would break the chain for good.",
            hint=f"Run `legacymind verify {session_id}`. Restore the session, or continue in another one.",
        )
    return head


def doubled_session(names: Iterable[str | None]) -> ChainBroken:
    """The error when two nodes have the id of one of these sessions, which only tampering can cause."""
    return ChainBroken(
        f"Two nodes have the id of one session ({', '.join(filter(None, names))}), so it has no single head.",
        effect="Nothing was stored. A step after one of them would break the chain for good.",
        hint="Run `legacymind verify` for it and delete the false Session node; then `legacymind doctor "
        "--fix` restores the constraint that excludes a second one.",
    )


def _is_last(head: Head, found: HeadRow, genesis: str, keys: ChainKeys) -> bool:
    if head.step == -1:
        return not found["last"] and (head.hash, head.thought_id, head.key_id) == (genesis, None, None)
    if len(found["last"]) != 1:
        return False
    (last,) = found["last"]
    own = Head(last["chain_hash"], last["step_index"], last["id"], last["key_id"])
    alg = HASH_ALG if head.key_id is None else KEYED_ALG
    if own != head or type(own.step) is not int or last["hash_alg"] != alg:
        return False
    secret = keys.secret(head.key_id)
    if head.key_id is not None and (secret is None or keys.current is None):
        raise ConfigurationError(
            f"The chain of this session is keyed with {head.key_id}, which is not configured.",
            hint="Set LEGACYMIND_CHAIN_KEY to that key, or add that key to LEGACYMIND_CHAIN_OLD_KEYS.",
        )
    try:
        return hashing.chain_hash(last["prev_hash"], last["content_hash"], secret) == head.hash
    except (TypeError, ValueError):
        return False
