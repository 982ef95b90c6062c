"""deepagents keeps its files in a MindStore."""

# pyright: basic, reportMissingImports=false
from typing import Any

import pytest

pytest.importorskip("deepagents", reason="run by `python -m tests.clients.frameworks langgraph`")
from deepagents import create_deep_agent
from deepagents.backends import StoreBackend
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage

from legacymind import Mind
from legacymind.adapters.langgraph import MindStore

pytestmark = pytest.mark.filterwarnings("ignore")

TEXT = "Ada likes olives on her pizza."


class Scripted(GenericFakeChatModel):
    """A model that gives its answers in order."""

    def bind_tools(self, tools: Any, **_: Any) -> "Scripted":
        """It knows the tools."""
        return self


def test_a_file_of_an_agent_is_an_item(own_mind: Mind) -> None:
    write = {"name": "write_file", "args": {"file_path": "/food.md", "content": TEXT}, "id": "1"}
    read = {"name": "read_file", "args": {"file_path": "/food.md"}, "id": "2"}
    answers = [AIMessage("", tool_calls=[write]), AIMessage("", tool_calls=[read]), AIMessage("Done.")]
    store = MindStore(own_mind)
    agent = create_deep_agent(
        model=Scripted(messages=iter(answers)),
        store=store,
        backend=StoreBackend(namespace=lambda *_: ("files",)),
    )
    said = agent.invoke({"messages": [HumanMessage("Remember it.")]})["messages"]
    assert TEXT in said[-2].content
    (item,) = store.search(("files",))
    assert (item.key, item.value["content"]) == ("/food.md", TEXT)
