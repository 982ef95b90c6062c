"""The hashes of the chain: canonical record, content hash, chain hash, genesis.

Frozen: stored thoughts are verified with exactly these bytes. The record is RFC 8785
canonical JSON without nulls, with times as UTC with microseconds. The hashes are

    content_digest = SHA-256(salt ‖ content)      kept when redaction removes both; likewise hypothesis_digest
    content_hash   = SHA-256(record)
    chain_hash     = SHA-256(prev_hash ‖ content_hash), or HMAC-SHA-256 of it under a key
    genesis        = SHA-256(record of hash_version, namespace and session_id)

over joined raw 32-byte digests. All are stored as lower-case hex.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import rfc8785

from legacymind.model.properties import Mark, marked
from legacymind.model.stored import Thought

HASH_VERSION: Final = 1

HASH: Final = re.compile(r"[0-9a-f]{64}")
"""A hash as it is stored."""

HASHED: Final = marked(Thought, Mark.HASHED)
"""The fields of the record: the thought as it was written, and nothing that changes later."""


def new_salt() -> str:
    """16 random bytes as hex, so that redacted content cannot be guessed from its digest."""
    return secrets.token_hex(16)


def content_digest(salt: str, content: str) -> str:
    """SHA-256 over the salt's bytes and the content's UTF-8."""
    return hashlib.sha256(bytes.fromhex(salt) + content.encode()).hexdigest()


def hypothesis_digest(salt: str, hypothesis: str | None) -> str | None:
    """The digest of a hypothesis, as of a content; None without a hypothesis."""
    return None if hypothesis is None else content_digest(salt, hypothesis)


def utc(moment: datetime) -> str:
    """A time in the format of the record: ``2026-11-21T15:04:05.000006Z``."""
    # Not strftime: its output for years before 1000 depends on the platform.
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def canonical(record: Mapping[str, Any]) -> bytes:
    """RFC 8785 canonical JSON of a record, without nulls and with times as UTC strings."""
    present = {
        key: utc(value) if isinstance(value, datetime) else value
        for key, value in record.items()
        if value is not None
    }
    return rfc8785.dumps(present)


def content_hash(thought: Mapping[str, object]) -> str:
    """SHA-256 of a thought's record. Properties outside ``HASHED`` are ignored.

    Raises ValueError for an unknown ``hash_version``.
    """
    version = thought.get("hash_version")
    if type(version) is not int or version != HASH_VERSION:
        raise ValueError(f"unknown hash version {version}")
    return hashlib.sha256(canonical({key: thought.get(key) for key in HASHED})).hexdigest()


def chain_hash(prev_hash: str, content: str, key: bytes | None = None) -> str:
    """SHA-256 of the previous chain hash and this content hash; HMAC-SHA-256 with a key."""
    joined = bytes.fromhex(prev_hash) + bytes.fromhex(content)
    if key is None:
        return hashlib.sha256(joined).hexdigest()
    return hmac.new(key, joined, hashlib.sha256).hexdigest()


def genesis(namespace: str, session_id: str) -> str:
    """The hash that the first step of a session's chain follows."""
    start = {"hash_version": HASH_VERSION, "namespace": namespace, "session_id": session_id}
    return hashlib.sha256(canonical(start)).hexdigest()
