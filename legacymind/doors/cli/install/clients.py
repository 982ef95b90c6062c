"""The clients of MCP: how each adds a server, and the entry, the hooks and the skill that it gets.

The clients' documentation of November 2026: docs/interfaces/agents.md says what each client can do.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import platformdirs

from legacymind.settings import TABLE

NAME: Final = "legacymind"

_OURS: Final = re.compile(
    r"legacymind\S*[\"']? hook (?:session-start|prompt|session-end|failure)(?: --namespace .+)?$"
)

_SECONDS: Final = 15
"""The clients' time limit for a hook; `legacymind hook` ends before."""

_PROMPT: Final = "prompt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """A client's file of hooks, which is plain JSON.

    ``events`` has the event of `legacymind hook` by the client's event. ``entry`` makes an item of an event's
    list from the event and a command. ``base`` is what the file needs beside its hooks.
    """

    file: Callable[[], Path]
    events: Mapping[str, str]
    entry: Callable[[str, str], dict[str, Any]]
    base: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def added(self, held: dict[str, Any], program: Sequence[str], namespace: str | None) -> dict[str, Any]:
        """The content of the file with the hooks, which run ``program`` and its first arguments."""
        options = [] if namespace is None else ["--namespace", namespace]
        content = {**self.base, **self.removed(held)}
        lists = {event: [*items] for event, items in content.get("hooks", {}).items()}
        for event, ours in self.events.items():
            command = _quoted([*program, "hook", ours, *options])
            lists.setdefault(event, []).append(self.entry(event, command))
        return {**content, "hooks": lists}

    def removed(self, held: dict[str, Any]) -> dict[str, Any]:
        """The content of the file without our hooks, and without lists that were only for them."""
        lists: dict[str, list[Any]] = held.get("hooks", {})
        kept = {event: [item for item in items if not _is_ours(item)] for event, items in lists.items()}
        kept = {event: items for event, items in kept.items() if items or not lists[event]}
        others = {name: value for name, value in held.items() if name != "hooks"}
        return others | ({"hooks": kept} if kept or (lists == kept and "hooks" in held) else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client: its settings file, the place of MCP servers in it, and the entry for a command.

    ``add`` and ``remove`` are the client's own commands, from the entry; without them, or if the client's
    program is not found, the user pastes the entry into ``file``. ``skills`` is the folder of a user's
    skills. ``note`` is what the user must do after `install`.
    """

    title: str
    file: Callable[[], Path]
    servers: str
    entry: Callable[[str, list[str]], dict[str, Any]]
    skills: Callable[[], Path]
    add: Callable[[dict[str, Any]], list[str]] | None = None
    remove: Sequence[str] = ()
    hooks: Hooks | None = None
    toml: bool = False
    note: str = ""

    def held(self) -> dict[str, Any] | None:
        """The entry of our name in the settings; None without one. It is empty if it cannot be parsed."""
        file = self.file()
        text = file.read_text(encoding="utf-8-sig", errors="replace") if file.exists() else ""
        try:
            settings: Any = tomllib.loads(text) if self.toml else json.loads(text or "{}")
            found: Any = settings.get(self.servers, {}).get(NAME)
        except (ValueError, AttributeError):
            found = {} if re.search(rf'"{NAME}"\s*:|\[{self.servers}\.{NAME}\]', text) else None
        return cast("dict[str, Any]", found) if isinstance(found, dict) else None

    def runs_us(self, entry: Mapping[str, Any]) -> bool:
        """Whether an entry runs this program, in any of the ways in which it can be started."""
        arguments: Any = entry.get("args")
        by_name = Path(str(entry.get("command"))).stem == NAME
        return by_name or (isinstance(arguments, list) and NAME in cast("list[Any]", arguments))

    def pasted(self, entry: dict[str, Any]) -> str:
        """The entry as it stands in the file."""
        if not self.toml:
            return json.dumps({self.servers: {NAME: entry}}, indent=2)
        lines = [f"{name} = {json.dumps(value)}" for name, value in entry.items()]
        return "\n".join([f"[{self.servers}.{NAME}]", *lines])


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
    if sys.platform != "win32":
        return shlex.join(program)
    path = program[0].replace("\\", "/")  # the shell may be Git Bash
    return f'"{path}" {subprocess.list2cmdline(program[1:])}'


def _plain(program: str, arguments: list[str]) -> dict[str, Any]:
    return {"command": program, "args": arguments}


def _stdio(program: str, arguments: list[str]) -> dict[str, Any]:
    return {"type": "stdio", **_plain(program, arguments)}


def _claude(program: str, arguments: list[str]) -> dict[str, Any]:
    # Otherwise Claude Code defers the tools of servers, and the model must search for them first.
    return _stdio(program, arguments) | {"alwaysLoad": True}


