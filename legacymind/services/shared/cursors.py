"""Opaque cursors: where the next page of one and the same read begins."""

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from legacymind.errors import InvalidInput


def encode(read: Mapping[str, Any], place: list[Any]) -> str:
    """A cursor to a place (JSON scalars) in what ``read``, the arguments that choose and order, finds."""
    return base64.urlsafe_b64encode(json.dumps([_digest(read), *place]).encode()).decode().rstrip("=")


def decode(cursor: str, read: Mapping[str, Any]) -> list[Any]:
    """The place of a cursor; raises InvalidInput when it is none, or one of another read."""
    try:
        digest, *place = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error, TypeError, RecursionError):
        raise InvalidInput(
            "The cursor is not one of LegacyMind's.", hint="Send next_cursor of the page before, as it is."
        ) from None
    if digest != _digest(read):
        raise InvalidInput(
            "The cursor belongs to a read with other arguments.",
            hint="Repeat the arguments of the page before; limit and max_tokens may change.",
        )
    return place


def _digest(read: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(read, sort_keys=True, default=str).encode()).hexdigest()[:12]
