"""Signatures in the format of ``ssh-keygen -Y``, SSHSIG, with a namespace of our own."""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from typing import Final

from legacymind.services.chain.signing import PublicKey, SigningKey, ssh_string

NAMESPACE: Final = "legacymind"
"""The ``-n`` of ssh-keygen: a signature made for another purpose does not count."""

_MAGIC: Final = b"SSHSIG"
_VERSION: Final = (1).to_bytes(4, "big")
_ARMOR: Final = re.compile(r"\s*-----BEGIN SSH SIGNATURE-----(.*)-----END SSH SIGNATURE-----\s*", re.S)
_HASHES: Final = (b"sha512", b"sha256")


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
    made = ssh_string(b"ssh-ed25519") + (64).to_bytes(4, "big")
    parts = b"".join(map(ssh_string, (key.blob, NAMESPACE.encode(), b"", algorithm)))
    return _MAGIC + _VERSION + parts + (len(made) + 64).to_bytes(4, "big") + made
