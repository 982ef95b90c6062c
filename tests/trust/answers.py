"""What answers show of a memory."""

from typing import Any, cast


def items_of(answer: Any) -> list[dict[str, Any]]:
    """The records of an answer with a text of the memory."""
    if isinstance(answer, list):
        return [item for one in cast("list[Any]", answer) for item in items_of(one)]
    if not isinstance(answer, dict):
        return []
    members = cast("dict[str, Any]", answer)
    own = [members] if "id" in members and ("text" in members or "content" in members) else []
    return own + [item for value in members.values() for item in items_of(value)]
