"""Ed25519 keys in files of OpenSSH, whose signatures anybody with the public key can verify.

``cryptography`` is imported where it is used, since it takes 50 ms.
"""

import base64
import hashlib
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from legacymind.errors import ConfigurationError, InvalidInput
from legacymind.settings import Settings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_ALGORITHM: Final = b"ssh-ed25519"
_PUBLIC: Final = re.compile(r"\bssh-ed25519 (AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43})(?![A-Za-z0-9+/])")


def ssh_string(value: bytes) -> bytes:
    """A string of the SSH protocol (RFC 4251): its length, then itself."""
    return len(value).to_bytes(4, "big") + value


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The 32 bytes of a public key."""

    raw: bytes

    @property
    def blob(self) -> bytes:
        """The key as SSH sends it."""
        return ssh_string(_ALGORITHM) + ssh_string(self.raw)

    @property
    def fingerprint(self) -> str:
        """The fingerprint that ``ssh-keygen -l`` shows."""
        return f"SHA256:{base64.b64encode(hashlib.sha256(self.blob).digest()).decode().rstrip('=')}"

    def __str__(self) -> str:
        return f"{_ALGORITHM.decode()} {base64.b64encode(self.blob).decode()}"

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Whether this key made the signature of a message."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


def public_keys(text: str) -> list[PublicKey]:
    """Every Ed25519 key in a text, such as a ``.pub`` file or a file of allowed signers.

    Raises InvalidInput when there is none.
    """
    found = [PublicKey(base64.b64decode(each)[-32:]) for each in _PUBLIC.findall(text)]
    if not found:
        raise InvalidInput(
            "This is no public Ed25519 key.",
            effect="Nothing was verified.",
            hint="Pass the file that ends in `.pub`, or its text: `ssh-ed25519 AAAA…`.",
        )
    return found


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key."""

    _own: "Ed25519PrivateKey" = field(repr=False)

    @property
    def public(self) -> PublicKey:
        """Its public half."""
        return PublicKey(self._own.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, of 64 bytes."""
        return self._own.sign(message)

    @classmethod
    def create(cls, file: Path) -> Self:
        """Write a new key to a file that its owner alone can read, and the public key beside it.

        Both are those that ``ssh-keygen -t ed25519`` writes. Raises FileExistsError for a file that exists.
        """
        from cryptography.hazmat.primitives import serialization as form
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        made = Ed25519PrivateKey.generate()
        text = made.private_bytes(form.Encoding.PEM, form.PrivateFormat.OpenSSH, form.NoEncryption())
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
            written.write(text)
        own = cls(made)
        file.with_name(f"{file.name}.pub").write_text(f"{own.public} legacymind\n", encoding="utf-8")
        return own

    @classmethod
    def configured(cls, settings: Settings) -> Self | None:
        """The key of the setting ``signing_key_file``, or of its default file; None if there is none.

        Raises ConfigurationError for a file that is no such key.
        """
        file = settings.signing_key_path
        if not settings.signing_key_file and not file.exists():
            return None
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_ssh_private_key

        try:
            key = load_ssh_private_key(file.read_bytes(), None)
        except (OSError, TypeError, ValueError) as reason:  # TypeError: the key has a passphrase
            cause = (reason.strerror if isinstance(reason, OSError) else None) or str(reason)
        else:
            if isinstance(key, Ed25519PrivateKey):
                return cls(key)
            cause = "its type is not Ed25519"
        raise ConfigurationError(
            f"{file} is no private key that can sign: {cause.rstrip('.')}.",
            hint="Set LEGACYMIND_SIGNING_KEY_FILE to an Ed25519 key of OpenSSH without a passphrase; "
            "`legacymind key create` makes one.",
        )
