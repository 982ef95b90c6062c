"""The hash chain's arithmetic: canonical record, content hash, chain hash, genesis.

Frozen: what is stored is verified with exactly these bytes. The record is RFC 8785
canonical JSON without nulls, times as UTC with microseconds, and

    content_digest = SHA-256(salt ‖ content)      redaction removes both and keeps this
    content_hash   = SHA-256(record)
    chain_hash     = SHA-256(prev_hash ‖ content_hash), or HMAC-SHA-256 of it under a key
    genesis        = SHA-256(record of hash_version, namespace and session_id)

with raw 32-byte digests joined, and all of them kept as lower-case hex.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Self

import rfc8785

from legacymind.errors import ConfigurationError
from legacymind.settings import Settings

HASH_VERSION: Final = 1
HASH_ALG: Final = "sha256"
KEYED_ALG: Final = "hmac-sha256"

_SHORTEST_KEY: Final = 16

HASHED: Final = (
    "hash_version",
    "id",
    "namespace",
    "session_id",
    "step_index",
    "thought_type",
    "mode",
    "origin",
    "author",
    "content_digest",
    "tags",
    "confidence",
    "significance",
    "hypothesis",
    "created_at",
    "recorded_at",
    "previous_thought_id",
    "revises_thought",
    "branch_from",
    "parent_id",
    "action_id",
    "context_id",
)
"""The fields of the record: everything that was thought, nothing that memory does with it."""


def new_salt() -> str:
    """16 random bytes as hex: a redacted content cannot be guessed back from its digest."""
    return secrets.token_hex(16)


def content_digest(salt: str, content: str) -> str:
    """SHA-256 over the salt's bytes and the content's UTF-8."""
    return hashlib.sha256(bytes.fromhex(salt) + content.encode()).hexdigest()


def utc(moment: datetime) -> str:
    """A time as the record holds it: ``2026-11-21T15:04:05.000006Z``."""
    # Not strftime: how it writes the years before 1000 depends on the platform.
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def canonical(record: Mapping[str, Any]) -> bytes:
    """RFC 8785 canonical JSON of a record, nulls left out and times as UTC strings."""
    present = {
        key: utc(value) if isinstance(value, datetime) else value
        for key, value in record.items()
        if value is not None
    }
    return rfc8785.dumps(present)


def content_hash(thought: Mapping[str, object]) -> str:
    """SHA-256 of a thought's record; other properties than ``HASHED`` do not count."""
    return hashlib.sha256(canonical({key: thought.get(key) for key in HASHED})).hexdigest()


def chain_hash(prev_hash: str, content: str, key: bytes | None = None) -> str:
    """SHA-256, or HMAC-SHA-256 under a key, of the previous chain hash and this content hash."""
    joined = bytes.fromhex(prev_hash) + bytes.fromhex(content)
    if key is None:
        return hashlib.sha256(joined).hexdigest()
    return hmac.new(key, joined, hashlib.sha256).hexdigest()


def signature(key: bytes, statement: Mapping[str, Any]) -> str:
    """HMAC-SHA-256 of a statement's canonical JSON."""
    return hmac.new(key, canonical(statement), hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class ChainKeys:
    """The keys of keyed chains: the one new steps are made with, and all that old ones were."""

    current: str | None
    secrets: Mapping[str, bytes] = field(repr=False)

    @property
    def alg(self) -> str:
        """The algorithm of new steps."""
        return HASH_ALG if self.current is None else KEYED_ALG

    def secret(self, key_id: str | None) -> bytes | None:
        """The key of that id, or None."""
        return None if key_id is None else self.secrets.get(key_id)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The keys that the settings name; raises ConfigurationError for one that cannot be read."""
        known: dict[str, bytes] = {}
        for pair in filter(None, (part.strip() for part in settings.chain_old_keys.split(","))):
            name, found, secret = pair.partition("=")
            if not found or not name or len(secret) < _SHORTEST_KEY:
                raise ConfigurationError(
                    "LEGACYMIND_CHAIN_OLD_KEYS is not a list of ID=KEY by comma.",
                    hint=f"Write each as its id, an equals sign and {_SHORTEST_KEY} characters or more.",
                )
            if name in known:
                raise ConfigurationError(
                    f"LEGACYMIND_CHAIN_OLD_KEYS has two keys named {name[:80]}.", hint="Remove the wrong one."
                )
            known[name] = secret.encode()
        if not settings.chain_key:
            return cls(None, known)
        if len(settings.chain_key) < _SHORTEST_KEY:
            raise ConfigurationError(
                "LEGACYMIND_CHAIN_KEY is too short to protect anything.",
                hint=f"Use {_SHORTEST_KEY} random characters or more, e.g. from `openssl rand -hex 32`.",
            )
        # What could not be moved to the old keys later must not be used now.
        if "," in settings.chain_key or not re.fullmatch(r"[^,=\s]+", settings.chain_key_id):
            raise ConfigurationError(
                "LEGACYMIND_CHAIN_KEY or LEGACYMIND_CHAIN_KEY_ID could not be listed among old keys later.",
                hint="Use a key without commas, and an id without commas, equals signs and spaces.",
            )
        if settings.chain_key_id in known:
            raise ConfigurationError(
                "LEGACYMIND_CHAIN_KEY_ID names a key of LEGACYMIND_CHAIN_OLD_KEYS too.",
                hint="Give the new key another LEGACYMIND_CHAIN_KEY_ID; the old one keeps its own.",
            )
        known[settings.chain_key_id] = settings.chain_key.encode()
        return cls(settings.chain_key_id, known)


def genesis(namespace: str, session_id: str) -> str:
    """What the first step of a session's chain follows."""
    start = {"hash_version": HASH_VERSION, "namespace": namespace, "session_id": session_id}
    return hashlib.sha256(canonical(start)).hexdigest()
