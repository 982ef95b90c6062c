"""The entry for the MCP registry meets its rules and starts `legacymind mcp`."""

import json
import tomllib
from importlib import metadata
from typing import Any, Final

import jsonschema
import pytest

from legacymind.doors.cli.commands.serve import mcp
from scripts.make_server_json import PLACEHOLDERS, ROOT, server, with_name, with_urls

NAME: Final = "io.github.someone/legacymind"
REPOSITORY: Final = "https://github.com/someone/legacymind"
TEXT: Final = {"type": "string", "minLength": 1}


def members(required: str, **others: Any) -> dict[str, Any]:
    """The schema of an object with text members, which are required, and others; it has no more."""
    named = dict.fromkeys(required.split(), TEXT) | others
    return {"type": "object", "properties": named, "required": [*named], "additionalProperties": False}


RULES: Final = members(
    "$schema version",
    name={"pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "maxLength": 200},
    title=TEXT | {"maxLength": 100},
    description=TEXT | {"maxLength": 100},
    packages={
        "type": "array",
        "items": members(
            "identifier version runtimeHint",
            registryType={"const": "pypi"},
            packageArguments={"items": members("value", type={"const": "positional"})},
            transport={"const": {"type": "stdio"}},
            environmentVariables={
                "items": {
                    "properties": {"name": TEXT, "description": TEXT, "isSecret": {"const": True}},
                    "required": ["name", "description"],
                    "additionalProperties": False,
                }
            },
        ),
    },
)
"""The parts of the registry's schema of 2025-12-11 that the entry uses."""

RULES["properties"] |= {
    "repository": members("url", source={"enum": ["github", "gitlab"]}),
    "websiteUrl": {"pattern": "^https://"},
}


@pytest.mark.parametrize("placed", [(NAME, REPOSITORY), PLACEHOLDERS])
def test_the_entry_meets_the_rules_and_names_this_version(placed: tuple[str, str]) -> None:
    entry = server(*placed)
    jsonschema.validate(entry, RULES)
    (package,) = entry["packages"]
    assert entry["version"] == package["version"] == metadata.version(package["identifier"])
    assert [each["value"] for each in package["packageArguments"]] == [mcp.name]
    variables = {each["name"]: each.get("isSecret", False) for each in package["environmentVariables"]}
    assert variables["NEO4J_URI"] is False
    secrets = {name for name, is_secret in variables.items() if is_secret}
    assert secrets >= {"NEO4J_PASSWORD", "OPENAI_API_KEY", "LEGACYMIND_CHAIN_KEY"}


@pytest.mark.parametrize(
    ("name", "repository"),
    [("legacymind", REPOSITORY), (NAME, "https://example.org/x"), (NAME, "http://github.com/someone/x")],
)
def test_what_the_registry_would_refuse_is_an_error(name: str, repository: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        server(name, repository)


def test_the_committed_entry_the_links_and_the_readme_agree() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    entry = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    repository = tomllib.loads(pyproject)["project"]["urls"]["Repository"]
    assert entry == server(entry["name"], repository)  # else run scripts.make_server_json
    assert pyproject == with_urls(pyproject, repository)
    assert readme == with_name(readme, entry["name"])


def test_the_readme_has_the_name_once() -> None:
    once = with_name("# LegacyMind\n\nA memory.\n", "io.github.other/legacymind")
    assert once.endswith("\n<!-- mcp-name: io.github.other/legacymind -->\n")
    renamed = with_name(once, NAME)
    assert renamed == with_name(renamed, NAME)
    assert renamed == f"# LegacyMind\n\nA memory.\n\n<!-- mcp-name: {NAME} -->\n"


def test_the_project_has_its_links_once_and_nothing_else_changes() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    linked = with_urls(with_urls(text, "https://github.com/other/legacymind"), REPOSITORY)
    assert linked == with_urls(linked, REPOSITORY)
    before, after = tomllib.loads(text), tomllib.loads(linked)
    former, urls = before["project"].pop("urls"), after["project"].pop("urls")
    assert after == before
    assert urls.keys() == former.keys()
    assert urls["Repository"] == REPOSITORY
    assert all(url.startswith(REPOSITORY) for url in urls.values())
    kept = [line for line in text.splitlines() if "legacymind.example" not in line]
    assert [line for line in linked.splitlines() if line in kept] == kept
