"""Inspects the annotations of parameters and of records' members."""

import dataclasses
import types
from functools import cache
from typing import Annotated, Any, Required, Union, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict


def unwrap(annotation: Any) -> tuple[Any, bool]:
    """The bare type of an annotation, without ``Annotated`` and ``None``, and whether None is allowed."""
    optional = False
    while True:
        origin = get_origin(annotation)
        if origin in (Annotated, Required):
            annotation = get_args(annotation)[0]
        elif is_union(annotation):
            members = [member for member in get_args(annotation) if member is not type(None)]
            optional = optional or len(members) < len(get_args(annotation))
            if len(members) != 1:
                return annotation, optional
            annotation = members[0]
        else:
            return annotation, optional


def is_union(annotation: Any) -> bool:
    """Whether an annotation names several types, None among them or not."""
    return get_origin(annotation) in (Union, types.UnionType)


def metadata(annotation: Any) -> list[Any]:
    """The metadata of an annotation; that of the members of a union comes first."""
    if get_origin(annotation) is Annotated:
        inner, *own = get_args(annotation)
        return [*metadata(inner), *own]
    if get_origin(annotation) is Required:
        return metadata(get_args(annotation)[0])
    if get_origin(annotation) is not None and type(None) in get_args(annotation):
        return [one for member in get_args(annotation) for one in metadata(member)]
    return []


def is_record(kind: Any) -> bool:
    """Whether a type is a dataclass, like those of ``model``, or a TypedDict."""
    return is_typeddict(kind) or (isinstance(kind, type) and dataclasses.is_dataclass(kind))


@cache
def members(kind: Any) -> tuple[tuple[str, Any, Any], ...]:
    """The name, annotation and default (MISSING if there is none) of each member of a record.

    Cached, because resolving annotations is slow.
    """
    hints = get_type_hints(kind, include_extras=True)
    if is_typeddict(kind):
        required: frozenset[str] = kind.__required_keys__
        return tuple(
            (name, hint, dataclasses.MISSING if name in required else None) for name, hint in hints.items()
        )
    return tuple((field.name, hints[field.name], field.default) for field in dataclasses.fields(kind))
