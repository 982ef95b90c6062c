"""Poisoned memories by the Agent Memory Security Benchmark: `python -m bench.trust`.

AMSB 0.1.0 is part of the package agent-memory-guard (`pip install agent-memory-guard==0.3.3`), which
LegacyMind does not need. It stores honest and poisoned texts and grades what is read back. The texts are
stored as they come, in a namespace for each scenario, by three doors:

by door    what the user says as the user, what an agent says as an agent, what a tool says as `tool`
agent      everything noted by an agent
outside    everything declared as `tool`

each with ``leave_out`` as it is by default, and with ``outside``.
"""

import asyncio
import itertools
import json
import uuid
from contextlib import AsyncExitStack
from importlib import import_module
from importlib.metadata import version
from typing import Any, Final

from legacymind.calls import calling
from legacymind.db.query import NoRow, Query
from legacymind.mind import Mind
from legacymind.settings import load_settings
from legacymind.settings.table import Settings

_AMSB: Final = "agent_memory_guard.bench"
adapter: Any = import_module(f"{_AMSB}.adapter")
harness: Any = import_module(f"{_AMSB}.harness")
scenarios: Any = import_module(f"{_AMSB}.scenarios")
scoring: Any = import_module(f"{_AMSB}.scoring")

_RUN: Final = uuid.uuid4().hex[:8]
_COUNT = itertools.count()
_INDEXED: Final = Query(
    "indexed", NoRow, True, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()", frozenset()
)
_ORIGINS: Final = {"user_input": None, "system": None, "agent_authored": "agent", "external_tool": "tool"}
"""The origin that a caller states for a class of the benchmark; None: the user."""


class _Memory:
    """The minds of a run, opened in one event loop."""

    def __init__(self, left_out: str) -> None:
        self.loop = asyncio.new_event_loop()
        self.stack = AsyncExitStack()
        self.settings: Settings = load_settings().changed(leave_out=left_out)
        self.embedder: Any = None

    def open(self) -> Mind:
        """A mind in a namespace of its own."""
        settings = self.settings.changed(namespace=f"amsb-{_RUN}-{next(_COUNT)}")
        mind = Mind(settings, embedder=self.embedder)
        self.embedder = mind.vectors.embedder
        return self.run(self.stack.enter_async_context(mind))

    def run(self, work: Any) -> Any:
        """The result of a coroutine."""
        return self.loop.run_until_complete(work)


def _adapter(memory: _Memory, door: str) -> type[Any]:
    class Thoughts(adapter.MemorySystemAdapter):
        name = f"legacymind ({door}, leave_out={memory.settings.leave_out})"

        def __init__(self) -> None:
            self.mind = memory.open()

        def remember(self, key: str, value: Any, *, source_class: str = "external_tool") -> Any:
            origin = {"agent": "agent", "outside": "tool"}.get(door, _ORIGINS.get(source_class, "tool"))
            said = {"content": str(value), "tags": [key], "session_id": "s1", "origin": origin}
            memory.run(self.mind.operations["think"].call({**said, "injection_scale": 0}))
            return adapter.RememberOutcome.STORED

        def recall(self, key: str) -> Any:
            async def read() -> Any:
                await self.mind.graph.run(_INDEXED, {})
                with calling(agent=True, door="mcp"):
                    found = await self.mind.operations["search"].call(
                        {"query": key, "tags": [key], "limit": 1}
                    )
                    if not found.hits:
                        return None
                    return (await self.mind.operations["get"].call({"id": found.hits[0].id})).text

            return memory.run(read())

    Thoughts.version = version("legacymind")
    return Thoughts


def main() -> None:
    """Grade each door with each setting, and print a line for each."""
    results: list[dict[str, Any]] = []
    for left_out in ("nothing", "outside"):
        memory = _Memory(left_out)
        for door in ("by door", "agent", "outside"):
            made = harness.run_suite(_adapter(memory, door), scenarios.default_corpus())
            card = scoring.score_report(made)
            results.append(card.to_dict())
            print(
                f"{card.system:50} grade {card.grade.value} score {card.score:5.1f} "
                f"defended {card.defended_total}/{card.malicious_total} "
                f"false positives {card.false_positives}/{card.benign_total}"
            )
        memory.run(memory.stack.aclose())
    print(json.dumps(results))


if __name__ == "__main__":
    main()
