"""Where the clients of MCP keep their settings, and how LegacyMind's entry looks there."""

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, cast

import platformdirs
import tomlkit
import tomlkit.exceptions

from legacymind.settings import Settings, variable
from legacymind.text import jsonc

NAME: Final = "legacymind"


class Unreadable(ValueError):
    """The client's settings file cannot be parsed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client, its settings file, the place of MCP servers in it, and the entry for a command."""

    title: str
    file: Callable[[], Path]
    servers: Sequence[str]
    entry: Callable[[str, list[str]], dict[str, Any]]
    toml: bool = False
    note: str = ""
    """What the user must do after `install`."""

    def added(self, text: str, program: str, arguments: list[str]) -> str:
        """The settings with LegacyMind's entry; everything else stays. Raises Unreadable."""
        return self._changed(text, self.entry(program, arguments))

    def removed(self, text: str) -> str:
        """The settings without LegacyMind's entry. Raises Unreadable."""
        return self._changed(text, None)

    def _changed(self, text: str, entry: dict[str, Any] | None) -> str:
        path = (*self.servers, NAME)
        try:
            if self.toml:
                return _toml(text, self.servers[0], entry)
            return jsonc.delete_member(text, path) if entry is None else jsonc.set_member(text, path, entry)
        except (jsonc.NotJson, tomlkit.exceptions.TOMLKitError) as reason:
            raise Unreadable(str(reason)) from None


def _toml(text: str, servers: str, entry: dict[str, Any] | None) -> str:
    settings = cast("dict[str, Any]", tomlkit.parse(text))  # tomlkit's own types are partly unknown
    known: Any = settings.get(servers)
    if entry is None:
        if known is None or NAME not in known:
            return text
        del known[NAME]
        if not known:
            del settings[servers]
        return _dumped(settings)
    if known is None:
        known = settings[servers] = tomlkit.table(is_super_table=True)
    if known.get(NAME) == entry:
        return text
    known[NAME] = entry
    return _dumped(settings)


def _dumped(settings: dict[str, Any]) -> str:
    return tomlkit.dumps(settings)  # pyright: ignore[reportUnknownMemberType]


def _plain(program: str, arguments: list[str]) -> dict[str, Any]:
    return {"command": program, "args": arguments}


def _stdio(program: str, arguments: list[str]) -> dict[str, Any]:
    return {"type": "stdio", **_plain(program, arguments)}


def _codex(program: str, arguments: list[str]) -> dict[str, Any]:
    # Codex starts MCP servers without the user's variables, except those that the entry names.
    named = [
        variable(setting)
        for setting in fields(Settings)
        if setting.metadata["section"] == "system" or setting.metadata["secret"]
    ]
    return _plain(program, arguments) | {"env_vars": ["LEGACYMIND_CONFIG", *named, "OPENAI_BASE_URL"]}


def _gemini(program: str, arguments: list[str]) -> dict[str, Any]:
    # Gemini CLI withholds variables with such names, except those in the entry, which takes their values when
    # it starts the server. One that is not set becomes blank, which counts as unset.
    withheld = [
        variable(setting) for setting in fields(Settings) if re.search("KEY|PASSWORD", variable(setting))
    ]
    return _plain(program, arguments) | {"env": {name: f"${name}" for name in withheld}}


def _zed() -> Path:
    if sys.platform == "win32":
        return platformdirs.user_config_path("Zed", appauthor=False, roaming=True) / "settings.json"
    return Path.home() / ".config" / "zed" / "settings.json"


def _vscode() -> Path:
    return platformdirs.user_config_path("Code", appauthor=False, roaming=True) / "User" / "mcp.json"


CLIENTS: Final = {
    "claude-code": Client(
        title="Claude Code",
        file=lambda: Path.home() / ".claude.json",
        servers=("mcpServers",),
        entry=_stdio,
    ),
    "cursor": Client(
        title="Cursor",
        file=lambda: Path.home() / ".cursor" / "mcp.json",
        servers=("mcpServers",),
        entry=_plain,
    ),
    "codex": Client(
        title="Codex",
        file=lambda: Path.home() / ".codex" / "config.toml",
        servers=("mcp_servers",),
        entry=_codex,
        toml=True,
        note="Codex runs the hooks after you have trusted them: /hooks.",
    ),
    "vscode": Client(title="VS Code", file=_vscode, servers=("servers",), entry=_stdio),
    "zed": Client(title="Zed", file=_zed, servers=("context_servers",), entry=_plain),
    "gemini": Client(
        title="Gemini CLI",
        file=lambda: Path.home() / ".gemini" / "settings.json",
        servers=("mcpServers",),
        entry=_gemini,
        note="Gemini CLI starts neither the server nor the hooks in a folder that it does not trust.",
    ),
}
"""By the names that `legacymind install` takes."""
