"""Soft limits of think: a warning each, and everything is stored and recalled all the same."""

import pytest

from legacymind.mind import Mind
from legacymind.operations.results import jsonable
from legacymind.services.think import result as results
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import store_thought, think
from tests.wire import noted_statements

pytestmark = pytest.mark.anyio

WORDS = "amber basket candle dragon engine falcon garden harbour"


async def test_nothing_is_near_the_default_limits(mind: Mind) -> None:
    result = await think(mind, WORDS)
    assert result.warnings == []
    compact = await mind.think(f"{WORDS} again", session_id="other")
    assert compact.memories
    assert "warnings" not in jsonable(compact)


async def test_each_exceeded_limit_is_one_warning_and_costs_no_statement(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "MOST_BYTES", 60)
    monkeypatch.setattr(results, "MOST_MEMORIES", 1)
    async with Mind(settings, session_id="s", embedder=FakeEmbedder()) as mind:
        await store_thought(mind, WORDS, session_id="first")
        for number in range(3):
            await think(mind, f"{WORDS} {number}", session_id=f"session {number}")
        with noted_statements() as ran:
            result = await think(mind, f"{WORDS} kettle", session_id="last")
        assert not [
            name for name in ran if not name.startswith(("recall/", "think/store", "chain/read_head"))
        ]
        length, memories = result.warnings
        assert "has more than 60 bytes (62)" in length
        assert f"recalled more than 1 memories ({len(result.memories)})" in memories
