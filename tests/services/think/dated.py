"""Dated thoughts, for tests of recall with a model whose related texts share most of their words."""

from datetime import UTC, datetime, timedelta
from typing import Any

from legacymind.embed.base import Thresholds
from legacymind.mind import Mind
from legacymind.model.think import ThinkResult
from tests.fakes import FakeEmbedder
from tests.steps import bare, think_apart
from tests.wire import raw, text_indexed

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Strict(FakeEmbedder):
    """A model whose related texts share most of their words."""

    thresholds = Thresholds(knowledge=(0.60, 0.60, 0.60), thoughts=(0.60, 0.60, 0.60, 0.60, 0.60), floor=0.10)


async def ago(mind: Mind, content: str, days: float, **options: Any) -> str:
    """Think some days before ``NOW``, without recall, and return the thought's id."""
    arguments = {"created_at": NOW - timedelta(days=days), "injection_scale": 0, **options}
    return bare(await think_apart(mind, content, **arguments))


async def now(mind: Mind, content: str, scale: int = 2, **options: Any) -> ThinkResult:
    """Think, and forget the thought, so that the next does not recall it."""
    await text_indexed(mind)
    result = await think_apart(mind, content, created_at=NOW, injection_scale=scale, **options)
    await raw(mind, "MATCH (t:Thought {id: $id}) DETACH DELETE t", id=bare(result))
    return result
