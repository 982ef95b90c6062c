"""Short ids: the first digits of a UUID, eight or more, stand for the one node whose id begins with them."""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

NAMES: Final = frozenset(
    ("session_id", "own_session_id", "chain_id", "action_id", "context_id", "namespace", "author")
)
"""Ids that somebody chose, or that are no node's: of sessions, labels, actions and contexts."""

_LENGTH: Final = 8
_SHORT: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f-]{0,26})?")

Path = tuple[str, ...]
"""A parameter with the id of a node, or a parameter and a member of its records."""


def short(id: str) -> str:
    """The short form of a UUID, which may have the prefix of a thought."""
    return id.removeprefix("thoughts:")[:_LENGTH]


def short_ids(arguments: Mapping[str, Any], paths: Sequence[Path]) -> dict[str, str]:
    """The short ids at these places: as they were sent, and as they begin the ids that they mean."""
    found = (bare(one) for path in paths for one in _at(arguments, path))
    return {sent: begins for sent, begins in found if _SHORT.fullmatch(begins)}


def bare(id: str) -> tuple[str, str]:
    """An id as it was sent, and without spaces around it and the prefix of a thought."""
    return id, id.strip().removeprefix("thoughts:").strip()


def replaced(arguments: Mapping[str, Any], paths: Sequence[Path], whole: Mapping[str, str]) -> dict[str, Any]:
    """The arguments with whole ids at these places."""
    made = dict(arguments)
    for name, *inside in paths:
        value = made.get(name)
        if inside and isinstance(value, list):
            made[name] = [_with(one, inside[0], whole) for one in cast("list[Any]", value)]
        elif not inside:
            made[name] = _whole(value, whole)
    return made


def _with(record: Any, name: str, whole: Mapping[str, str]) -> Any:
    if isinstance(record, dict):
        members = cast("dict[str, Any]", record)
        return {**members, name: _whole(members[name], whole)} if name in members else members
    return dataclasses.replace(record, **{name: _whole(getattr(record, name), whole)})


def _whole(value: Any, whole: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_whole(one, whole) for one in cast("list[Any]", value)]
    return whole.get(value, value) if isinstance(value, str) else value


def _at(arguments: Mapping[str, Any], path: Path) -> list[str]:
    """The texts at a place."""
    values: list[Any] = [arguments.get(path[0])]
    for name in path[1:]:
        values = [_member(one, name) for one in cast("list[Any]", values[0] or [])]
    flat = (cast("list[Any]", value) if isinstance(value, list) else [value] for value in values)
    return [one for each in flat for one in each if isinstance(one, str)]


def _member(record: Any, name: str) -> Any:
    return cast("dict[str, Any]", record).get(name) if isinstance(record, dict) else getattr(record, name)
