"""The commands and examples of the tutorials run."""

import json
import re
from pathlib import Path
from typing import LiteralString, cast

import pytest

from legacymind.doors.graphql.schema import build_schema
from legacymind.mind import Mind
from tests.docs.pages import DOCS, outputs
from tests.wire import raw

pytestmark = [pytest.mark.anyio, pytest.mark.docs, pytest.mark.limit(600)]


def examples(page: str, language: str) -> list[str]:
    """The fenced blocks of one language."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["tutorials/agent", "tutorials/analyst", "tutorials/operator"])
def test_the_commands_of_a_page_run(
    page: str, real_env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = outputs(page, real_env | {"HOME": str(tmp_path)})
    assert len(printed) >= 3
    assert all(printed)
    if page == "tutorials/operator":
        assert "1 session" in printed[-1]
        assert "intact" in printed[-1]
    if page == "tutorials/agent":
        assert "pod 7" in printed[-1]


async def test_the_tool_calls_of_the_tutorial_for_agents_succeed(mind: Mind) -> None:
    tools = {operation.declaration.tool: operation for operation in mind.operations.values()}
    calls = [json.loads(block) for block in examples("tutorials/agent", "json")]
    results = [await tools[call["tool"]].call(call["arguments"]) for call in calls]
    assert calls[0]["tool"] == "legacymind_context"
    assert results[2].chain.step_index == 1
    assert any("cache is warm" in hit.text for hit in results[-1].hits)


async def test_the_graphql_of_the_tutorial_for_user_interfaces_runs(mind: Mind) -> None:
    schema = build_schema(mind)
    shown = [await schema.execute(block) for block in examples("tutorials/ui", "graphql")]
    assert [result.errors for result in shown] == [None] * 4
    _, sessions, session, search = [result.data or {} for result in shown]
    assert [edge["node"]["name"] for edge in sessions["sessions"]["edges"]] == ["deploys"]
    assert session["session"]["chain"]["verdict"] == "INTACT"
    assert search["search"]["hits"]


async def test_the_cypher_of_the_tutorial_for_analysts_runs(mind: Mind) -> None:
    blocks = examples("tutorials/analyst", "cypher")
    assert len(blocks) == 3
    for block in blocks:
        await raw(mind, cast("LiteralString", f"CYPHER 25\n{block}"))
