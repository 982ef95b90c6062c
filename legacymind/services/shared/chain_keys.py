"""The keys of keyed hash chains."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from legacymind.errors import ConfigurationError
from legacymind.settings import Settings

HASH_ALG: Final = "sha256"
KEYED_ALG: Final = "hmac-sha256"

_MIN_KEY_LENGTH: Final = 16


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

    def of_step(self, step: Mapping[str, Any]) -> bytes | None:
        """The key that a step's hash was made with, None for a step without one.

        Raises ValueError for a key that is not configured, and for a step that does not say which.
        """
        alg, own = step.get("hash_alg"), step.get("key_id")
        if alg == HASH_ALG and own is None:
            return None
        if alg != KEYED_ALG or not isinstance(own, str) or own not in self.secrets:
            raise ValueError(f"the key {str(own)[:80]} of its chain is not configured")
        return self.secrets[own]

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The keys in the settings; raises ConfigurationError for an invalid one."""
        own = settings.chain_key
        if own and (len(own) < _MIN_KEY_LENGTH or "," in own):
            raise ConfigurationError(
                "LEGACYMIND_CHAIN_KEY is too short, or has a comma, which old keys cannot have.",
                hint=f"Use at least {_MIN_KEY_LENGTH} random characters, e.g. from `openssl rand -hex 32`.",
            )
        old = [part for one in settings.chain_old_keys.split(",") if (part := one.strip())]
        if any(len(secret) < _MIN_KEY_LENGTH for secret in old):
            raise ConfigurationError(
                "A key in LEGACYMIND_CHAIN_OLD_KEYS is too short.",
                hint=f"Write keys of at least {_MIN_KEY_LENGTH} characters, separated by commas.",
            )
        known = {key_id(secret): secret.encode() for secret in (*old, own) if secret}
        return cls(key_id(own) if own else None, known)


def key_id(secret: str) -> str:
    """The id of a key. It follows from the key, so that two keys never have the same id."""
    return hmac.new(secret.encode(), b"legacymind key id", hashlib.sha256).hexdigest()[:16]
