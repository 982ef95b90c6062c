"""Texts of adapters: values kept beside the text of a thought, and memories as a model reads them."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from legacymind.model.think import Memory
from legacymind.text.fencing import fenced, head

_BEGIN: Final = "\n```json\n"
_END: Final = "\n```"
_BLOCK: Final = re.compile(r"(?<!\s)\s*+```json\s.*", re.DOTALL)


def with_data(text: str, data: Mapping[str, Any]) -> str:
    """A text, and a value below it in a code block, which is not embedded in a conversational mode."""
    value = json.dumps(data, ensure_ascii=False)
    return f"{text}{_BEGIN}{value}{_END}" if text else value


def data_of(content: str) -> dict[str, Any] | None:
    """The value that ``with_data`` put below a text; None if there is none."""
    if content.endswith(_END):
        _, mark, value = content.removesuffix(_END).rpartition(_BEGIN)
        return _object(value) if mark else None
    return _object(content)


def shown(text: str) -> str:
    """The text of a memory, which may be cut, without the value below it."""
    return _BLOCK.sub("", text)


def _object(text: str) -> dict[str, Any] | None:
    if not text.startswith("{"):
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def recalled(memories: Sequence[Memory]) -> str | None:
    """Memories as lines with who said them, date and author, set off as data; None without any."""
    if not memories:
        return None
    return fenced("\n".join(map(_line, memories)))


def _line(memory: Memory) -> str:
    date = "" if memory.created_at is None else f"{memory.created_at:%Y-%m-%d}"
    claimed = head([memory.said_by, date, memory.author or memory.kind])
    return f"- {claimed}{' '.join(shown(memory.text).split())} [{memory.id}]"
