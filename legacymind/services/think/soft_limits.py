"""Warnings of think: soft limits of a thought and of its recall. Nothing is refused."""

from collections.abc import Sequence

from legacymind.model.think import Memory
from legacymind.services.think.thought import Thought
from legacymind.settings import Settings


def warnings(thought: Thought, memories: Sequence[Memory], settings: Settings) -> list[str]:
    """One sentence for each soft limit that is exceeded, with the number and the setting.

    Each setting ``warn_…`` is a limit, and 0 turns it off.
    """
    found: list[str] = []
    size = len(thought.content.encode())
    if 0 < settings.warn_thought_bytes < size:
        found.append(
            f"The thought has {size:,} bytes (warn_thought_bytes: {settings.warn_thought_bytes:,}). Recall "
            "is more precise if each matter is a thought of its own."
        )
    if 0 < settings.warn_memories < len(memories):
        found.append(
            f"The thought recalled {len(memories):,} memories (warn_memories: {settings.warn_memories:,}). "
            "Think at a lower injection_scale."
        )
    return found
