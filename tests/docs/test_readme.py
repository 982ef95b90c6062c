"""The commands and examples of the README and of the tour run, and generated tables are current."""

import json
import re
import shlex
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from legacymind.doors.graphql.schema import build_schema
from legacymind.mind import Mind
from scripts.update_docs import README, pages
from tests.docs.pages import section
from tests.doors.cli.commands import here

ROOT = README.parent
TEXT = README.read_text(encoding="utf-8")
TOUR = (ROOT / "docs" / "begin/tour.md").read_text(encoding="utf-8")


def blocks(language: str, page: str = TOUR) -> list[str]:
    """The fenced blocks of one language, without the two set-up commands that .ci/run runs."""
    found = re.finditer(rf"(<!-- command: \w+ -->\n)?```{language}\n(.*?)```", page, re.DOTALL)
    return [match[2] for match in found if match[1] is None]


def shell(command: str, real_env: dict[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # the README's own command
        ["bash", "-euc", command],
        env=real_env,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_two_commands_have_the_marks_that_ci_reads() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for name in ("demo", "test"):
        assert f"<!-- command: {name} -->" in TEXT
        assert f"command_of {name}" in ci


def output_of(command: str, env: dict[str, str], cwd: Path) -> str:
    """The output of a line of a page, run by a shell if it needs one, else faster in this process."""
    words = shlex.split(command)
    if words[:2] == ["legacymind", "up"] or words[0] != "legacymind" or {">", ">>"} & {*words}:
        done = shell(command, env, cwd)
    else:
        done = here(env, *words[1:])
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_the_readme_is_one_screen() -> None:
    assert len(TEXT.encode()) <= 9_216


@pytest.mark.docs
@pytest.mark.limit(600)
def test_every_shell_command_of_the_tour_runs(
    real_env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    own = real_env | {"LEGACYMIND_NAMESPACE": f"readme-{uuid.uuid4()}"}
    outputs = {line: output_of(line, own, ROOT) for line in "".join(blocks("sh")).splitlines()}
    for looked_up in (" search ", "--method vector", " context "):
        (found, *_) = [output for line, output in outputs.items() if looked_up in line]
        assert "warm the cache before the health check" in found
    (verified,) = [output for line, output in outputs.items() if " verify deploys" in line]
    assert "Chain intact: 1 thought verified" in verified
    (thought,) = [output for line, output in outputs.items() if "--json" in line and " think " in line]
    recalled = [memory["text"] for memory in json.loads(thought)["memories"]]
    assert any("while the cache was still cold" in text for text in recalled)
    (proven,) = [output for line, output in outputs.items() if "--against" in line]
    assert "2 sessions, 9 thoughts: 2 intact, 0 not." in proven
    (verified,) = [output for line, output in outputs.items() if "--hypothesis" in line]
    assert "Hypothesis 1.00, by wording only: 1 for, 0 against" in verified
    (reasoned,) = [output for line, output in outputs.items() if " reasoning " in line]
    assert "Warm the cache in the init container." in reasoned
    (status,) = [output for line, output in outputs.items() if "status" in line]
    facts = json.loads(status)
    assert facts["running"] is True
    assert facts["embedding"]["model"] == "all-MiniLM-L6-v2"


@pytest.mark.docs
def test_the_python_example_runs(real_env: dict[str, str]) -> None:
    (example,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", example],
        env=real_env | {"LEGACYMIND_NAMESPACE": f"readme-{uuid.uuid4()}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "No related memories" in done.stdout or "Recalled" in done.stdout
    assert "Chain intact: 1 thought verified" in done.stdout


@pytest.mark.anyio
async def test_the_graphql_example_runs(mind: Mind) -> None:
    (example,) = blocks("graphql")
    result = await build_schema(mind).execute(example)
    assert result.errors is None
    assert result.data is not None
    assert result.data["think"]["chain"]["stepIndex"] == 0


@pytest.mark.docs
def test_the_mcp_example_names_an_existing_command(real_env: dict[str, str]) -> None:
    example = json.loads(blocks("json", TEXT)[0])
    server = example["mcpServers"]["legacymind"]
    done = shell(f"{server['command']} {' '.join(server['args'])} --help", real_env, ROOT)
    assert done.returncode == 0, done.stderr


def test_the_table_of_settings_is_that_of_the_code() -> None:
    for page, text in pages().items():
        assert page.read_text(encoding="utf-8") == text, "run scripts/update_docs.py"


def test_links_have_targets() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target


@pytest.mark.docs
def test_the_example_of_the_import_format_page_can_be_imported(
    real_env: dict[str, str], tmp_path: Path
) -> None:
    (example,) = re.findall(r"```json\n(.*?)```", section("importing", "The format"), re.DOTALL)
    file = tmp_path / "example.jsonl"
    own = uuid.uuid4()  # the engine of the tests may have the page's ids from an earlier run
    file.write_text(example.replace("pump-001", f"pump-{own}"), encoding="utf-8")
    done = shell(f"legacymind import {file} --namespace format-{own}", real_env, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 entities, 1 observation, 1 relation, 1 thought." in done.stdout
