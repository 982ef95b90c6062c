"""Descriptions of parameters and members, and how to read the annotations that have them."""

import dataclasses
import types
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Required, Union, get_args, get_origin, get_type_hints

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from typing_extensions import is_typeddict


@dataclass(frozen=True, slots=True)
class About:
    """The two descriptions of a parameter or of a record's member. The JSON schema shows the short one.

    ``tuning``: an agent seldom needs the parameter. MCP's core profile accepts it without listing it.
    ``names``: as a rule the text is one of these names. An operation accepts aliases too, and a database may
    hold other texts. GraphQL has an enum of them, and null for another text; the schema of arguments lists
    them.
    """

    short: str
    long: str
    tuning: bool = False
    names: tuple[str, ...] = ()

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        listed = {"enum": list(self.names)} if self.names else {}
        return handler(core) | {"description": self.short} | listed


def about(short: str, long: str = "", *, tuning: bool = False, names: tuple[str, ...] = ()) -> About:
    """Describe a parameter within ``Annotated``.

    ``short`` is for ``tools/list``, which agents pay for by the byte; ``long`` is for command-line help,
    GraphQL and documentation. ``operations.descriptions`` adds the range and the default to it. ``tuning``
    leaves the parameter out of the tools that MCP's core profile lists. ``names`` are the choices of a
    text whose type allows others too.
    """
    return About(short, long or short, tuning, names)


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
