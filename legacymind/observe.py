"""What a process does, for metrics and traces: operations, embeddings, statements, waiting, subscriptions.

Nothing is measured without an observer, which a door adds. Observers publish names and times, never texts.
"""

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(slots=True)
class Step:
    """A step that has begun. ``seconds``, ``result`` and ``error`` are known when it ends.

    ``name`` is that of an operation, of a statement's file or of a maintenance job. Only operations have the
    caller's ``arguments``, which are private; they are validated unless the operation refused them; and the
    ``session`` that the call names, or that of the process. The
    ``result`` of a batch of a job is the number of things that it changed.
    ``searches_vectors``: the statement has a vector search.
    """

    kind: Literal["operation", "embed", "statement", "wait", "batch", "subscription"]
    name: str
    searches_vectors: bool = False
    arguments: Mapping[str, object] = field(default_factory=dict[str, object], repr=False)
    session: str | None = None
    seconds: float = 0.0
    result: Any = field(default=None, repr=False)
    error: BaseException | None = None


Observer = Callable[[Step], AbstractContextManager[None]]
"""Is entered when a step begins and left when it has ended."""

_observers: list[Observer] = []


@contextmanager
def observed_by(observer: Observer) -> Generator[None]:
    """Let an observer see all steps of this process."""
    _observers.append(observer)
    try:
        yield
    finally:
        _observers.remove(observer)


@contextmanager
def observed(step: Step) -> Generator[Step]:
    """Show a step to the observers."""
    if not _observers:
        yield step
        return
    with ExitStack() as stack:
        for observer in _observers:
            stack.enter_context(observer(step))
        begun = time.perf_counter()
        try:
            yield step
        except BaseException as raised:
            step.error = raised
            raise
        finally:
            step.seconds = time.perf_counter() - begun
