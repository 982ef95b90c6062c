"""The Markdown of exported notes: facts and relations as list items that are read again as they were.

An item may end with an HTML comment of JSON, which a viewer hides: ``<!-- {"source": "log"} -->``.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, cast

from legacymind.text import keys

FACTS: Final = "## Facts"
RELATIONS: Final = "## Relations"

_COMMENT: Final = "<!-- {"
_COMMENT_END: Final = "} -->"
_RELATION: Final = re.compile(r"(?P<type>.+?) \[\[(?P<path>[^\[\]|]+)(?:\|(?P<name>[^\[\]|]*))?\]\]")
_UNSAFE: Final = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*#^\[\]%]+')
_NOT_SHOWN: Final = re.compile(r"[\[\]|\s]+")
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z)", re.IGNORECASE)
_LONGEST: Final = 120
"""Bytes of a name; file systems take 255, and folders around it need some."""


class NoteItem(NamedTuple):
    """A list item of a note: its line, its text, and the members of its comment."""

    line: int
    text: str
    about: dict[str, Any]


def item(text: str, about: Mapping[str, Any]) -> str:
    """The list item of a text."""
    written = json.dumps(about, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")
    comment = f" <!-- {written} -->" if about or _COMMENT in text else ""
    return "- " + (text.strip() + comment).replace("\n", "\n  ") + "\n"


def items(lines: Iterable[str], before: int = 0) -> Iterator[tuple[str, NoteItem]]:
    """The items of a note, each with its heading. ``before`` is the number of lines above the text."""
    heading, begun, found = "", 0, list[str]()
    for number, line in enumerate([*lines, "## "], before + 1):
        text = line.rstrip("\n")
        if text.startswith(("- ", "#")):
            if found:
                yield heading, _item(begun, "\n".join(found))
            begun, found = number, [text[2:]] if text.startswith("- ") else []
            heading = heading if found else text.strip()
        elif found:
            found.append(text.removeprefix("  "))


def _item(line: int, text: str) -> NoteItem:
    before, comment, rest = text.strip().rpartition(_COMMENT)
    if comment and rest.endswith(_COMMENT_END):
        try:
            about = json.loads("{" + rest.removesuffix(" -->"))
        except ValueError:
            pass
        else:
            return NoteItem(line, before.strip(), cast("dict[str, Any]", about))
    return NoteItem(line, text.strip(), {})


def link(path: str, name: str) -> str:
    """The link to a note, shown as a name."""
    shown = _NOT_SHOWN.sub(" ", name).strip()
    return f"[[{path}|{shown}]]"


def relation(text: str) -> tuple[str, str, str] | None:
    """The type of a relation, the path of its target and the name shown; None for another text."""
    found = _RELATION.fullmatch(text)
    return None if found is None else (found["type"], found["path"], found["name"] or found["path"])


class FileNames:
    """Names of files for names of anything, each once, for all file systems."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def add(self, *names: str) -> str:
        """A new name, without an ending, for the first of the names; the others make it unique."""
        name = _safe(names[0])
        tried = [name, *(f"{name} ({_safe(other)})" for other in names[1:] if other)]
        number = 1
        while (
            found := next((one for one in tried if keys.normalised(one) not in self._taken), None)
        ) is None:
            number += 1
            tried = [f"{name} {number}"]
        self._taken.add(keys.normalised(found))
        return found


def _safe(name: str) -> str:
    """The name without characters that a file system or a link does not have."""
    text = _UNSAFE.sub("-", unicodedata.normalize("NFC", name)).strip(". ")
    text = text.encode(errors="replace")[:_LONGEST].decode(errors="ignore").rstrip(". ")
    return f"_{text}" if not text or _RESERVED.match(text) else text
