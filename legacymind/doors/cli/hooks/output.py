"""What hooks print for the model: memories as lines of data."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from legacymind.doors.cli.hooks.input import HookInput
from legacymind.text.excerpts import Passage, excerpt
from legacymind.text.fencing import fenced, head

if TYPE_CHECKING:  # imported when used: `hook` answers in a fifth of a second
    from legacymind.mind import Mind
    from legacymind.model.graph import Node
    from legacymind.model.think import Memory

TOKENS: Final = 400
"""The most tokens that a prompt gets."""

_MEMORIES: Final = 6
_LENGTHS: Final = (400, 300, 200, 140, 100, 70, 50)
"""Characters of each memory of a prompt; the first length with which all fit is used."""

_LINE: Final = 400
_NAME: Final = 48
_SHORT_NAME: Final = 12
"""Characters of names of a prompt's memories, which have less room."""

_RECALLED: Final = "LegacyMind recalls for this prompt (said by, date, author, session):\n\n"


async def recalled(mind: "Mind", told: HookInput, *, now: datetime | None = None) -> str | None:
    """What a prompt brings to mind, set off as data; None if nothing is related. Stores nothing."""
    from legacymind.operations.budget import tokens
    from legacymind.text.fulltext import word_stems

    prompt = told.members.get("prompt", "").strip()
    if not prompt:
        return None
    memories = (await mind.services.recall.for_prompt(prompt, told.session, now=now))[:_MEMORIES]
    if not memories:
        return None
    reads = mind.services.reads
    nodes = await reads.nodes(reads.view(None, told.session), [memory.id for memory in memories])
    words = word_stems(prompt)
    found = [
        (memory, node, Passage(memory.text, words))
        for memory, node in zip(memories, nodes, strict=True)
        if node is not None or memory.namespace
    ]
    while found:
        for length in _LENGTHS:
            lines = [_remembered(memory, node, text.within(length)) for memory, node, text in found]
            shown = _RECALLED + fenced("\n".join(lines))
            if tokens(shown) <= TOKENS:
                return shown
        found.pop()
    return None


def _remembered(memory: "Memory", node: "Node | None", text: str) -> str:
    """A memory of a prompt as one line; one of another namespace names that."""
    from legacymind.model.graph import Thought

    by = memory.revised_by or memory.contradicted_by
    state = f"{'revised' if memory.revised_by else 'contradicted'} by {by}: " if by else ""
    names = [memory.namespace] if memory.namespace else []
    if isinstance(node, Thought):
        names = [node.author or "no author", node.session_id or "no session"]
    names = [excerpt(name, _SHORT_NAME) for name in names]
    return line(memory.id, memory.said_by, state + text, memory.created_at, names)


def line(id: str, said_by: str, text: str, created_at: datetime | None, names: Sequence[str]) -> str:
    """A text as one line, after who said it, its date, and names that its caller claims."""
    date = [f"{created_at:%Y-%m-%d}"] if created_at else []
    claimed = head([said_by, *date, *(excerpt(" ".join(name.split()), _NAME) for name in names)])
    return f"- {claimed}{excerpt(' '.join(text.split()), _LINE)} [{id}]"
