"""Validates the arguments of an operation.

The pydantic model is built from the method's signature at the first call, so that imports stay fast.
"""

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic_core import ErrorDetails

from legacymind.errors import InputFinding, InvalidInput
from legacymind.model.about import is_record, members, metadata, unwrap
from legacymind.model.members import IdForm
from legacymind.model.values import is_unicode
from legacymind.operations.coercion import ExpectedMember, known_members, normalise_arguments
from legacymind.operations.descriptions import describe
from legacymind.operations.ids import NAMES, Path
from legacymind.operations.pages import Paged
from legacymind.operations.wording import fault

_UNKNOWN = frozenset({"extra_forbidden", "unexpected_keyword_argument"})
_LONE = "is not valid Unicode: it contains a lone surrogate"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation, for the doors."""

    name: str
    annotation: Any
    description: str
    """One phrase, as ``tools/list`` shows it."""
    help: str
    """The long description, with range and default."""
    required: bool
    default: Any
    tuning: bool
    """MCP's core profile does not list it."""


class Arguments:
    """The parameters of one operation and their validation."""

    def __init__(self, tool: str, function: Callable[..., Any]) -> None:
        self._tool = tool
        self._function = function

    @property
    def name(self) -> str:
        """The name of the method."""
        return self._function.__name__

    @property
    def paged(self) -> bool:
        """Whether it returns a page."""
        return get_origin(self.hints.get("return")) is Paged

    def usual(self, parameter: str) -> int:
        """The default of a parameter that is a number; 0 without the parameter."""
        return self._fields[parameter][1] if parameter in self._fields else 0

    @cached_property
    def hints(self) -> dict[str, Any]:
        """The resolved annotations of the method, its return type as ``return``."""
        return get_type_hints(self._function, include_extras=True)

    @cached_property
    def parameters(self) -> list[Parameter]:
        """The parameters in the order of the signature, those of an unpacked TypedDict at the end."""
        parameters: list[Parameter] = []
        for name, (annotation, default) in self._fields.items():
            required = default is ...
            described = describe(annotation, dataclasses.MISSING if required else default)
            parameters.append(
                Parameter(
                    name,
                    annotation,
                    described.short,
                    described.long,
                    required,
                    None if required else default,
                    described.tuning,
                )
            )
        return parameters

    @cached_property
    def ids(self) -> list[Path]:
        """The places of ids of nodes."""
        return [
            path
            for name, (annotation, _) in self._fields.items()
            for path in _ids(name, annotation)
            if path[-1] not in NAMES
        ]

    @cached_property
    def model(self) -> type[BaseModel]:
        """The pydantic model of the arguments."""
        fields: dict[str, Any] = dict(self._fields)
        return create_model(
            self._function.__name__,
            __config__=ConfigDict(extra="forbid", hide_input_in_errors=True),
            **fields,
        )

    def validate(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The validated arguments of the method, defaults included.

        Raises InvalidInput with every unknown, missing or invalid parameter.
        """
        normalised = normalise_arguments(arguments, self._known)
        lone = [InputFinding(name, _LONE) for name, value in normalised.items() if not is_unicode(value)]
        if lone:
            raise InvalidInput(findings=lone, hint="Send well-formed UTF-8.")
        try:
            values = self.model.model_validate(normalised)
        except ValidationError as refused:
            raise self._error(refused) from None
        return dict(values.__dict__)

    def named(self, positional: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a Python call by name.

        Raises InvalidInput for too many positional arguments, and for one that is also passed by name.
        """
        if len(positional) > len(self._positional):
            raise InvalidInput(
                f"{self._tool} was called with {len(positional)} positional arguments; "
                f"it takes at most {len(self._positional)}.",
                hint=f"Positional parameters: {', '.join(self._positional) or 'none'}.",
            )
        named = dict(zip(self._positional, positional, strict=False))
        if doubled := named.keys() & keywords.keys():
            raise InvalidInput(
                f"{self._tool} was called with {min(doubled)!r} by position and by name.",
                hint="Pass it once.",
            )
        return named | dict(keywords)

    @cached_property
    def _signature(self) -> list[inspect.Parameter]:
        _, *parameters = inspect.signature(self._function).parameters.values()  # without self
        return parameters

    @cached_property
    def _fields(self) -> dict[str, tuple[Any, Any]]:
        """The annotation and the default of each parameter, ``...`` for a required one."""
        fields: dict[str, tuple[Any, Any]] = {}
        for parameter in self._signature:
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                fields |= _unpacked(self.hints[parameter.name])
                continue
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[parameter.name] = (self.hints[parameter.name], default)
        return fields

    @cached_property
    def _positional(self) -> list[str]:
        return [
            parameter.name
            for parameter in self._signature
            if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        ]

    @cached_property
    def _known(self) -> Mapping[str, ExpectedMember]:
        return known_members(
            (name, annotation, dataclasses.MISSING if default is ... else default)
            for name, (annotation, default) in self._fields.items()
        )

    def _error(self, refused: ValidationError) -> InvalidInput:
        """Pydantic's findings as one error."""
        findings = [self._finding(error) for error in refused.errors(include_url=False, include_input=False)]
        return InvalidInput(findings=findings, hint="Correct the arguments and call again.")

    def _finding(self, error: ErrorDetails) -> InputFinding:
        first, *inside = error["loc"] or ("arguments",)
        known = self._names_at(error["loc"][:-1]) if error["type"] in _UNKNOWN else ()
        return InputFinding(str(first), fault(error), tuple(inside), known)

    def _names_at(self, location: tuple[int | str, ...]) -> tuple[str, ...]:
        """The names of the members of the record at a location within the arguments."""
        names = {name: annotation for name, (annotation, _) in self._fields.items()}
        for part in location:
            kind, _ = unwrap(names.get(str(part)))
            if get_origin(kind) is list:
                kind, _ = unwrap(get_args(kind)[0])
            if is_record(kind):
                names = {name: hint for name, hint, _ in members(kind)}
        return tuple(names)


def _ids(name: str, annotation: Any) -> list[Path]:
    """The places of ids in a parameter: itself, or members of its records."""
    kind, _ = unwrap(annotation)
    if get_origin(kind) is list:
        (item,) = get_args(kind)
        if is_record(unwrap(item)[0]):
            return [
                (name, member)
                for member, hint, _ in members(unwrap(item)[0])
                if _ids(member, hint) == [(member,)]
            ]
        return _ids(name, item)
    return [(name,)] if any(isinstance(mark, IdForm) for mark in metadata(annotation)) else []


def _unpacked(annotation: Any) -> dict[str, tuple[Any, Any]]:
    """The fields of an unpacked TypedDict, which several operations share; all are optional."""
    (kind,) = get_args(annotation)
    return {name: (hint, None) for name, hint in get_type_hints(kind, include_extras=True).items()}
