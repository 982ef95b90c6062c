"""The clients of MCP: where each keeps its settings, and the entry, the hooks and the skill that it gets.

The clients' documentation of November 2026: docs/agents.md says what each client can do.
"""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, cast

import platformdirs
import tomlkit
import tomlkit.exceptions

from legacymind.doors.cli.install import jsonc
from legacymind.settings import Settings, variable

NAME: Final = "legacymind"

_OURS: Final = re.compile(
    r"legacymind\S*[\"']? hook (?:session-start|prompt|session-end|failure)(?: --namespace .+)?$"
)
_KEPT: Final = ("env", "env_vars")
"""The members of an entry to which ours are added. They may have secrets, so they are not shown."""

_SECONDS: Final = 15
"""The clients' time limit for a hook; `legacymind hook` ends before."""

_PROMPT: Final = "prompt"
_PROMPT_SECONDS: Final = 2


class Unreadable(ValueError):
    """The client's settings file cannot be parsed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """A client's file of hooks.

    ``events`` has the event of `legacymind hook` by the client's event. ``entry`` makes an item of an event's
    list from the event and a command. ``base`` is what the file needs beside its hooks.
    """

    file: Callable[[], Path]
    events: Mapping[str, str]
    entry: Callable[[str, str], dict[str, Any]]
    base: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def added(self, text: str, program: Sequence[str], namespace: str | None = None) -> str:
        """The file with the hooks, which run ``program`` and its first arguments. Raises NotJson."""
        options = [] if namespace is None else ["--namespace", namespace]
        for name, value in self.base.items():
            if name not in (jsonc.read(text) if text.strip() else {}):
                text = jsonc.set_member(text, (name,), value)
        for event, ours in self.events.items():
            entry = self.entry(event, _quoted([*program, "hook", ours, *options]))
            text = jsonc.set_item(text, ("hooks", event), entry, _is_ours)
        return text

    def removed(self, text: str) -> str | None:
        """The file without the hooks; None if nothing else is in it. Raises NotJson."""
        shorter = text
        for event in self.events:
            shorter = jsonc.delete_items(shorter, ("hooks", event), _is_ours)
        left = jsonc.read(shorter) if shorter != text else text
        return None if left in ({}, dict(self.base)) else shorter


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client: its settings file, the place of MCP servers in it, and the entry for a command.

    ``skills`` is the folder of a user's skills. ``note`` is what the user must do after `install`.
    """

    title: str
    file: Callable[[], Path]
    servers: Sequence[str]
    entry: Callable[[str, list[str]], dict[str, Any]]
    skills: Callable[[], Path]
    hooks: Hooks | None = None
    toml: bool = False
    note: str = ""

    def added(self, text: str, program: str, arguments: list[str]) -> str:
        """The settings with LegacyMind's entry; everything else stays. Raises Unreadable.

        Of an entry that is there, the environment and other members stay. One that runs something else is the
        user's own, and stays as it is.
        """
        held = self.held(text)
        if held is not None and not _runs_us(held):
            return text
        return self._changed(text, self._merged(held or {}, program, arguments), held)

    def removed(self, text: str) -> str:
        """The settings without LegacyMind's entry. Raises Unreadable."""
        held = self.held(text)
        return text if held is None or not _runs_us(held) else self._changed(text, None, held)

    def held(self, text: str) -> dict[str, Any] | None:
        """The entry with the name of LegacyMind in the settings; None if there is none. Raises Unreadable."""
        path = (*self.servers, NAME)
        try:
            value: Any = tomlkit.parse(text).unwrap() if self.toml else jsonc.member(text, path)
        except (jsonc.NotJson, tomlkit.exceptions.TOMLKitError) as reason:
            raise Unreadable(str(reason)) from None
        for name in path if self.toml else ():
            value = cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None
        return cast("dict[str, Any]", value) if isinstance(value, dict) else None

    def namespace(self, text: str) -> str | None:
        """The namespace in the arguments of the entry; None without one. Raises Unreadable."""
        arguments = cast("list[Any]", (self.held(text) or {}).get("args") or [])
        at = arguments.index("--namespace") + 1 if "--namespace" in arguments else len(arguments)
        return str(arguments[at]) if at < len(arguments) else None

    def told(self, text: str, program: str, arguments: list[str]) -> str:
        """What ``added`` replaces in an entry that is there, as a sentence; blank for nothing."""
        held = self.held(text)
        if held is None:
            return ""
        if not _runs_us(held):
            return f"The entry {NAME} is yours and was kept: it runs something else. Rename it to add ours."
        merged = self._merged(held, program, arguments)
        names = [name for name in held if name not in _KEPT and held[name] != merged[name]]
        changes = [f"{name} {json.dumps(held[name])}" for name in names]
        return f"Replaced in the entry {NAME}: {', '.join(changes)}." if changes else ""

    def _merged(self, held: dict[str, Any], program: str, arguments: list[str]) -> dict[str, Any]:
        entry = held | self.entry(program, arguments)
        for name in _KEPT:
            if name in held and isinstance(held[name], dict):
                entry[name] = entry[name] | held[name]
            elif name in held and isinstance(held[name], list):
                entry[name] = [*dict.fromkeys([*held[name], *entry[name]])]
        return entry

    def _changed(self, text: str, entry: dict[str, Any] | None, held: dict[str, Any] | None) -> str:
        path = (*self.servers, NAME)
        try:
            if self.toml:
                return _toml(text, self.servers[0], entry)
            if entry is None:
                return jsonc.delete_member(text, path)
            if held is None:
                return jsonc.set_member(text, path, entry)
            for name, value in entry.items():
                text = jsonc.set_member(text, (*path, name), value)
        except (jsonc.NotJson, tomlkit.exceptions.TOMLKitError) as reason:
            raise Unreadable(str(reason)) from None
        return text


