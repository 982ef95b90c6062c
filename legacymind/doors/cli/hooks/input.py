"""Reads the input of a coding agent's hook and makes thoughts from it.

Claude Code, Codex, Cursor, Gemini CLI and VS Code send one JSON object. Names differ: Cursor's events and
VS Code's members are in camelCase. docs/interfaces/agents.md lists the events and thoughts.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import PureWindowsPath
from typing import Any, Final, cast

from pydantic.alias_generators import to_snake

from legacymind.doors.cli.hooks import transcripts
from legacymind.model.base import PROMPT
from legacymind.text.excerpts import excerpt
from legacymind.text.secrets import without_secrets

LONGEST: Final = 4_000
"""Maximum characters of a member. Of a longer one, the beginning and the end are used, half of each."""

_COMMAND: Final = 500
_TASK: Final = 1_000
_RESULT: Final = 3_000
_PROMPT: Final = 2_000
"""Of a longer prompt, the beginning and the end are stored."""

_MEMBERS: Final = frozenset(
    {
        "session_id", "conversation_id", "turn_id", "hook_event_name", "cwd", "transcript_path", "prompt",
        "prompt_key", "prompt_response", "initial_prompt", "last_assistant_message", "tool_name",
        "tool_use_id", "error", "error_message",
    }
)  # fmt: skip


class Unknown(ValueError):
    """The input does not come from a known coding agent."""


@dataclass(frozen=True, slots=True)
class HookInput:
    """The known members of a client's input, in snake_case, without secrets and shortened.

    ``session`` is the session of LegacyMind, and ``project`` the name of the working folder.
    """

    members: dict[str, str]
    session: str
    project: str | None

    @property
    def topic(self) -> str | None:
        """The topic of the session: the first prompt if the client sends it, else the project."""
        prompt = self.members.get("initial_prompt") or self.members.get("prompt")
        words = prompt or (self.project or "").replace("-", " ").replace("_", " ")
        return excerpt(words.strip(), _COMMAND) or None

    def failure(self) -> dict[str, Any] | None:
        """The arguments of think for a tool call that failed; None if nothing is to be stored.

        Interrupted and denied calls do not count as failures. Failures of LegacyMind's own tools are left
        out, because storing one would fail again.
        """
        members = self.members
        error = (members.get("error") or members.get("error_message") or "").strip()
        tool = members.get("tool_name", "")
        if not error or "legacymind" in tool.lower() or members.get("refused"):
            return None
        tool, command = tool or "A tool", members.get("tool_input", "")
        content = f"{tool} failed: {excerpt(command, _COMMAND)}\n{error}"
        key = members.get("tool_use_id") or _hash(tool, command, error)
        return self._thought(content, f"failure:{key}") | {"hint": "stuck"}

    def asked(self) -> dict[str, Any] | None:
        """The arguments of think for the user's own words; None for what a client writes in their name."""
        words = transcripts.without_context(self.members.get("prompt", "")).strip()
        if not words or transcripts.is_clients(words):
            return None
        key = self.members.get("prompt_key") or _hash(words)
        thought = self._thought(_ends(words, _PROMPT), f"prompt:{key}")
        return thought | {"hint": "question", "thought_type": PROMPT, "injection_scale": 0}

    def ending(self, *, with_task: bool = True) -> dict[str, Any] | None:
        """The arguments of think for the end of a turn or session; None without an answer of the agent.

        The thought has the agent's last answer and the prompt before it. Reads the transcript.
        """
        members = self.members
        task, result = transcripts.last_turn(members.get("transcript_path"))
        answer = members.get("last_assistant_message") or members.get("prompt_response") or ""
        result = answer.strip() or result
        if not result:
            return None
        task = members.get("prompt") or task
        content = f"Task: {excerpt(task, _TASK)}\n" if task and with_task else ""
        content += f"Result: {excerpt(result, _RESULT)}"
        # A session that continues and ends again has another result, and gets another thought.
        return self._thought(content, f"end:{_hash(content)}") | {"hint": "conclude"}

    def mended(self) -> list[str]:
        """The keys of failures whose command succeeded later, in the last turn of the transcript."""
        calls = transcripts.mended(self.members.get("transcript_path"))
        return [f"{self.session}:failure:{call}" for call in calls]

    def _thought(self, content: str, key: str) -> dict[str, Any]:
        thought = {
            "content": without_secrets(content),
            "session_id": self.session,
            "idempotency_key": f"{self.session}:{key}",
        }
        return thought | ({"context_id": self.project} if self.project else {})


def read(text: str) -> HookInput:
    """The input of a hook. Raises Unknown."""
    try:
        given: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise Unknown("the input is not JSON") from None
    if not isinstance(given, dict):
        raise Unknown("the input is not a JSON object")
    told = {to_snake(name): value for name, value in cast("dict[str, Any]", given).items()}
    members = {name: _safe(value) for name in _MEMBERS if isinstance(value := told.get(name), str)}
    members["tool_input"] = _safe(_command(told.get("tool_input")))
    if (
        told.get("is_interrupt") is True
        or told.get("failure_type") == "permission_denied"
        or told.get("refused") == "true"
    ):
        members["refused"] = "true"
    session = members.get("session_id") or members.get("conversation_id")
    if not session:
        raise Unknown("the input has no session_id")
    return HookInput(members, f"agent-{session[:200]}", _project(told))


def passed_on(told: HookInput) -> str:
    """The used members of the input as JSON, for another process."""
    return json.dumps(told.members | {"cwd": told.members.get("cwd") or told.project or ""})


def _project(told: dict[str, Any]) -> str | None:
    roots = told.get("workspace_roots")
    first: Any = cast("list[Any]", roots)[0] if isinstance(roots, list) and roots else None
    folder = next((each for each in (told.get("cwd"), first) if isinstance(each, str) and each), "")
    return PureWindowsPath(folder).name[:200] or None  # splits at both separators


def _command(tool_input: object) -> str:
    """The command of a tool call, else all its arguments as JSON."""
    if isinstance(tool_input, str):
        return tool_input
    given = transcripts.members(tool_input)
    command = given.get("command")
    return command if isinstance(command, str) else json.dumps(given, ensure_ascii=False) if given else ""


def _safe(text: str) -> str:
    """A shortened text without secrets. They are removed before the last cut, which would split some."""
    return _ends(without_secrets(_ends(text, 8 * LONGEST)), LONGEST)


def _ends(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit // 2]}\n…\n{text[-limit // 2 :]}"


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()[:32]
