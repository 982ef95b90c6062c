"""Coerces arguments to the types of their parameters; the validation of every operation uses it.

A number may be text, a list of words may be one string, names may be in any case and in camelCase, and null
or a blank means the default. docs/reference/parameters.md lists the rules for users.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, cast, get_args, get_origin

from pydantic.alias_generators import to_snake

from legacymind.errors import InputFinding, InvalidInput
from legacymind.model.about import is_record, members, unwrap
from legacymind.model.names import ALIASES, folded
from legacymind.model.values import json_list, json_object, words

Convert = Callable[[Any], Any]
"""Converts a value for pydantic's validation."""


class ExpectedMember(NamedTuple):
    """A parameter or a record's member; values are not converted if ``convert`` is None."""

    convert: Convert | None
    optional: bool
    required: bool


def known_members(expected: Iterable[tuple[str, Any, Any]]) -> dict[str, ExpectedMember]:
    """The members by name, from triples of name, annotation and default (MISSING for a required one).

    Conversions are chosen once, because inspecting annotations in every call cost 35 of think's 50 µs.
    """
    members_by_name: dict[str, ExpectedMember] = {}
    for name, annotation, default in expected:
        kind, optional = unwrap(annotation)
        members_by_name[name] = ExpectedMember(_conversion(kind), optional, default is dataclasses.MISSING)
    return members_by_name


def normalise_arguments(arguments: Mapping[str, Any], known: Mapping[str, ExpectedMember]) -> dict[str, Any]:
    """Rename arguments to snake_case (``sessionId`` to ``session_id``), also in records, and convert them.

    Null is left out for a parameter with another default, and a blank value for every optional one: clients
    fill in blanks. Names from a fixed list get the list's spelling.
    Unknown parameters stay, and the validation reports them. Raises InvalidInput if one parameter has both
    spellings.
    """
    normalised: dict[str, Any] = {}
    for name, value in arguments.items():
        ours = name if name in known else to_snake(name)
        member = known.get(ours)
        if member is None:
            normalised[name] = value
            continue
        if ours in normalised or (ours != name and ours in arguments):
            twice = InputFinding(ours, f"is given twice, also as {name!r}")
            raise InvalidInput(findings=[twice], hint="Pass it once.")
        if not member.required and is_blank(value):
            continue
        if value is None:
            if member.required or member.optional:
                normalised[ours] = value
            continue
        normalised[ours] = member.convert(value) if member.convert else value
    return normalised


def is_blank(value: object) -> bool:
    """Whether a value is an empty text, spaces, or a list of nothing else."""
    if isinstance(value, str):
        return not value.strip()
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(
        item is None or (isinstance(item, str) and not item.strip()) for item in cast("list[object]", value)
    )


def _conversion(kind: Any) -> Convert | None:
    origin = get_origin(kind)
    if origin is Literal:
        names = get_args(kind)
        return lambda value: known_name(value, names) if isinstance(value, str) else value
    if origin is list:
        item, _ = unwrap(get_args(kind)[0])
        return _list_conversion(item)
    if origin is dict:
        return json_object
    return _record_conversion(kind) if is_record(kind) else None


def _list_conversion(item: Any) -> Convert | None:
    convert = _conversion(item)
    if convert is None:
        return None
    read = json_list if is_record(item) else words

    def converted(value: Any) -> Any:
        listed = read(value) if isinstance(value, str) else value
        if isinstance(listed, list | tuple):
            return [convert(one) for one in cast("Sequence[Any]", listed)]
        return value

    return converted


def _record_conversion(kind: Any) -> Convert:
    @cache
    def known() -> dict[str, ExpectedMember]:
        return known_members(members(kind))

    def converted(value: Any) -> Any:
        if dataclasses.is_dataclass(kind) and isinstance(value, cast("type", kind)):
            # Pydantic does not validate the members of an instance.
            value = {name: getattr(value, name) for name in known()}
        if isinstance(value, dict):
            return normalise_arguments(cast("dict[str, Any]", value), known())
        return value

    return converted


def known_name(value: str, names: Iterable[str]) -> str:
    """The name in the spelling of the list, also for an alias; an unknown name is unchanged.

    Case, spaces, hyphens and underscores are ignored: ``problem-solving`` is ``problem_solving``.
    """
    known = {folded(name): name for name in names}
    wanted = folded(value)
    return known.get(wanted) or known.get(folded(ALIASES.get(wanted, "")), value)