def _runs_us(entry: Mapping[str, Any]) -> bool:
    """Whether an entry runs this program, in any of the ways in which it can be started."""
    arguments: Any = entry.get("args")
    by_name = Path(str(entry.get("command"))).stem == NAME
    return by_name or (isinstance(arguments, list) and NAME in cast("list[Any]", arguments))


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
    if NAME not in known:
        known[NAME] = entry
    for name, value in entry.items():
        if known[NAME].get(name) != value:
            known[NAME][name] = value
    return _dumped(settings)


def _dumped(settings: dict[str, Any]) -> str:
    return tomlkit.dumps(settings)  # pyright: ignore[reportUnknownMemberType]


def skill() -> str:
    """The text of the skill."""
    return Path(__file__).with_name("skill.md").read_text(encoding="utf-8")


def _is_ours(item: object) -> bool:
    """Whether an entry of a list of hooks, in any client's form, runs `legacymind hook` and nothing else."""
    if not isinstance(item, dict):
        return False
    entry = cast("dict[str, Any]", item)
    inner: Any = entry.get("hooks", [entry])
    if not isinstance(inner, list) or len(cast("list[Any]", inner)) != 1:
        return False
    (only,) = cast("list[Any]", inner)
    command: Any = cast("dict[str, Any]", only).get("command") if isinstance(only, dict) else None
    return isinstance(command, str) and _OURS.search(command) is not None


def _quoted(program: Sequence[str]) -> str:
    """A path and arguments for the client's shell."""
    return subprocess.list2cmdline(program) if sys.platform == "win32" else shlex.join(program)


def _plain(program: str, arguments: list[str]) -> dict[str, Any]:
    return {"command": program, "args": arguments}


def _stdio(program: str, arguments: list[str]) -> dict[str, Any]:
    return {"type": "stdio", **_plain(program, arguments)}


def _claude(program: str, arguments: list[str]) -> dict[str, Any]:
    # Otherwise Claude Code defers the tools of servers, and the model must search for them first.
    return _stdio(program, arguments) | {"alwaysLoad": True}


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


def _hook(event: str, command: str) -> dict[str, Any]:
    seconds = _PROMPT_SECONDS if command.endswith(f" {_PROMPT}") else _SECONDS
    return {"type": "command", "command": command, "timeout": seconds}


def _hooks(event: str, command: str) -> dict[str, Any]:
    return {"hooks": [_hook(event, command)]}


def _claude_hooks(event: str, command: str) -> dict[str, Any]:
    # Failures of shells only: those of other tools are slips, such as an edit of a file that was not read.
    shells = {"matcher": "Bash|PowerShell"} if event == "PostToolUseFailure" else {}
    return shells | _hooks(event, command)


