"""The kinds of faults that verification finds, each with the sentence that reports it."""

from typing import Final

from legacymind.model.chain import ChainFault, FaultKind

MAX_FAULTS: Final = 100
"""Faults in a report; further ones are only counted."""

_SHOWN: Final = 80
"""Characters of a stored value in a message."""

SENTENCES: Final[dict[FaultKind, str]] = {
    "missing": "A step is missing: thoughts were deleted, or moved to another session.",
    "duplicate": "A thought or a session was inserted beside another, and at most one of them is genuine.",
    "content": "The content or hypothesis is not what was stored.",
    "redaction": "A text that was redacted is there again, or the mark of a redaction is false.",
    "id": "The id was removed or is none that calls accept, so something else wrote the thought.",
    "record": "A hashed field is not what was stored.",
    "previous": "The step does not follow the one before, so that one was replaced, or this one was moved.",
    "hash": "The chain hash does not follow from the record: it was changed, or computed without the key.",
    "key": "A key is not configured, and without it nobody can tell whether this is genuine.",
    "unkeyed": "The step has no key, so everybody who can write to the database can have written it.",
    "unmarked": "The mark of a step was removed, so recall leaves the thought out.",
    "relationship": "A relationship is not the hashed link, so trails, threads and trees lead elsewhere.",
    "head": "The session's head is not the last step: the end was cut off, or the head was changed.",
    "outside": "A thought has this session but is no step of it, so nothing proves who wrote it or when.",
    "history": "The history up to a known head is not what it was when that head was exported.",
    "rekeyed": "The history up to a known head was hashed again with another key, or without one.",
    "cut": "The chain ends before a known head: the last steps were deleted, and the head was set back.",
    "deleted": "The session was deleted: its thoughts and its head are gone.",
}
"""What was found and what it means for the data."""


def shown(value: object) -> str:
    """A stored value in a message; tampering may leave a long one, or one of any type."""
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def fault(kind: FaultKind, step: int | None, thought_id: object = None, detail: str = "") -> ChainFault:
    """A fault with its sentence, which ends in ``detail``. An id that is no text is that of no thought."""
    own = thought_id if isinstance(thought_id, str) else None
    sentence = SENTENCES[kind]
    text = f"{sentence[:-1]} ({detail})." if detail else sentence
    return ChainFault(kind=kind, step=step, thought_id=own, fault=text)
