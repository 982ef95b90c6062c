"""The log of calls through MCP and HTTP: who called what, chained as thoughts are, without any content.

``audit.jsonl`` in the home has a line for each call of an operation. Its hash covers the line and the hash of
the line before, with the chain key if there is one.
"""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

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


class AuditLog:
    """An observer of operations that appends a line for each. Several processes may append to one file."""

    def __init__(self, settings: Settings) -> None:
        self._path = path(settings)
        self._keys = ChainKeys.of(settings)
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
            "namespace": getattr(step.result, "namespace", None) or caller.namespace,
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
