"""Write what depends on the owner: server.json for the MCP registry, project.urls, and the name in README.md.

    python -m scripts.make_server_json io.github.OWNER/legacymind https://github.com/OWNER/legacymind

The registry compares the name with the README of the release on PyPI, so run it before a release. Without
arguments, it writes the placeholders of the time before the first one. They belong to nobody (RFC 2606), and
the registry refuses them.
"""

import argparse
import json
import re
import sys
import tomllib
from dataclasses import fields
from typing import Any, Final
from urllib.parse import urlsplit

import tomlkit

from legacymind.settings import Settings, variable
from scripts.update_docs import README

ROOT: Final = README.parent
_PROJECT: Final = ROOT / "pyproject.toml"
_NAME: Final = re.compile(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+")
_SOURCES: Final = {"github.com": "github", "gitlab.com": "gitlab"}
"""The hosts of repositories that the registry accepts."""

_PLACE: Final = "legacymind.example"
PLACEHOLDERS: Final = ("example.legacymind/legacymind", f"https://{_PLACE}/legacymind")
"""The name and the address of the repository before the first publication."""

_DESCRIPTION: Final = "Long-term memory for AI agents in a Neo4j graph: linked, explained and hash-chained."
"""At most 100 characters."""


def server(name: str, repository: str) -> dict[str, Any]:
    """The content of server.json. Raises ValueError for what the registry would refuse."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of the registry, such as io.github.OWNER/legacymind.")
    address = urlsplit(repository)
    if address.scheme != "https" or address.hostname not in {*_SOURCES, _PLACE}:
        raise ValueError(f"{repository!r} is no https address at {' or '.join(_SOURCES)}.")
    project = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": name,
        "title": "LegacyMind",
        "description": _DESCRIPTION,
        "version": project["version"],
        **_home(repository, address.hostname),
        "packages": [
            {
                "registryType": "pypi",
                "identifier": project["name"],
                "version": project["version"],
                "runtimeHint": "uvx",
                "packageArguments": [{"type": "positional", "value": "mcp"}],
                "transport": {"type": "stdio"},
                "environmentVariables": _variables(),
            }
        ],
    }


def _home(repository: str, host: str) -> dict[str, Any]:
    """Where the project is: a repository has one of few hosts, a page any."""
    if host == _PLACE:
        return {"websiteUrl": repository}
    return {"repository": {"url": repository, "source": _SOURCES[host]}}


def _variables() -> list[dict[str, Any]]:
    """The settings that a client asks for: where the memory is, and secrets.

    Defaults are left out: a client would send them, and they would override ``legacymind.toml``.
    """
    return [
        {"name": variable(setting), "description": setting.metadata["help"]}
        | ({"isSecret": True} if setting.metadata["secret"] else {})
        for setting in fields(Settings)
        if setting.metadata["section"] == "system" or setting.metadata["secret"]
    ]


def with_name(readme: str, name: str) -> str:
    """The text of the README with the name in a comment at its end, in place of an earlier one."""
    rest = re.sub(r"\n<!-- mcp-name: \S+ -->\n", "", readme)
    return f"{rest}\n<!-- mcp-name: {name} -->\n"


def with_urls(pyproject: str, repository: str) -> str:
    """The text of pyproject.toml with the links that PyPI shows, in place of earlier ones."""
    document = tomlkit.parse(pyproject)
    urls = {
        "Repository": repository,
        "Documentation": f"{repository}/tree/main/docs",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }
    table = tomlkit.item(urls)
    table.add(tomlkit.nl())
    document["project"]["urls"] = table  # pyright: ignore[reportIndexIssue]
    return tomlkit.dumps(document)


def main() -> None:
    """Write the three files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    name, repository = PLACEHOLDERS
    parser.add_argument("name", nargs="?", default=name)
    parser.add_argument("repository", nargs="?", default=repository)
    given = parser.parse_args()
    try:
        content = server(given.name, given.repository)
    except ValueError as refused:
        sys.exit(str(refused))
    (ROOT / "server.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    _PROJECT.write_text(with_urls(_PROJECT.read_text(encoding="utf-8"), given.repository), encoding="utf-8")
    README.write_text(with_name(README.read_text(encoding="utf-8"), given.name), encoding="utf-8")


if __name__ == "__main__":
    main()
