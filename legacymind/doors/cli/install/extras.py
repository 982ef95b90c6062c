"""What `install` adds to a client besides the MCP server: hooks and a skill, where the client has them.

The clients' documentation of November 2026: docs/agents.md says what each client can do.
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from legacymind.text import jsonc

_OURS: Final = re.compile(r"legacymind\S*[\"']? hook (?:session-start|session-end|failure)$")
_SECONDS: Final = 15
"""The clients' time limit for a hook; `legacymind hook` ends before."""


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

    def added(self, text: str, program: Sequence[str]) -> str:
        """The file with the hooks, which run ``program`` and its first arguments. Raises NotJson."""
        for name, value in self.base.items():
            if name not in (jsonc.read(text) if text.strip() else {}):
                text = jsonc.set_member(text, (name,), value)
        for event, ours in self.events.items():
            entry = self.entry(event, f"{_quoted(program)} hook {ours}")
            text = jsonc.set_item(text, ("hooks", event), entry, _is_ours)
        return text

    def removed(self, text: str) -> str | None:
        """The file without the hooks; None if nothing else is in it. Raises NotJson."""
        shorter = text
        for event in self.events:
            shorter = jsonc.delete_items(shorter, ("hooks", event), _is_ours)
        left = jsonc.read(shorter) if shorter != text else text
        return None if left in ({}, dict(self.base)) else shorter


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


def _flat(event: str, command: str) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": _SECONDS}


def _group(event: str, command: str) -> dict[str, Any]:
    return {"hooks": [_flat(event, command)]}


def _claude(event: str, command: str) -> dict[str, Any]:
    # Failures of shells only: those of other tools are slips, such as an edit of a file that was not read.
    shells = {"matcher": "Bash|PowerShell"} if event == "PostToolUseFailure" else {}
    return shells | _group(event, command)


def _cursor(event: str, command: str) -> dict[str, Any]:
    return {"command": command} | ({"matcher": "Shell"} if event == "postToolUseFailure" else {})


def _gemini(event: str, command: str) -> dict[str, Any]:
    timed = {"name": "legacymind", "type": "command", "command": command, "timeout": _SECONDS * 1000}
    # The event comes after every tool; the hook stores only commands that failed.
    shell = {"matcher": "run_shell_command"} if event == "AfterTool" else {}
    return shell | {"hooks": [timed]}


def _home(*parts: str) -> Callable[[], Path]:
    return lambda: Path.home().joinpath(*parts)


HOOKS: Final = {
    "claude-code": Hooks(
        file=_home(".claude", "settings.json"),
        events={
            "SessionStart": "session-start",
            "SessionEnd": "session-end",
            "PostToolUseFailure": "failure",
        },
        entry=_claude,
    ),
    "cursor": Hooks(
        file=_home(".cursor", "hooks.json"),
        events={
            "sessionStart": "session-start",
            "sessionEnd": "session-end",
            "postToolUseFailure": "failure",
        },
        entry=_cursor,
        base={"version": 1},
    ),
    # Codex reports no exit code to hooks; session-end reads it in the transcript.
    "codex": Hooks(
        file=_home(".codex", "hooks.json"),
        events={"SessionStart": "session-start", "SessionEnd": "session-end"},
        entry=_group,
    ),
    # VS Code has neither an event for the end of a session nor one for failures.
    "vscode": Hooks(
        file=_home(".copilot", "hooks", "legacymind.json"),
        events={"SessionStart": "session-start", "Stop": "session-end"},
        entry=_flat,
        base={"version": 1},
    ),
    "gemini": Hooks(
        file=_home(".gemini", "settings.json"),
        events={"SessionStart": "session-start", "SessionEnd": "session-end", "AfterTool": "failure"},
        entry=_gemini,
    ),
}
"""By client. Zed has no hooks."""

SKILLS: Final = {
    "claude-code": _home(".claude", "skills"),
    "cursor": _home(".cursor", "skills"),
    "codex": _home(".agents", "skills"),
    "vscode": _home(".copilot", "skills"),
    "zed": _home(".agents", "skills"),
    "gemini": _home(".gemini", "skills"),
}
"""The folder of a user's skills, by client."""
