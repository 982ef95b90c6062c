"""Changes a member or list item of a JSON text and leaves every other byte: comments, order, commas.

For settings files of editors, which are JSON with comments. A parser would lose the comments.
"""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

_GAP: Final = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR: Final = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")


class NotJson(ValueError):
    """The text is not a JSON object, or a member on the way is not one."""


class _Entry(NamedTuple):
    """A member of an object or an item of a list: its name, and where it and its value begin and end.

    An item has no name, and begins with its value.
    """

    name: str
    begin: int
    value: int
    end: int


def read(text: str) -> Any:
    """The value of a JSON text with comments and trailing commas. Raises NotJson."""
    start = _skip(text, 0)
    end = _skip(text, _end(text, start))
    if end < len(text):
        raise NotJson(f"there is more than one value, at character {end + 1}")
    return _value(text, start)


def member(text: str, path: Sequence[str]) -> Any:
    """The value of the member at ``path``; None if there is none. Raises NotJson."""
    start = _at(text, path)
    return None if start is None else _value(text, start)


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """The text with ``value`` as the member at ``path``; unchanged if it has that value already.

    Objects on the way are created. A blank text counts as an empty object. Raises NotJson.
    """
    if not text.strip():
        text = "{\n}\n"
    start = _skip(text, 0)
    for depth, name in enumerate(path):
        found = _member(text, start, name)
        if found is None:
            rest = value
            for outer in reversed(path[depth + 1 :]):
                rest = {outer: rest}
            return _insert(text, start, name, rest, depth)
        start = found.value
        if depth == len(path) - 1 and _value(text, start) != value:
            return text[:start] + _written(text, value, depth + 1) + text[found.end :]
    return text


def delete_member(text: str, path: Sequence[str]) -> str:
    """The text without the member at ``path``, and without objects on the way that are empty then.

    Raises NotJson.
    """
    if not text.strip():
        return text
    start = _skip(text, 0)
    for depth, name in enumerate(path):
        members, _ = _members(text, start)
        found = _member(text, start, name)
        if found is None:
            return text
        number = members.index(found)
        if depth == len(path) - 1:
            shorter = _without(text, start, members, number)
            return shorter if len(members) > 1 or depth == 0 else delete_member(shorter, path[:-1])
        start = members[number].value
    return text


def set_item(text: str, path: Sequence[str], value: Any, ours: Callable[[Any], bool]) -> str:
    """The text with ``value`` in the list at ``path``, in place of the first item that is ``ours``, or last.

    Unchanged if that item has this value already. Objects on the way are created. Raises NotJson.
    """
    at = _list(text, path)
    if at is None:
        return set_member(text, path, [value])
    items, close = _entries(text, at)
    found = next((each for each in items if ours(_value(text, each.value))), None)
    if found is None:
        last = items[-1].end if items else None
        return _appended(text, close, last, _written(text, value, len(path) + 1), len(path))
    if _value(text, found.value) == value:
        return text
    return text[: found.value] + _written(text, value, len(path) + 1) + text[found.end :]


def delete_items(text: str, path: Sequence[str], ours: Callable[[Any], bool]) -> str:
    """The text without the items that are ``ours``, and without a list and objects that are empty then.

    Raises NotJson.
    """
    while (at := _list(text, path)) is not None:
        items, _ = _entries(text, at)
        number = next((n for n, each in enumerate(items) if ours(_value(text, each.value))), None)
        if number is None:
            return text
        if len(items) == 1:
            return delete_member(text, path)
        text = _without(text, at, items, number)
    return text


def _list(text: str, path: Sequence[str]) -> int | None:
    """Where the list at ``path`` begins; None if the text has no such member."""
    at = _at(text, path)
    if at is not None and text[at : at + 1] != "[":
        raise NotJson(f"there is no list at character {at + 1}")
    return at


def _at(text: str, path: Sequence[str]) -> int | None:
    """Where the value at ``path`` begins; None if the text has no such member."""
    if not text.strip():
        return None
    at = _skip(text, 0)
    for name in path:
        found = _member(text, at, name)
        if found is None:
            return None
        at = found.value
    return at


