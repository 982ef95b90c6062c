"""Warnings of think: soft limits of a thought, of its recall and of the graph. Nothing is refused."""

from collections.abc import Sequence
from typing import TypedDict

from legacymind.model.think import Memory
from legacymind.services.think.thought import Thought
from legacymind.settings import Settings


class CrowdedRow(TypedDict):
    """A thought with more relationships than the limit of the call."""

    id: str
    relationships: int


def warnings(
    thought: Thought,
    crowded: Sequence[CrowdedRow],
    nodes: int,
    memories: Sequence[Memory],
    settings: Settings,
) -> list[str]:
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
    found += [
        f"The thought {one['id']} has {one['relationships']:,} relationships (warn_relationships: "
        f"{settings.warn_relationships:,}). Maintenance (`prune`) removes weak recalls."
        for one in crowded
    ]
    if 0 < settings.warn_nodes < nodes:
        found.append(
            f"The database has {nodes:,} nodes (warn_nodes: {settings.warn_nodes:,}). Larger ones are "
            "slower; a second database could hold other namespaces."
        )
    return found
