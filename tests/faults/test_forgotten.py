"""What was forgotten is not in the files of a home into which the rest was moved."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from legacymind.engine import Engine
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests import engines
from tests.fakes import FakeEmbedder
from tests.steps import remember, store_thought

pytestmark = [pytest.mark.anyio, pytest.mark.engine, pytest.mark.limit(600)]

NAME, KEPT = "Zanzibarquartz", "Obsidianwren"
LONG = " It is one of many words about the cellar, the stairs and the lamp." * 40


@pytest.fixture
def homes(engine_settings: Settings, tmp_path: Path) -> Iterator[list[Settings]]:
    """Settings of two engines of their own."""
    made = [
        Settings(
            home=str(tmp_path / name),
            cache=engine_settings.cache,
            heap_mb=512,
            page_cache_mb=64,
            query_timeout=120.0,
            adopt_interval=0,
        )
        for name in ("old", "new")
    ]
    with engines.brief():
        yield made
    for each in made:
        engines.discard(Engine(each))


def having(home: Settings, word: str) -> list[str]:
    """The files of the database that have the word as raw bytes, in UTF-8 or UTF-16."""
    codes = ("utf-8", "utf-16-le", "utf-16-be")
    forms = [form.encode(code) for form in (word, word.lower()) for code in codes]
    files = [file for file in (Path(home.home or "") / "data").rglob("*") if file.is_file()]
    return [file.name for file in files if any(form in file.read_bytes() for form in forms)]


async def test_neither_store_nor_indexes_nor_logs_have_a_forgotten_text(
    homes: list[Settings], tmp_path: Path
) -> None:
    old, new = homes
    file = tmp_path / "memory.jsonl"
    async with Mind(old, session_id="s", embedder=FakeEmbedder()) as mind:
        for word in (NAME, KEPT):
            await store_thought(mind, f"{word} hid the code.{LONG}", hypothesis=f"{word} knows")
            await store_thought(mind, f"Short {word}")
            await remember(
                mind,
                entities=[{"name": word, "description": f"{word} of the cellar"}],
                observations=[{"entity": word, "content": f"{word} likes tea"}],
                relations=[{"source_entity": word, "type": "KNOWS", "target_entity": "Bob"}],
            )
        assert (await mind.forget(subject=NAME, confirm=True)).counts
        await mind.export_file(file)
    async with Mind(new, session_id="s", embedder=FakeEmbedder()) as mind:
        await mind.import_file(file)
        assert (await mind.verify("s")).verdict == "intact"
    for each in homes:
        await asyncio.to_thread(asyncio.run, Engine(each).down())
    assert having(new, KEPT) != []
    assert having(new, NAME) == []
    assert having(old, NAME) != []  # as the certificate says: until Neo4j needs the space
    assert NAME.lower() not in file.read_text("utf-8").lower()