def _insert(text: str, start: int, name: str, value: Any, depth: int) -> str:
    members, close = _members(text, start)
    written = f"{json.dumps(name, ensure_ascii=False)}: {_written(text, value, depth + 1)}"
    return _appended(text, close, members[-1].end if members else None, written, depth)


def _appended(text: str, close: int, last: int | None, written: str, depth: int) -> str:
    """The text with a new line before the closing bracket; ``last`` is the end of the last value."""
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    before, ending = text[:close].rstrip(), newline + unit * depth
    if last is not None and not text[_skip(text, last) :].startswith(","):
        before = before[:last] + "," + before[last:]
    return before + newline + unit * (depth + 1) + written + ending + text[close:]


def _without(text: str, start: int, entries: list[_Entry], number: int) -> str:
    """The text without one of the members or items between the brackets at ``start``."""
    begin, after = entries[number].begin, entries[number].end
    if number + 1 < len(entries):
        return text[:begin] + text[entries[number + 1].begin :]
    trailing = _skip(text, after)
    if text[trailing : trailing + 1] == ",":
        after = trailing + 1
    if number == 0:
        return text[: start + 1] + text[after:]
    end = entries[number - 1].end
    comma = _skip(text, end)
    return text[:end] + text[end:comma] + text[comma + 1 : begin].rstrip() + text[after:]


def _written(text: str, value: Any, depth: int) -> str:
    unit = _unit(text)
    lines = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    return ("\r\n" if "\r\n" in text else "\n").join([lines[0], *(unit * depth + line for line in lines[1:])])


def _unit(text: str) -> str:
    """The indentation of the first indented line, two spaces if there is none."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found else "  "


def _skip(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return found.end() if found else at


def _member(text: str, at: int, name: str) -> _Entry | None:
    """The member of that name of the object at ``at``. Raises NotJson if it is there twice."""
    found = [each for each in _members(text, at)[0] if each.name == name]
    if len(found) > 1:
        raise NotJson(f"{name!r} is there twice, at characters {found[0].begin + 1} and {found[1].begin + 1}")
    return found[0] if found else None


def _members(text: str, at: int) -> tuple[list[_Entry], int]:
    """The members of the object at ``at``, and the place of its closing brace."""
    if text[at : at + 1] != "{":
        raise NotJson(f"there is no object at character {at + 1}")
    return _entries(text, at)


def _entries(text: str, start: int) -> tuple[list[_Entry], int]:
    """The entries between the brackets at ``start``, and the place of the closing one."""
    entries: list[_Entry] = []
    close = "}" if text[start] == "{" else "]"
    at = _skip(text, start + 1)
    while text[at : at + 1] != close:
        name, value = _key(text, at) if close == "}" else ("", at)
        end = _end(text, value)
        entries.append(_Entry(name, at, value, end))
        at = _skip(text, end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != close:
            raise NotJson(f"a comma is missing at character {at + 1}")
    return entries, at


def _key(text: str, at: int) -> tuple[str, int]:
    """The name of the member at ``at``, and where its value begins."""
    key = _STRING.match(text, at)
    colon = _skip(text, key.end()) if key else at
    if key is None or text[colon : colon + 1] != ":":
        raise NotJson(f"there is no member at character {at + 1}")
    return json.loads(key[0]), _skip(text, colon + 1)


def _end(text: str, at: int) -> int:
    """The end of the value that begins at ``at``."""
    if text[at : at + 1] in ("{", "["):
        return _entries(text, at)[1] + 1
    found = (_STRING if text[at : at + 1] == '"' else _SCALAR).match(text, at)
    if found is None:
        raise NotJson(f"there is no value at character {at + 1}")
    return found.end()


def _value(text: str, at: int) -> Any:
    """The value that begins at ``at``."""
    if text[at : at + 1] == "{":
        return {each.name: _value(text, each.value) for each in _entries(text, at)[0]}
    if text[at : at + 1] == "[":
        return [_value(text, each.value) for each in _entries(text, at)[0]]
    try:
        return json.loads(text[at : _end(text, at)])
    except ValueError as reason:
        raise NotJson(str(reason)) from None
