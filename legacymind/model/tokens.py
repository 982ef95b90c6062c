"""Tokens with which clients call ``legacymind serve``."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

TokenScope = Literal["read", "write"]
"""``read`` allows operations that only read, ``write`` all operations."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """What a token allows: calls of a scope in one namespace. ``name`` says whose it is."""

    id: str
    name: str
    namespace: str
    scope: TokenScope
    created_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class NewToken(Token):
    """A token with its text, which is not stored and cannot be read again."""

    text: str = field(repr=False)
