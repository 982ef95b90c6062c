"""The kinds of faults that verification finds, and what each means for the data."""

from typing import Final

from legacymind.model.chain import ChainFault, FaultKind

MAX_FAULTS: Final = 100
"""Faults in a report; further ones are only counted."""

_SHOWN: Final = 80
"""Characters of a stored value in a message."""

MEANINGS: Final[dict[FaultKind, str]] = {
    "missing": "Thoughts were deleted, or moved to another session.",
    "duplicate": "A thought or a session was inserted beside another. At most one of them is genuine.",
    "content": "The content is not what was stored.",
    "redaction": "A text that was redacted is there again, or the mark of a redaction is false.",
    "id": "The thought was written by something else, and no call can name it.",
    "record": "A hashed field other than the content is not what was stored.",
    "previous": "The step before was replaced, or this one was moved.",
    "hash": "The hashes were changed, or computed without the key.",
    "key": "Without this key nobody can tell whether the step is genuine.",
    "unkeyed": "Everybody who can write to the database can have written this step.",
    "unmarked": "Recall leaves this step out, and reads mark it as outside of its chain.",
    "relationship": "Trails, threads and trees lead elsewhere than the thought's hashed links.",
    "head": "The last steps were deleted, or the session's head was changed.",
    "outside": "The thought is shown with this session, but nothing proves who wrote it or when.",
    "history": "The history up to the known head is not what it was when that head was exported or anchored.",
    "rekeyed": "The history was hashed again with another key, or without one, so it can have been changed.",
    "cut": "The last steps were deleted, and the session's head was set to an earlier one.",
    "deleted": "All thoughts of the session and its head were deleted.",
    "leaves": "Nothing proves what the session was when it was anchored, until the leaves are found.",
}
"""What each kind of fault means for the data."""


def shown(value: object) -> str:
    """A stored value in a message; tampering may leave a long one, or one of any type."""
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def fault(kind: FaultKind, what: str, step: int | None = None, thought_id: object = None) -> ChainFault:
    """A fault with the meaning of its kind. An id that is no text is that of no thought."""
    own = thought_id if isinstance(thought_id, str) else None
    return ChainFault(kind=kind, step=step, thought_id=own, fault=what, meaning=MEANINGS[kind])
