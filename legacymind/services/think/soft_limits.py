"""Warnings of think: soft limits of a thought and of its recall. Nothing is refused."""

from collections.abc import Sequence
from typing import Final

from legacymind.model.think import Memory
from legacymind.services.think.thought import Thought

MOST_BYTES: Final = 32_768
MOST_MEMORIES: Final = 50


def warnings(thought: Thought, memories: Sequence[Memory]) -> list[str]:
    """One sentence for each soft limit that is exceeded, with the number and the limit."""
    sentences: list[str] = []
    size = len(thought.content.encode())
    if size > MOST_BYTES:
        sentences.append(
            f"The thought has more than {MOST_BYTES:,} bytes ({size:,}). Recall is more precise if each "
            "matter is a thought of its own."
        )
    if len(memories) > MOST_MEMORIES:
        sentences.append(
            f"The thought recalled more than {MOST_MEMORIES} memories ({len(memories)}). Think at a lower "
            "injection_scale."
        )
    return sentences
