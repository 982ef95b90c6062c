"""The files for contributors and releases agree with the code: Makefile, workflows, hooks, citation."""

import json
import re
import shutil
import subprocess
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^(\w+):  ## ", MAKEFILE, re.MULTILINE))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def loaded(file: Path) -> dict[Any, Any]:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def commands() -> list[str]:
    """The shell commands of all workflows."""
    steps = [step for file in WORKFLOWS for job in loaded(file)["jobs"].values() for step in job["steps"]]
    return [step["run"] for step in steps if "run" in step]


def test_every_target_says_what_it_does_and_is_phony() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert set(phony.split()) == TARGETS


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize("target", sorted(TARGETS))
def test_a_target_can_be_made(target: str) -> None:
    done = subprocess.run(
        ["make", "-n", target], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def test_what_runs_modules_names_modules_that_exist() -> None:
    hooks = loaded(ROOT / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    texts = [MAKEFILE, *commands(), *(hook["entry"] for hook in hooks)]
    modules = {name for text in texts for name in re.findall(r"python -m ([\w.]+)", text)}
    assert modules > {"scripts.compose_cypher", "legacymind.doors.export", "bench.jobs"}
    for name in modules - {"pip", "venv", "build"}:
        assert find_spec(name) is not None, name


def test_workflows_use_targets_that_exist_and_ask_for_no_more_than_reading() -> None:
    for command in commands():
        if command.startswith("make "):
            assert set(command.split()[1:]) <= TARGETS, command
    for file in WORKFLOWS:
        assert loaded(file)["permissions"].get("contents") == "read", file.name


def test_the_pythons_of_the_workflow_begin_with_the_oldest_that_is_supported() -> None:
    matrix = loaded(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert f">={matrix['python'][0]}" == PROJECT["requires-python"]
    assert {"macos-latest", "windows-latest"} <= {each["os"] for each in matrix["include"]}


def test_the_lock_has_a_fitting_version_of_everything_that_tests_install() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pinned = {line.partition("==")[0]: line.partition("==")[2].partition(" ")[0] for line in lines}
    optional = PROJECT["optional-dependencies"]
    tested = next(Requirement(each).extras for each in optional["test"] if each.startswith("legacymind["))
    extras = [each for extra in ("test", *tested) for each in optional[extra]]
    for each in map(Requirement, [*PROJECT["dependencies"], *extras]):
        if each.name != "legacymind":
            assert each.specifier.contains(pinned[each.name.lower()], prereleases=True), each


def test_the_entry_for_the_registry_has_the_version_the_name_and_settings_that_exist() -> None:
    entry = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    (package,) = entry["packages"]
    assert entry["version"] == package["version"] == PROJECT["version"]
    assert package["identifier"] == PROJECT["name"]
    variables = {each["name"]: each.get("isSecret", False) for each in package["environmentVariables"]}
    settings = (ROOT / "docs" / "operation/settings.md").read_text(encoding="utf-8")
    assert [name for name in variables if f"`{name}`" not in settings] == []
    assert {name for name in variables if name.endswith(("KEY", "KEYS", "PASSWORD"))} == {
        name for name, is_secret in variables.items() if is_secret
    }
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"<!-- mcp-name: {entry['name']} -->" in readme


def test_the_citation_and_the_changelog_have_the_version() -> None:
    assert loaded(ROOT / "CITATION.cff")["version"] == PROJECT["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{PROJECT['version']}]" in changes


@pytest.mark.parametrize("name", ["fault", "idea"])
def test_an_issue_form_has_what_github_requires(name: str) -> None:
    form = loaded(ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml")
    assert {"name", "description", "body"} <= form.keys()
    ids = [field["id"] for field in form["body"]]
    assert len(ids) == len(set(ids))
    assert any(field.get("validations", {}).get("required") for field in form["body"])