def _codex(program: str, arguments: list[str]) -> dict[str, Any]:
    # Codex starts MCP servers without the user's variables, except those that the entry names.
    named = [entry.variable for entry in TABLE.values() if entry.section == "system" or entry.secret]
    return _plain(program, arguments) | {"env_vars": ["LEGACYMIND_CONFIG", *named, "OPENAI_BASE_URL"]}


def _gemini(program: str, arguments: list[str]) -> dict[str, Any]:
    # Gemini CLI withholds variables with such names, except those in the entry, which takes their values when
    # it starts the server. One that is not set becomes blank, which counts as unset.
    withheld = [entry.variable for entry in TABLE.values() if re.search("KEY|PASSWORD", entry.variable)]
    return _plain(program, arguments) | {"env": {name: f"${name}" for name in withheld}}


def _hook(event: str, command: str) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": _SECONDS}


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
    return {"hooks": [timed]}


def _add_to_claude(entry: dict[str, Any]) -> list[str]:
    return ["claude", "mcp", "add-json", "--scope", "user", NAME, json.dumps(entry)]


def _add_to_codex(entry: dict[str, Any]) -> list[str]:
    return ["codex", "mcp", "add", NAME, "--", entry["command"], *entry["args"]]


def _add_to_gemini(entry: dict[str, Any]) -> list[str]:
    named = [f"--env={name}={value}" for name, value in entry["env"].items()]
    return ["gemini", "mcp", "add", "--scope", "user", *named, NAME, entry["command"], "--", *entry["args"]]


def _add_to_vscode(entry: dict[str, Any]) -> list[str]:
    return ["code", "--add-mcp", json.dumps({"name": NAME, **entry})]


def _home(*parts: str) -> Callable[[], Path]:
    return lambda: Path.home().joinpath(*parts)


def _named(variable: str, usual: str, *parts: str) -> Callable[[], Path]:
    """A path in the folder that a variable of the client names, or else in a folder of the home."""
    return lambda: Path(os.environ.get(variable) or Path.home() / usual).joinpath(*parts)


def _zed() -> Path:
    if sys.platform == "win32":
        return platformdirs.user_config_path("Zed", appauthor=False, roaming=True) / "settings.json"
    return _named("XDG_CONFIG_HOME", ".config", "zed", "settings.json")()


def _vscode() -> Path:
    return platformdirs.user_config_path("Code", appauthor=False, roaming=True) / "User" / "mcp.json"


CLIENTS: Final = {
    "claude-code": Client(
        title="Claude Code",
        file=_named("CLAUDE_CONFIG_DIR", "", ".claude.json"),
        servers="mcpServers",
        entry=_claude,
        add=_add_to_claude,
        remove=("claude", "mcp", "remove", "--scope", "user", NAME),
        skills=_named("CLAUDE_CONFIG_DIR", ".claude", "skills"),
        hooks=Hooks(
            file=_named("CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
            events={
                "SessionStart": "session-start",
                "UserPromptSubmit": _PROMPT,
                "Stop": "session-end",
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
        servers="mcpServers",
        entry=_plain,
        skills=_home(".cursor", "skills"),
        hooks=Hooks(
            file=_home(".cursor", "hooks.json"),
            events={
                "sessionStart": "session-start",
                "beforeSubmitPrompt": _PROMPT,
                "stop": "session-end",
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
        file=_named("CODEX_HOME", ".codex", "config.toml"),
        servers="mcp_servers",
        entry=_codex,
        add=_add_to_codex,
        remove=("codex", "mcp", "remove", NAME),
        skills=_home(".agents", "skills"),
        # Codex reports no exit code to hooks, so that they know no failure.
        hooks=Hooks(
            file=_named("CODEX_HOME", ".codex", "hooks.json"),
            events={
                "SessionStart": "session-start",
                "UserPromptSubmit": _PROMPT,
                "Stop": "session-end",
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
        servers="servers",
        entry=_stdio,
        add=_add_to_vscode,
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
        servers="context_servers",
        entry=_plain,
        skills=_home(".agents", "skills"),
    ),
    "gemini": Client(
        title="Gemini CLI",
        file=_named("GEMINI_CLI_HOME", "", ".gemini", "settings.json"),
        servers="mcpServers",
        entry=_gemini,
        add=_add_to_gemini,
        remove=("gemini", "mcp", "remove", "--scope", "user", NAME),
        skills=_named("GEMINI_CLI_HOME", "", ".gemini", "skills"),
        # Gemini CLI tells hooks the output of a command, whose exit code is a line of it.
        hooks=Hooks(
            file=_named("GEMINI_CLI_HOME", "", ".gemini", "settings.json"),
            events={
                "SessionStart": "session-start",
                "BeforeAgent": _PROMPT,
                "AfterAgent": "session-end",
                "PreCompress": "session-end",
                "SessionEnd": "session-end",
            },
            entry=_gemini_hooks,
        ),
        note="Gemini CLI starts neither the server nor the hooks in a folder that it does not trust.",
    ),
}
"""By the names that `legacymind install` takes."""
