"""The memory provider of Hermes Agent in its own manager."""

# pyright: basic, reportMissingImports=false
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("agent.memory_provider", reason="run by `python -m tests.clients.frameworks hermes`")
from agent.memory_manager import MemoryManager

from legacymind import Mind
from legacymind.adapters.hermes import MindMemoryProvider
from legacymind.adapters.loops import HomeLoop
from tests.clients.fake_models import Asked, FakeModels, Say

PAGE = Path(__file__).parents[2] / "docs" / "interfaces/frameworks.md"


def answer(asked: Asked) -> Say:
    """What the request has of olives."""
    said = [line for line in asked.text.splitlines() if "olives" in line]
    return Say(f"I read {said[-1]}" if said else "I read nothing.")


def set_up() -> dict[str, str]:
    """Run the page's commands in an empty home; the arguments of an agent with a fake model."""
    commands = re.search(r"^## Hermes Agent\n.*?^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    assert commands is not None
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["bash", "-ec", commands[1]], env=os.environ | {"PATH": tools}, check=True, stdout=sys.stderr
    )
    models = FakeModels(answer).__enter__()
    return {"base_url": f"{models.address}/v1", "api_key": "none", "model": "fake-1"}


def managed(mind: Mind, session: str, **context: str) -> MemoryManager:
    """A manager as the agent makes it."""
    manager = MemoryManager()
    manager.add_provider(MindMemoryProvider(mind))
    manager.initialize_all(session_id=session, platform="cli", **context)
    return manager


def test_a_turn_is_stored_and_recalled_in_another_session(own_mind: Mind) -> None:
    manager = managed(own_mind, "monday", agent_context="primary", user_name="ada")
    manager.sync_all("The blue kettle of Ada leaks.", "Then mend it.", session_id="monday")
    assert manager.flush_pending(60)
    assert manager.prefetch_all("Which kettle leaks?") == ""  # said in this session
    manager.on_session_switch("tuesday")
    assert "The blue kettle of Ada leaks." in manager.prefetch_all("Which kettle leaks?")
    hits = HomeLoop().wait(own_mind.search(session_id="monday")).hits
    assert [(hit.author, hit.text) for hit in hits] == [
        ("ada", "The blue kettle of Ada leaks."),
        ("assistant", "Then mend it."),
    ]


def test_the_tools_think_and_recall(own_mind: Mind) -> None:
    manager = managed(own_mind, "monday")
    assert manager.get_all_tool_names() == {"legacymind_recall", "legacymind_think"}
    stored = manager.handle_tool_call("legacymind_think", {"content": "The blue kettle of Ada leaks."})
    assert json.loads(stored) == {"result": "Stored. It brings nothing to mind."}
    found = manager.handle_tool_call("legacymind_recall", {"query": "Which kettle leaks?"})
    assert "The blue kettle of Ada leaks." in json.loads(found)["result"]
    assert "error" in json.loads(manager.handle_tool_call("legacymind_recall", {"query": ""}))


@pytest.mark.parametrize("context", ["subagent", "cron", "flush"])
def test_a_run_that_is_not_of_the_user_stores_nothing(own_mind: Mind, context: str) -> None:
    manager = managed(own_mind, "monday", agent_context=context)
    manager.sync_all("The blue kettle of Ada leaks.", "Then mend it.", session_id="monday")
    assert manager.flush_pending(60)
    assert [tool["name"] for tool in manager.get_all_tool_schemas()] == ["legacymind_recall"]
    assert HomeLoop().wait(own_mind.search(session_id="monday")).hits == []
