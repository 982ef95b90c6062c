"""What coding agents send to their hooks, and the thoughts that it becomes.

Claude Code, Codex, Cursor, Gemini CLI and VS Code send one JSON object. Names differ: Cursor's events and
VS Code's members are in camelCase. docs/agents.md lists the events and what is stored of them.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import Any, Final, cast

from pydantic.alias_generators import to_snake

from legacymind.text.excerpts import excerpt
from legacymind.text.secrets import without_secrets

LONGEST: Final = 4_000
"""The most characters of a member that are used: half of them at its beginning, half at its end."""

_COMMAND: Final = 500
_TASK: Final = 1_000
_RESULT: Final = 3_000
_HEAD: Final = 256 * 1024
"""Bytes read at the beginning of a transcript, for the task, and at its end, for the result."""

_MEMBERS: Final = frozenset(
    {
        "session_id", "conversation_id", "turn_id", "hook_event_name", "cwd", "transcript_path", "prompt",
        "initial_prompt", "last_assistant_message", "tool_name", "tool_use_id", "error", "error_message",
    }
)  # fmt: skip
_USERS: Final = ("user", "human")
_ASSISTANTS: Final = ("assistant", "gemini", "model", "agent")
_COMMANDS: Final = ("<command-", "<local-command-", "<bash-", "<system", "[Request interrupted", "Caveat:")
"""Beginnings of what a client writes in the user's name."""


class Unknown(ValueError):
    """The input is not one that a coding agent sends."""


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
        """What the session is about: the first prompt if the client sends it, else the project."""
        prompt = self.members.get("initial_prompt") or self.members.get("prompt")
        words = prompt or (self.project or "").replace("-", " ").replace("_", " ")
        return excerpt(words.strip(), _COMMAND) or None

    @property
    def camel_case(self) -> bool:
        """Whether the client is Cursor, whose output differs."""
        return self.members.get("hook_event_name", "")[:1].islower()

    def failure(self) -> dict[str, Any] | None:
        """The arguments of think for a tool call that failed; None if nothing is to be stored.

        Interrupted and denied calls are no failures, and failures of LegacyMind's own tools would recur.
        """
        members = self.members
        error = (members.get("error") or members.get("error_message") or "").strip()
        tool = members.get("tool_name", "")
        if not error or "legacymind" in tool.lower() or members.get("refused"):
            return None
        command = members.get("tool_input", "")
        call = members.get("tool_use_id") or _hash(tool, command, error)
        content = f"{tool or 'A tool'} failed: {excerpt(command, _COMMAND)}\n{error}"
        return self._thought(content, f"failure:{call}") | {"hint": "stuck"}

    def ending(self) -> dict[str, Any] | None:
        """The arguments of think for the end of a session or turn; None without an answer of the agent.

        It has the task, which is the first prompt, and the agent's last answer. Reads the transcript.
        """
        task, result = _first_and_last(self.members.get("transcript_path"))
        result = self.members.get("last_assistant_message", "").strip() or result
        if not result:
            return None
        content = f"Task: {excerpt(task, _TASK)}\n" if task else ""
        content = f"{content}Result: {excerpt(result, _RESULT)}"
        # A session that goes on and ends again has another result, which is another thought.
        return self._thought(content, f"end:{_hash(content)}") | {"hint": "conclude"}

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
    """The input as JSON for another process, without what is not used."""
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
    if not isinstance(tool_input, dict):
        return ""
    command = cast("dict[str, Any]", tool_input).get("command")
    return command if isinstance(command, str) else json.dumps(tool_input, ensure_ascii=False)


def _safe(text: str) -> str:
    """A text without secrets, shortened; more of it is searched, so that the cut hides few secrets."""
    return _ends(without_secrets(_ends(text, 8 * LONGEST)), LONGEST)


def _ends(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit // 2]}\n…\n{text[-limit // 2 :]}"


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()[:32]


def _first_and_last(transcript: str | None) -> tuple[str, str]:
    """The first text of the user and the last one of the agent in a transcript; blank if there is none."""
    try:
        if not transcript:
            return "", ""
        with Path(transcript).open("rb") as file:
            head = file.read(_HEAD)
            file.seek(0, 2)
            file.seek(max(len(head), file.tell() - _HEAD))
            tail = file.read()
    except OSError:
        return "", ""
    said = list(_said(head))
    task = next((text for role, text in said if role in _USERS and not text.startswith(_COMMANDS)), "")
    answers = [text for role, text in (*said, *_said(tail)) if role in _ASSISTANTS]
    return task, answers[-1] if answers else ""


def _said(content: bytes) -> Iterator[tuple[str, str]]:
    """The role and the text of each message of a transcript: one JSON object, or one on each line."""
    for value in _objects(content.decode("utf-8", "replace")):
        if value.get("isMeta") or value.get("isSidechain"):
            continue
        inner = value.get("message")
        message = cast("dict[str, Any]", inner) if isinstance(inner, dict) else value
        role = message.get("role") or value.get("role") or value.get("type")
        if isinstance(role, str) and (text := _text(message.get("content"))):
            yield role, text


def _objects(text: str) -> Iterator[dict[str, Any]]:
    try:
        whole: Any = json.loads(text)
    except (ValueError, RecursionError):
        yield from _dicts(_lines(text))
        return
    if isinstance(whole, dict):
        messages: Any = cast("dict[str, Any]", whole).get("messages", [whole])
        yield from _dicts(cast("list[Any]", messages) if isinstance(messages, list) else [])


def _lines(text: str) -> Iterator[Any]:
    for line in text.split("\n"):
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            continue  # blank, or cut where the reading began or ended


def _dicts(values: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for value in values:
        if isinstance(value, dict):
            yield cast("dict[str, Any]", value)


def _text(content: object) -> str:
    """A text, or the texts of the parts of a message; tool calls and results have none."""
    parts: list[Any] = cast("list[Any]", content) if isinstance(content, list) else [content]
    texts: list[str] = []
    for part in parts:
        text: Any = part
        if isinstance(part, dict):
            fields = cast("dict[str, Any]", part)
            text = fields.get("text") if str(fields.get("type", "text")).endswith("text") else None
        if isinstance(text, str):
            texts.append(text.strip())
    return "\n\n".join(text for text in texts if text)
