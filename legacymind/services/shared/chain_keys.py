"""The keys of keyed hash chains."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

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
