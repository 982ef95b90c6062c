"""The log of calls through MCP and HTTP: who called what, chained as thoughts are, without any content.

``audit.jsonl`` in the home has a line for each call of an operation, with the ids of what a read showed. Its
hash covers the line and the hash of the line before, with the chain key if there is one.
"""

import json
from collections.abc import Container, Generator, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypedDict, cast

from filelock import FileLock

from legacymind.calls import current_caller
from legacymind.errors import ChainBroken, LegacyMindError
from legacymind.observe import Step
from legacymind.services.chain import hashing
from legacymind.services.shared.chain_keys import ChainKeys
from legacymind.settings import Settings

_FIRST: Final = "0" * 64
"""What the first line follows."""

_END: Final = '"}'


def path(settings: Settings) -> Path:
    """The file of the log."""
    return settings.home_path / "audit.jsonl"


class CallLog:
    """An observer of operations that appends a line for each. Several processes may append to one file."""

    def __init__(self, settings: Settings) -> None:
        self._path = path(settings)
        self._keys = ChainKeys.of(settings)
        self._namespace = settings.namespace
        self._lock = FileLock(self._path.with_suffix(".lock"))

    @contextmanager
    def __call__(self, step: Step) -> Generator[None]:
        """Append the line of an operation when it ends."""
        try:
            yield
        finally:
            if step.kind == "operation":
                self._append(step)

    def _append(self, step: Step) -> None:
        caller, failed = current_caller(), step.error
        outcome = failed.code if isinstance(failed, LegacyMindError) else "error" if failed else "done"
        line: dict[str, Any] = {
            "at": datetime.now(UTC),
            "door": caller.door,
            "by": caller.by,
            "trust": caller.trust,
            "role": caller.role,
            "operation": step.name,
            "namespace": getattr(step.result, "namespace", None) or caller.namespace or self._namespace,
            "session": step.session,
            "shown": _shown(step.result),
            "outcome": outcome,
            "key_id": self._keys.current,
        }
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock, self._path.open("a+b") as file:
            if not file.tell():
                self._path.chmod(0o600)
            before = _last(file)
            record = hashing.canonical(line | {"prev": before}).decode()
            key = self._keys.secret(self._keys.current)
            file.write(f'{record[:-1]},"hash":"{_hash(before, record, key)}"}}\n'.encode())


def verified(settings: Settings) -> int:
    """The number of lines of the log. Raises ChainBroken at the first that is not as it was written."""
    keys, before, count = ChainKeys.of(settings), _FIRST, 0
    for count, line in enumerate(_lines(path(settings)), 1):
        record, _, digest = line.removesuffix(_END).rpartition(',"hash":"')
        record += "}"
        try:
            told: dict[str, Any] = json.loads(record)
            key = keys.secret(told.get("key_id"))
            sound = told["prev"] == before and _hash(before, record, key) == digest
        except (ValueError, KeyError, TypeError):
            sound = False
        if not sound:
            raise ChainBroken(
                f"Line {count} of the log of calls is not as it was written, or one before it is missing.",
                hint=f"Look at {path(settings)}; a key that it needs may be missing.",
            )
        before = digest
    return count


class Exposure(TypedDict):
    """A call that showed something to a session: when, and the id of what it showed."""

    session: str
    at: datetime
    id: str


def exposures(settings: Settings, namespace: str, ids: Container[str]) -> list[Exposure]:
    """The first call of each session that showed it one of these. Blocks while it reads the log."""
    first: dict[str, Exposure] = {}
    for line in _lines(path(settings)):
        if '"shown":[]' in line:
            continue
        try:
            told: dict[str, Any] = json.loads(line)
            session, shown = told["session"], told["shown"]
            if session in first or told["namespace"] != namespace:
                continue
            if id := next((id for id in shown if id in ids), None):
                first[session] = {"session": session, "at": datetime.fromisoformat(told["at"]), "id": id}
        except (ValueError, KeyError, TypeError):  # `verify --calls` names it
            continue
    return list(first.values())


def _shown(result: Any) -> list[str]:
    """The ids of what a result shows: its items, of which each says who said it."""
    items = [result, *_list(result)]
    if is_dataclass(result):
        items += [item for each in fields(result) for item in _list(getattr(result, each.name))]
    return [item.id for item in items if hasattr(item, "said_by") and hasattr(item, "id")]


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _lines(file: Path) -> Iterator[str]:
    if file.is_file():
        with file.open(encoding="utf-8") as lines:
            yield from (line.rstrip("\n") for line in lines)


def _last(file: Any) -> str:
    """The hash of the last line."""
    end = file.seek(0, 2)
    file.seek(max(end - len(_FIRST) - len(_END) - 1, 0))
    written: str = file.read().decode(errors="replace")
    return written[: len(_FIRST)] or _FIRST


def _hash(before: str, record: str, key: bytes | None) -> str:
    return hashing.chain_hash(before, hashing.content_digest("", record), key)
