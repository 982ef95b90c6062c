"""Sections of long thoughts, stored as thoughts of their own: a thought is found by what it says anywhere.

A section has the id of its thought, ``::`` and a number. It is outside every session, a child of the thought,
and has its author, tags and times. A private thought has none, since only its session may read it.
"""

from dataclasses import replace
from typing import Final

from legacymind.embed.base import Thresholds
from legacymind.services.think.thought import Thought, prepare
from legacymind.settings import Settings
from legacymind.text.excerpts import character_end, sentences

SECTION: Final = "::"
"""What the id of a section has between that of its thought and its number."""

LONG: Final = 4_000
"""Characters from which a thought has sections: a vector of more than four windows says little."""

_LENGTH: Final = 1_200
"""Most characters of a section, about one window of the default model."""

THOUGHT_TYPE: Final = "section"


def sections_of(thought: Thought, settings: Settings, thresholds: Thresholds) -> list[Thought]:
    """The sections of a thought, ready to store; none if it is short or private."""
    if len(thought.content) < LONG or thought.is_private:
        return []
    said = {"origin": thought.origin, "door": thought.door, "by": thought.by, "trust": thought.trust}
    parts = [
        prepare(
            {
                "id": f"{thought.id}{SECTION}{number}",
                "content": part,
                "namespace": thought.namespace,
                "parent_id": thought.id,
                "hint": thought.mode,
                "thought_type": THOUGHT_TYPE,
                "author": thought.author,
                "tags": thought.tags,
                "chain_id": thought.chain_id,
                "context_id": thought.context_id,
                "significance": thought.significance,
                "created_at": thought.created_at,
                "expires_at": thought.expires_at and thought.expires_at.isoformat(),
                "standing": False,
                "injection_scale": 0,
                "needs_verification": False,
                "enhance": False,
            },
            settings,
            thresholds,
        )
        for number, part in enumerate(split(thought.content), 1)
    ]
    return [replace(part, **said) for part in parts]


def split(content: str) -> list[str]:
    """The text in parts of whole sentences, as few as fit; a longer sentence is cut."""
    parts: list[str] = []
    first = last = 0
    for start, end in sentences(content):
        if end - first > _LENGTH and last > first:
            parts.append(content[first:last])
            first = start
        while end - first > _LENGTH:
            cut = character_end(content, first + _LENGTH)
            parts.append(content[first:cut])
            first = cut
        last = end
    parts.append(content[first:last])
    return [part for part in parts if part.strip()]
