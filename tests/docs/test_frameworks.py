"""Agent frameworks: every example has ten lines, and runs on a real engine with a fake model."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.docs.pages import printed_by, text

ROOT = Path(__file__).parents[2]
TEXT = text("frameworks")
EXAMPLES = dict(
    re.findall(r"^## ([^\n]+)$(?:(?!^## ).)*?^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
)

LANGCHAIN = """
from langchain_core.runnables import RunnableLambda
from langchain_core.messages import AIMessage

model = RunnableLambda(lambda messages: AIMessage(f"I read: {messages}"))
"""
"""A model that repeats what it is sent."""

CASES = {
    "CrewAI": (
        "crewai",
        "from tests.adapters.test_crewai import Repeating\nmodel = Repeating(model='fake')",
        "Ada likes olives on her pizza. [",
    ),
    "Google ADK": (
        "google.adk",
        "from tests.adapters.test_google_adk import Repeating\nmodel = Repeating(model='fake')",
        "Ada likes olives on her pizza.",
    ),
    "Hermes Agent": (
        "run_agent",
        "import os, tempfile\n"
        "os.environ['HOME'] = tempfile.mkdtemp()\n"
        "from tests.adapters.test_hermes import set_up\n"
        "model = set_up()",
        "I read - (20",
    ),
    "LangChain": ("langchain_core", LANGCHAIN, "page_content='Ada likes olives on her pizza.'"),
    "LangGraph": ("langgraph", LANGCHAIN, "Ada likes olives"),
    "LlamaIndex": ("llama_index.core", "", "Ada likes olives on her pizza."),
    "Microsoft Agent Framework": (
        "agent_framework",
        "from tests.adapters.test_agent_framework import Repeating\nmodel = Repeating()",
        "Ada likes olives on her pizza. [",
    ),
    "OpenAI Agents SDK": (
        "agents",
        "from tests.adapters.test_openai_agents import Repeating\nmodel = Repeating()",
        "I read 3 items.",
    ),
    "Strands Agents": ("strands", "", "Ada likes olives on her pizza."),
    "Pydantic AI": (
        "pydantic_ai",
        "from pydantic_ai.models.function import FunctionModel\n"
        "from tests.adapters.test_pydantic_ai import Answering\n"
        "model = FunctionModel(Answering())",
        "I read 2 parts.",
    ),
}
"""For each example: what it needs, the fake model, and what it prints."""


def test_every_example_has_a_case() -> None:
    assert EXAMPLES.keys() == CASES.keys()


@pytest.mark.parametrize("name", CASES)
def test_an_example_runs_in_at_most_ten_lines(name: str, real_env: dict[str, str]) -> None:
    module, model, printed = CASES[name]
    pytest.importorskip(module, reason=f"needs {module}")
    assert len([line for line in EXAMPLES[name].splitlines() if line.strip()]) <= 10
    assert printed in printed_by(f"{model}\n{EXAMPLES[name]}", real_env)


def test_the_table_has_every_extra_and_every_class() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    table = TEXT.partition("\nAn adapter takes")[0].partition("\n|")[2]
    named = re.findall(r"^\| [\w ,]+ \| `([\w-]+)` \|", table, re.MULTILINE)
    modules = dict(re.findall(r"`(\w+)\.(\w+)`", table))
    assert len(named) == len(EXAMPLES)
    assert {*named} <= extras.keys()
    for module, name in modules.items():
        code = (ROOT / "legacymind" / "adapters" / f"{module}.py").read_text(encoding="utf-8")
        assert f"class {name}" in code
