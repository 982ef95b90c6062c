"""Calls that have the server plan statements before anybody waits for them.

A server that has just started needs a second of a core for the first run of most statements. These calls run
for real: EXPLAIN leaves a third of that to the first run, which compiles the plan.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from legacymind.db.gate import Gate
from legacymind.errors import NotFound
from legacymind.operations.registry import Operation, unvalidated
from legacymind.services.shared.vectors import Vectors

_NONE: Final = "legacymind:none"
"""A name that nothing has, so that most calls find nothing, and none changes anything."""

_CALLS: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("search", {"query": _NONE, "limit": 1}),
    ("context", {"query": _NONE, "limit": 1}),
    ("search", {"query": _NONE, "session_id": _NONE}),
    ("search", {"query": _NONE, "method": "text"}),
    ("search", {"limit": 1}),
    ("record_outcome", {"thought_id": _NONE, "outcome": "success"}),
    ("thoughts_thread", {"session_id": _NONE}),
    ("get", {"id": _NONE}),
    ("walk_trail", {"thought_id": _NONE}),
    ("search", {"session_id": _NONE}),
    ("search", {"query": _NONE, "thought_type": _NONE}),
    ("search", {"query": _NONE, "tags": [_NONE]}),
    ("thoughts_links", {"thought_id": _NONE}),
    ("entity", {"name": _NONE}),
    ("thought_tree", {"session_id": _NONE}),
    ("verify_chain", {"session_id": _NONE}),
)
"""Each statement that takes half a second or more to plan, those of the most frequent calls first."""


class Placeholders(Vectors):
    """Vectors without a meaning, for calls whose results nobody reads. No text is embedded."""

    async def embed(
        self, texts: Sequence[str], *, query: bool = False, bulk: bool = False
    ) -> list[list[float]]:
        """One vector for each text, the same for all."""
        return [self.placeholder() for _ in texts]


async def plan_ahead(operations: Mapping[str, Operation], gate: Gate) -> None:
    """Run the calls one after the other, each when no other call waits. Raises DatabaseError.

    No observer sees them as operations, because nobody has called them.
    """
    for name, arguments in _CALLS:
        # The place is taken first: other calls wait for the plan that this one makes, so this one must not
        # wait for a place behind them.
        async with gate.place(background=True):
            with suppress(NotFound):
                await unvalidated(operations[name].method)(**arguments)
