"""Converts the types of operations to GraphQL types.

The dataclasses of ``model`` become object and input types, its ``Literal`` aliases become enums; both keep
their names and descriptions. ``model`` does not depend on GraphQL.
"""

import dataclasses
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from enum import Enum
from functools import cache, partial
from typing import Any, Final, Literal, NewType, get_args, get_origin

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.scalars import JSON
from strawberry.types.base import get_object_definition, has_object_definition
from strawberry.types.field import StrawberryField

from legacymind.doors.graphql.choices import CHOICES
from legacymind.model import base, graph, help, maintenance, nodes, think, trails
from legacymind.model.about import About, is_record, members, metadata, unwrap
from legacymind.model.filters import TextForm
from legacymind.model.members import IdForm, Success
from legacymind.operations.descriptions import describe
from legacymind.operations.registry import Operation
from legacymind.operations.validation import Parameter
from legacymind.origins import Declared

_PREFIX: Final = ", with the prefix `thoughts:`"
"""What the description of an id says at the other doors only."""

_OTHERS: Final = "Also null for a stored text that is none of the enum's."
"""What the description of an enum says of a text that nothing limits in the database."""

PAGE_INFO: Final = "Where the page is among the pages of the list."
"""The description of the field ``pageInfo``."""

_SCALARS = frozenset({str, int, float, bool, datetime})

Day = NewType("Day", str)
"""A day, or a time, as filters take them."""

SCALARS: Final[dict[object, Any]] = {
    Day: strawberry.scalar(
        name="Day",
        description="A day in UTC (YYYY-MM-DD, whole) or an ISO 8601 time.",
        serialize=str,
        parse_value=lambda sent: sent,
    )
}
"""The scalars that GraphQL and Strawberry do not have."""


class Types:
    """The GraphQL types of Python types; each is built once. ``aliases`` are the names of enums."""

    def __init__(self, aliases: Mapping[frozenset[str], str]) -> None:
        self._aliases = aliases
        self._enums: dict[str, type[Enum]] = {}
        self._records: dict[tuple[type, bool], type] = {}
        self._inputs: dict[str, type] = {}

    def of(self, annotation: Any, *, as_input: bool = False) -> Any:
        """The GraphQL type of an annotation; ``as_input`` selects input types.

        Raises TypeError for an annotation without a GraphQL equivalent.
        """
        kind, optional = unwrap(annotation)
        names = names_of(annotation)
        if form_of(annotation):
            made = strawberry.ID
        elif any(form in metadata(annotation) for form in (TextForm.DAY_START, TextForm.DAY_END)):
            made = Day
        elif names:
            made = self._enum(names)
            optional = optional or not as_input
        elif kind in _SCALARS:
            made = kind
        elif get_origin(kind) is list:
            made = list[self.of(get_args(kind)[0], as_input=as_input)]
        elif get_origin(kind) is Literal:
            made = self._enum(get_args(kind))
        elif get_origin(kind) is dict:
            made = JSON
        elif is_record(kind):
            made = self._record(kind, as_input)
        else:
            raise TypeError(f"{annotation} has no GraphQL equivalent")
        return made | None if optional else made

    def default(self, value: Any, kind: Any) -> Any:
        """A default as the schema shows it; UNSET for null, lists and maps, which the schema omits."""
        if value is None or isinstance(value, list | dict):
            return strawberry.UNSET
        return kind(value) if isinstance(kind, type) and issubclass(kind, Enum) else value

    def _enum(self, values: tuple[str, ...]) -> Any:
        name = self._aliases.get(frozenset(values))
        if name is None:
            return str
        if name not in self._enums:
            make: Any = Enum  # typed as if Enum(…) looked a member up; here it creates a class
            description, of_values = CHOICES[name]
            described = {
                value.upper(): strawberry.enum_value(value, description=of_values.get(value))
                for value in values
            }
            self._enums[name] = strawberry.enum(make(name, described), description=description)
        return self._enums[name]

    def input_of(self, name: str, parameters: Iterable[Parameter]) -> type:
        """The input type ``NameInput`` with the parameters of an operation as its fields."""
        if name not in self._inputs:
            body: dict[str, Any] = {"__annotations__": {}}
            for one in parameters:
                default = dataclasses.MISSING if one.required else one.default
                self._add(body, one.name, one.annotation, default, one.help, as_input=True)
            self._inputs[name] = strawberry.type(
                type(f"{name}Input", (), body),
                name=f"{name}Input",
                is_input=True,
                description=f"The arguments of `{name[0].lower()}{name[1:]}`.",
            )
        return self._inputs[name]

    def described(self, kind: type, without: Collection[str] = ()) -> dict[str, Any]:
        """The body of a class with those members of a record that have a description."""
        shown: dict[str, Any] = {"__annotations__": {}}
        for name, hint, _ in members(kind):
            if name not in without and (described := describe(hint, dataclasses.MISSING).long):
                self._add(shown, name, hint, dataclasses.MISSING, described, as_input=False)
        return shown

    def _record(self, kind: type, as_input: bool) -> type:
        if (kind, as_input) not in self._records:
            shown: dict[str, Any] = {"__annotations__": {}, "__doc__": kind.__doc__}
            trees: list[StrawberryField] = []
            for name, hint, default in members(kind):
                if hint == Success:
                    continue
                if unwrap(hint)[0] == list[kind]:
                    trees.append(member(name, None, describe(hint, dataclasses.MISSING).long))
                else:
                    shown_default = default if as_input else dataclasses.MISSING
                    described = describe(hint, shown_default).long
                    self._add(shown, name, hint, default, described, as_input=as_input)
            made = strawberry.type(
                type(kind.__name__, (), shown),
                name=kind.__name__,
                is_input=as_input,
                description=first_paragraph(kind),
            )
            for field in trees:
                field.type_annotation = StrawberryAnnotation(list[made])
            get_object_definition(made, strict=True).fields.extend(trees)
            self._records[kind, as_input] = made
        return self._records[kind, as_input]

    def _add(
        self, shown: dict[str, Any], name: str, hint: Any, default: Any, description: str, *, as_input: bool
    ) -> None:
        """Add a field to the body of a class."""
        made = self.of(hint, as_input=as_input)
        names = names_of(hint)
        if not as_input and (names or form_of(hint) is IdForm.PREFIXED):
            show = partial(_if_among, names) if names else _without_prefix
            said = f"{description} {_OTHERS}" if names else description.replace(_PREFIX, "")
            shown[name] = computed(name, made, said, lambda root: show(getattr(root, name)))
            return
        if as_input and default is not dataclasses.MISSING:
            shown[name] = strawberry.field(
                description=description or None, default=self.default(default, made)
            )
        else:
            shown[name] = strawberry.field(description=description or None)
        optional = as_input and default is not dataclasses.MISSING
        shown["__annotations__"][name] = made | None if optional else made


