"""Checkpoints of a log (C2SP tlog-checkpoint): signed notes with the size and root of its Merkle tree."""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self
from urllib.parse import quote, unquote

from legacymind.services.chain.anchor_line import SAFE
from legacymind.services.chain.signing import PublicKey, SigningKey

_ED25519: Final = b"\x01"
"""The type of a signature, in ids of keys and in verifier keys."""

_NOTE: Final = re.compile(
    r"^(?P<origin>legacymind/[^\s+]+)\r?\n(?P<size>[1-9]\d{0,17})\r?\n(?P<root>[A-Za-z0-9+/]{43}=)\r?\n\r?\n"
    r"(?P<signatures>(?:— .+$\n?)+)",
    re.M,
)


def _key_id(name: str, key: PublicKey) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + key.raw).digest()[:4]


def verifier_key(name: str, key: PublicKey) -> str:
    """The public key as verifiers of notes read it."""
    return f"{name}+{_key_id(name, key).hex()}+{base64.b64encode(_ED25519 + key.raw).decode()}"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a log. ``signatures`` are names of keys, and key ids with signatures."""

    origin: str
    size: int
    root: bytes
    signatures: Sequence[tuple[str, bytes]] = ()

    @classmethod
    def of(cls, log_id: str, namespace: str, size: int, root: bytes) -> Self:
        """The checkpoint of the log with this id."""
        return cls(f"legacymind/{log_id}/{quote(namespace, safe=SAFE)}", size, root)

    @property
    def log_id(self) -> str:
        """The id of the log, which its origin names."""
        return self.origin.split("/")[1]

    @property
    def namespace(self) -> str:
        """The namespace of the log, which its origin names."""
        return unquote(self.origin.split("/", 2)[-1])

    @property
    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    @property
    def note(self) -> str:
        """The signed note."""
        signed = (f"— {name} {base64.b64encode(signature).decode()}\n" for name, signature in self.signatures)
        return f"{self.text}\n{''.join(signed)}"

    def signed(self, key: SigningKey) -> str:
        """The note with the signature of a key."""
        signature = _key_id(self.origin, key.public) + key.sign(self.text.encode())
        return replace(self, signatures=[(self.origin, signature)]).note

    def proof(self, index: int, path: Iterable[bytes]) -> str:
        """The proof that the log up to here includes an entry (C2SP tlog-proof)."""
        hashes = (base64.b64encode(sibling).decode() for sibling in path)
        return "\n".join(["c2sp.org/tlog-proof@v1", f"index {index}", *hashes, "", self.note])

    def is_signed(self, keys: Iterable[PublicKey]) -> bool:
        """Whether one of these keys signed it; signatures of others, such as witnesses, do not matter."""
        return any(
            name == self.origin
            and signature[:4] == _key_id(name, key)
            and key.verifies(signature[4:], self.text.encode())
            for name, signature in self.signatures
            for key in keys
        )

    @classmethod
    def find(cls, text: str) -> list[Self]:
        """Every checkpoint in a text."""
        return [
            cls(
                note["origin"],
                int(note["size"]),
                base64.b64decode(note["root"]),
                [*map(_signature, note["signatures"].splitlines())],
            )
            for note in _NOTE.finditer(text.replace("\ufeff", ""))
        ]


def _signature(line: str) -> tuple[str, bytes]:
    _, name, signature = [*line.split(" "), "", ""][:3]
    try:
        return name, base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return name, b""
