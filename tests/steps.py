"""Steps that many tests share, each through the operation that a user calls."""

import itertools
import uuid
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from legacymind.mind import Mind
from legacymind.model.base import RememberResult, SearchResult
from legacymind.model.progress import Progress, call_progress
from legacymind.model.think import ThinkResult
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.wire import raw

T = TypeVar("T")

_NUMBERS = itertools.count()


@asynccontextmanager
async def own_namespace(
    engine_settings: Settings, session_id: str | None = None, *, large: bool = False
) -> AsyncGenerator[Mind]:
    """Open a mind over the run's engine in a new namespace, for a module with tests that share its data.

    The thoughts of a ``large`` one are dropped at the end.
    """
    settings = engine_settings.changed(namespace=f"test-{uuid.uuid4()}")
    async with Mind(settings, session_id=session_id, embedder=FakeEmbedder()) as mind:
        yield mind
        if large:
            await drop_thoughts(mind)


async def progressing(call: Coroutine[Any, Any, T], progress: Progress) -> T:
    """Await a call whose progress goes to ``progress``."""
    token = call_progress.set(progress)
    try:
        return await call
    finally:
        call_progress.reset(token)


async def drop_thoughts(mind: Mind) -> None:
    """Delete the thoughts of the mind's namespace, which verifications in later tests would scan."""
    await raw(mind, "MATCH (t:Thought) WHERE t.namespace = $ns DETACH DELETE t", ns=mind.settings.namespace)


async def think(mind: Mind, content: str = "x", **options: Any) -> ThinkResult:
    """Think in the mind's own session unless ``options`` name one; the result has all details."""
    details = {"verbose_analysis": True, "max_tokens": 100_000}
    return await mind.operations["think"].call({"content": content, **details, **options})


async def think_apart(mind: Mind, content: str, **options: Any) -> ThinkResult:
    """Think in mode ``build`` in a session of its own, so that the thought follows none."""
    options = {"session_id": f"session-{next(_NUMBERS)}", "hint": "build", **options}
    return await think(mind, content, **options)


async def think_without_recall(mind: Mind, content: str = "x", **options: Any) -> ThinkResult:
    """Think at scale 0, which recalls nothing."""
    return await think(mind, content, **{"injection_scale": 0, **options})


async def store_thought(mind: Mind, content: str = "x", **options: Any) -> str:
    """Think at scale 0, which recalls nothing, and return the bare id of the thought."""
    return bare(await think_without_recall(mind, content, **options))


def bare(result: ThinkResult) -> str:
    """The id of a stored thought without the prefix ``thoughts:``, as in the database."""
    return result.delegated_result.thought_id.removeprefix("thoughts:")


async def remember(mind: Mind, **given: Any) -> RememberResult:
    """Remember entities, observations and relations."""
    return await mind.operations["remember"].call(given)


async def remember_entity(mind: Mind, name: str, **options: Any) -> str:
    """Remember one entity and return its id."""
    result = await remember(mind, entities=[{"name": name, **options}])
    return result.entities[0].id


async def search(mind: Mind, query: str | None, **options: Any) -> SearchResult:
    """Search thoughts and knowledge; a page has ten hits."""
    return await mind.operations["search"].call({"query": query, "limit": 10, **options})


async def pages_of(mind: Mind, operation: str, **arguments: Any) -> list[Any]:
    """All pages of a read."""
    pages = [await mind.operations[operation].call(arguments)]
    while pages[-1].next is not None:
        pages.append(await mind.operations[operation].call({**arguments, "after": pages[-1].next}))
    return pages
