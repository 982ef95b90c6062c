"""Which redactions in an export may remove a text from the database."""

from datetime import datetime
from typing import Any, TypedDict

from legacymind.model.base import REDACTED, REDACTION
from legacymind.services.chain import hashing
from legacymind.services.shared.chain_keys import KEYED_ALG, ChainKeys


class Redaction(TypedDict):
    """A redaction of an export: the thought, and the session and the number of the step that redacts it."""

    id: str
    session_id: str
    step_index: int
    redacted_at: datetime | None
    redacted_reason: str | None


def followed(own: dict[str, Any], previous: dict[str, Any]) -> dict[str, Any]:
    """A step as the one before the next: with ``keyed``, whether a step of its session up to it has a key."""
    same = previous.get("session_id") == own["session_id"]
    return {**own, "keyed": own.get("hash_alg") == KEYED_ALG or (same and previous["keyed"])}


def proven(
    own: dict[str, Any], previous: dict[str, Any], namespace: str, keys: ChainKeys
) -> Redaction | None:
    """The redaction that a step records, if it has the hashes of its record and of the step before.

    Anybody can write the mark of a redaction into a file, to remove a text from a database. After a step with
    a key, all must have one.
    """
    try:
        secret = keys.of_step(own)
        holds = (
            own["thought_type"] == REDACTION
            and own["session_id"] == previous["session_id"]
            and (secret is not None or not previous["keyed"])
            and own["prev_hash"] == previous["chain_hash"]
            and hashing.content_hash({**own, "namespace": namespace}) == own["content_hash"]
            and hashing.chain_hash(own["prev_hash"], own["content_hash"], secret) == own["chain_hash"]
        )
        redacted = own["redacts"]
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    if not holds:
        return None
    return {
        "id": redacted,
        "session_id": own["session_id"],
        "step_index": own["step_index"],
        "redacted_at": own["created_at"],
        "redacted_reason": (own.get("content") or "").partition(": ")[2] or REDACTED,
    }
