"""Ed25519 keys in files of OpenSSH, and signatures in the format of ``ssh-keygen -Y``, SSHSIG.

``cryptography`` is imported where it is used, since it takes 50 ms.
"""

import base64
import binascii
import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from legacymind.errors import ConfigurationError, InvalidInput
from legacymind.settings import Settings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_ALGORITHM: Final = b"ssh-ed25519"
NAMESPACE: Final = "legacymind"
"""The ``-n`` of ssh-keygen: a signature made for another purpose does not count."""

_MAGIC: Final = b"SSHSIG"
_VERSION: Final = (1).to_bytes(4, "big")
_ARMOR: Final = re.compile(r"\s*-----BEGIN SSH SIGNATURE-----(.*)-----END SSH SIGNATURE-----\s*", re.S)
_HASHES: Final = (b"sha512", b"sha256")
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


def _signed(message: bytes, algorithm: bytes) -> bytes:
    """What a signature is made of: the purpose of it, and the hash of the message."""
    hashed = hashlib.new(algorithm.decode(), message).digest()
    return _MAGIC + b"".join(map(ssh_string, (NAMESPACE.encode(), b"", algorithm, hashed)))


def sign(key: SigningKey, message: bytes) -> str:
    """The signature of a message, as a text that ``ssh-keygen -Y verify`` reads."""
    blob = _begin(key.public, _HASHES[0]) + key.sign(_signed(message, _HASHES[0]))
    text = base64.b64encode(blob).decode()
    lines = [text[start : start + 70] for start in range(0, len(text), 70)]
    return "\n".join(("-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""))


def is_signed(signature: str, message: bytes, keys: Iterable[PublicKey]) -> bool:
    """Whether one of the keys made a signature of a message, for our namespace."""
    armored = _ARMOR.fullmatch(signature)
    try:
        blob = base64.b64decode("".join(armored[1].split()), validate=True) if armored else b""
    except (binascii.Error, ValueError):
        return False
    # Every part but the signature follows from the key and the hash, so the rest is compared as a whole.
    return any(
        blob[: len(begin)] == begin
        and len(blob) == len(begin) + 64
        and key.verifies(blob[-64:], _signed(message, algorithm))
        for key in keys
        for algorithm in _HASHES
        if (begin := _begin(key, algorithm))
    )


def _begin(key: PublicKey, algorithm: bytes) -> bytes:
    """A signature as a blob, without its last 64 bytes."""
    made = ssh_string(_ALGORITHM) + (64).to_bytes(4, "big")
    parts = b"".join(map(ssh_string, (key.blob, NAMESPACE.encode(), b"", algorithm)))
    return _MAGIC + _VERSION + parts + (len(made) + 64).to_bytes(4, "big") + made