def form_of(annotation: Any) -> IdForm | None:
    """The form of the id that an annotation stands for, if it does."""
    return next((one for one in metadata(annotation) if isinstance(one, IdForm)), None)


def names_of(annotation: Any) -> tuple[str, ...]:
    """The names of which a text is one as a rule."""
    return next((one.names for one in reversed(metadata(annotation)) if isinstance(one, About)), ())


def _without_prefix(id: str | None) -> str | None:
    return id and id.removeprefix("thoughts:")


def _if_among(names: tuple[str, ...], text: str | None) -> str | None:
    return text if text in names else None


def member(name: str, kind: Any, description: str, names: dict[str, Any] | None = None) -> StrawberryField:
    """A field that shows a member of the record. ``names``: the types that ``kind`` names."""
    return _as(strawberry.field(description=description), name, kind, names)


def computed(
    name: str, kind: Any, description: str, read: Callable[[Any], Any], names: dict[str, Any] | None = None
) -> StrawberryField:
    """A field whose value is read from the record."""

    def resolver(root: Any) -> Any:
        return read(root)

    return _as(strawberry.field(resolver=resolver, description=description), name, kind, names)


def _as(field: Any, name: str, kind: Any, names: dict[str, Any] | None) -> StrawberryField:
    field.python_name = name
    field.type_annotation = StrawberryAnnotation(kind, namespace=names)
    return field


def types_of(operations: Iterable[Operation]) -> Types:
    """The GraphQL types for the operations, which all schemas of this process share."""
    return _types(frozenset(_literal_names(operations).items()))


@cache
def _types(aliases: frozenset[tuple[frozenset[str], str]]) -> Types:
    return Types(dict(aliases))


def as_sent(value: Any) -> Any:
    """Convert GraphQL input to plain values; members that were left out stay left out."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list):
        return [as_sent(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if has_object_definition(value):
        names = [field.python_name for field in value.__strawberry_definition__.fields]
        members = {name: getattr(value, name) for name in names}
        return {name: as_sent(member) for name, member in members.items() if member is not strawberry.UNSET}
    return value


def _literal_names(operations: Iterable[Operation]) -> Mapping[frozenset[str], str]:
    """The names of ``Literal`` aliases by their values, from ``model`` and the modules of the services."""
    spaces: list[Mapping[str, Any]] = [
        vars(one) for one in (base, nodes, trails, graph, think, maintenance, help)
    ]
    spaces.append({"Declared": Declared})
    for operation in operations:
        module = inspect.getmodule(operation.method)
        if module is not None:
            spaces.append(vars(module))
    return {
        frozenset(get_args(value)): name
        for space in reversed(spaces)  # the model's names take precedence
        for name, value in space.items()
        if get_origin(value) is Literal
    }


def first_paragraph(kind: type) -> str:
    """The first paragraph of a class's docstring, as one line."""
    return " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
