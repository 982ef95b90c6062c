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
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Self

import rfc8785

from legacymind.errors import ConfigurationError
from legacymind.model.stored import Mark, Thought, marked
from legacymind.settings import Settings

HASH_VERSION: Final = 1

HASH_ALG: Final = "sha256"
KEYED_ALG: Final = "hmac-sha256"

_MIN_KEY_LENGTH: Final = 16

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


def signature(key: bytes, statement: Mapping[str, Any]) -> str:
    """HMAC-SHA-256 of a statement's canonical JSON."""
    return hmac.new(key, canonical(statement), hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class ChainKeys:
    """The keys of keyed chains: the current one for new steps, and the old ones for verification."""

    current: str | None
    secrets: Mapping[str, bytes] = field(repr=False)

    @property
    def alg(self) -> str:
        """The algorithm of new steps."""
        return HASH_ALG if self.current is None else KEYED_ALG

    def secret(self, key_id: str | None) -> bytes | None:
        """The key with this id, or None."""
        return None if key_id is None else self.secrets.get(key_id)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The keys in the settings; raises ConfigurationError for an invalid one."""
        known: dict[str, bytes] = {}
        for pair in filter(None, (part.strip() for part in settings.chain_old_keys.split(","))):
            name, found, secret = pair.partition("=")
            if not found or not name or len(secret) < _MIN_KEY_LENGTH:
                raise ConfigurationError(
                    "LEGACYMIND_CHAIN_OLD_KEYS is not a comma-separated list of ID=KEY.",
                    hint=f"Write each as an id, an equals sign and at least {_MIN_KEY_LENGTH} characters.",
                )
            if name in known:
                raise ConfigurationError(
                    f"LEGACYMIND_CHAIN_OLD_KEYS has two keys named {name[:80]}.", hint="Remove the wrong one."
                )
            known[name] = secret.encode()
        if not settings.chain_key:
            return cls(None, known)
        if len(settings.chain_key) < _MIN_KEY_LENGTH:
            raise ConfigurationError(
                "LEGACYMIND_CHAIN_KEY is too short.",
                hint=f"Use at least {_MIN_KEY_LENGTH} random characters, e.g. from `openssl rand -hex 32`.",
            )
        # The key must be representable in LEGACYMIND_CHAIN_OLD_KEYS, where it moves when it is replaced.
        if "," in settings.chain_key or not re.fullmatch(r"[^,=\s]+", settings.chain_key_id):
            raise ConfigurationError(
                "LEGACYMIND_CHAIN_KEY or LEGACYMIND_CHAIN_KEY_ID has a character that old keys cannot have.",
                hint="Use a key without commas and an id without commas, equals signs or spaces.",
            )
        if settings.chain_key_id in known:
            raise ConfigurationError(
                "LEGACYMIND_CHAIN_KEY_ID is also the id of a key in LEGACYMIND_CHAIN_OLD_KEYS.",
                hint="Choose another LEGACYMIND_CHAIN_KEY_ID for the new key; old keys keep their ids.",
            )
        known[settings.chain_key_id] = settings.chain_key.encode()
        return cls(settings.chain_key_id, known)


def genesis(namespace: str, session_id: str) -> str:
    """The hash that the first step of a session's chain follows."""
    start = {"hash_version": HASH_VERSION, "namespace": namespace, "session_id": session_id}
    return hashlib.sha256(canonical(start)).hexdigest()