def _cursor_hook(event: str, command: str) -> dict[str, Any]:
    return {"command": command} | ({"matcher": "Shell"} if event == "postToolUseFailure" else {})


def _gemini_hooks(event: str, command: str) -> dict[str, Any]:
    timed = _hook(event, command) | {"name": "legacymind"}
    timed["timeout"] *= 1000
    # The event comes after every tool; the hook stores only commands that failed.
    shell = {"matcher": "run_shell_command"} if event == "AfterTool" else {}
    return shell | {"hooks": [timed]}


def _home(*parts: str) -> Callable[[], Path]:
    return lambda: Path.home().joinpath(*parts)


def _zed() -> Path:
    if sys.platform == "win32":
        return platformdirs.user_config_path("Zed", appauthor=False, roaming=True) / "settings.json"
    return Path.home() / ".config" / "zed" / "settings.json"


def _vscode() -> Path:
    return platformdirs.user_config_path("Code", appauthor=False, roaming=True) / "User" / "mcp.json"


CLIENTS: Final = {
    "claude-code": Client(
        title="Claude Code",
        file=_home(".claude.json"),
        servers=("mcpServers",),
        entry=_claude,
        skills=_home(".claude", "skills"),
        hooks=Hooks(
            file=_home(".claude", "settings.json"),
            events={
                "SessionStart": "session-start",
                "UserPromptSubmit": _PROMPT,
                "PreCompact": "session-end",
                "SessionEnd": "session-end",
                "PostToolUseFailure": "failure",
            },
            entry=_claude_hooks,
        ),
    ),
    "cursor": Client(
        title="Cursor",
        file=_home(".cursor", "mcp.json"),
        servers=("mcpServers",),
        entry=_plain,
        skills=_home(".cursor", "skills"),
        hooks=Hooks(
            file=_home(".cursor", "hooks.json"),
            events={
                "sessionStart": "session-start",
                "preCompact": "session-end",
                "sessionEnd": "session-end",
                "postToolUseFailure": "failure",
            },
            entry=_cursor_hook,
            base={"version": 1},
        ),
    ),
    "codex": Client(
        title="Codex",
        file=_home(".codex", "config.toml"),
        servers=("mcp_servers",),
        entry=_codex,
        skills=_home(".agents", "skills"),
        # Codex reports no exit code to hooks; session-end reads it in the transcript.
        hooks=Hooks(
            file=_home(".codex", "hooks.json"),
            events={
                "SessionStart": "session-start",
                "UserPromptSubmit": _PROMPT,
                "PreCompact": "session-end",
                "SessionEnd": "session-end",
            },
            entry=_hooks,
        ),
        toml=True,
        note="Codex runs the hooks after you have trusted them: /hooks.",
    ),
    "vscode": Client(
        title="VS Code",
        file=_vscode,
        servers=("servers",),
        entry=_stdio,
        skills=_home(".copilot", "skills"),
        # VS Code has neither an event for the end of a session nor one for failures.
        hooks=Hooks(
            file=_home(".copilot", "hooks", "legacymind.json"),
            events={
                "SessionStart": "session-start",
                "UserPromptSubmit": _PROMPT,
                "PreCompact": "session-end",
                "Stop": "session-end",
            },
            entry=_hook,
            base={"version": 1},
        ),
    ),
    "zed": Client(  # it has no hooks
        title="Zed",
        file=_zed,
        servers=("context_servers",),
        entry=_plain,
        skills=_home(".agents", "skills"),
    ),
    "gemini": Client(
        title="Gemini CLI",
        file=_home(".gemini", "settings.json"),
        servers=("mcpServers",),
        entry=_gemini,
        skills=_home(".gemini", "skills"),
        hooks=Hooks(
            file=_home(".gemini", "settings.json"),
            events={
                "SessionStart": "session-start",
                "BeforeAgent": _PROMPT,
                "PreCompress": "session-end",
                "SessionEnd": "session-end",
                "AfterTool": "failure",
            },
            entry=_gemini_hooks,
        ),
        note="Gemini CLI starts neither the server nor the hooks in a folder that it does not trust.",
    ),
}
"""By the names that `legacymind install` takes."""
