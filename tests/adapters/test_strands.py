"""The memory store of Strands in its own manager."""

# pyright: basic, reportMissingImports=false
import pytest

pytest.importorskip("strands", reason="run by `python -m tests.clients.frameworks strands`")
from strands.memory import MemoryManager

from legacymind import Mind
from legacymind.adapters.strands import MindMemoryStore

pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("ignore")]


async def test_the_manager_adds_and_finds(mind: Mind) -> None:
    store = MindMemoryStore(mind, "kitchen")
    manager = MemoryManager(stores=[store])
    await manager.add("The blue kettle of Ada leaks.")
    (found,) = await manager.search("Which kettle leaks?")
    assert found.content == "The blue kettle of Ada leaks."
    messages = [
        {"role": "user", "content": [{"text": "The lamp is dark."}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "1", "name": "x", "input": {}}}]},
        {"role": "assistant", "content": [{"text": "Then change the bulb."}]},
    ]
    await store.add_messages(messages)
    stored = (await mind.search(session_id="kitchen")).hits
    assert [(hit.author, hit.text) for hit in stored] == [
        ("assistant", "The blue kettle of Ada leaks."),
        ("user", "The lamp is dark."),
        ("assistant", "Then change the bulb."),
    ]
