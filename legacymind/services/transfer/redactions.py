"""Whether a redaction in an export may remove a text from the database."""

from typing import Any

from legacymind.services.chain import hashing
from legacymind.services.shared.chain_keys import KEYED_ALG, ChainKeys


def is_proven(own: dict[str, Any], previous: dict[str, Any], namespace: str, keys: ChainKeys) -> bool:
    """Whether a step that redacts another has the hashes of its record and of the step before.

    Anybody can write a mark of a redaction into a file, which would remove a text from the database.
    """
    keyed = own.get("hash_alg") == KEYED_ALG
    secret = keys.secret(own.get("key_id"))
    same = own.get("session_id") == previous.get("session_id")
    if not same or keyed != (secret is not None) or (previous.get("hash_alg") == KEYED_ALG and not keyed):
        return False
    try:
        return (
            own["prev_hash"] == previous["chain_hash"]
            and hashing.content_hash({**own, "namespace": namespace}) == own["content_hash"]
            and hashing.chain_hash(own["prev_hash"], own["content_hash"], secret) == own["chain_hash"]
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
