"""What an operation is: declared once on a service method, translated by every door.

A service marks a method with ``@operation``. Its annotations are the parameters, its
docstring the description, its return type the result. ``Operation.call`` is the one way
in: it validates, forgives what can be forgiven, and names what cannot.
"""

import dataclasses
import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import (
    Any,
    Literal,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.alias_generators import to_camel
from pydantic_core import to_jsonable_python

from legacymind.errors import InvalidInput
from legacymind.operations.coercion import Member, normalise_arguments
from legacymind.operations.introspection import is_record, members, unwrap

Profile = Literal["core", "full"]
F = TypeVar("F", bound=Callable[..., Awaitable[Any]])


@dataclass(frozen=True, slots=True)
class Declaration:
    """What ``@operation`` says beyond the method itself.

    ``tool`` is the MCP name, ``command`` the CLI's; GraphQL uses the method's own name. A write
    is ``idempotent`` when repeating it changes nothing, ``destructive`` when it takes something away.
    """

    tool: str
    command: str
    writes: bool
    profile: Profile
    idempotent: bool = False
    destructive: bool = False


def operation(
    *,
    tool: str,
    command: str,
    writes: bool,
    profile: Profile = "core",
    idempotent: bool = False,
    destructive: bool = False,
) -> Callable[[F], F]:
    """Mark a service method as an operation."""

    def mark(method: F) -> F:
        method.__dict__["operation"] = Declaration(
            tool, command, writes, profile, idempotent or not writes, destructive
        )
        return method

    return mark


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an operation, as a door needs it."""

    name: str
    annotation: Any
    description: str
    required: bool
    default: Any


@dataclass(frozen=True, slots=True)
class Operation:
    """A declared operation bound to its service."""

    name: str
    declaration: Declaration
    method: Callable[..., Awaitable[Any]]
    model: type[BaseModel]
    returns: Any

    @property
    def description(self) -> str:
        """The first paragraph of the method's docstring."""
        doc = inspect.getdoc(self.method) or ""
        return " ".join(doc.split("\n\n")[0].split())

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters in the order of the signature."""
        return [
            Parameter(
                name,
                info.annotation,
                info.description or "",
                info.is_required(),
                None if info.is_required() else info.get_default(call_default_factory=True),
            )
            for name, info in self.model.model_fields.items()
        ]

    @property
    def _members(self) -> list[Member]:
        return [
            (name, info.annotation, dataclasses.MISSING if info.is_required() else info.get_default())
            for name, info in self.model.model_fields.items()
        ]

    async def call(self, arguments: Mapping[str, Any]) -> Any:
        """Validate the arguments and run the operation.

        Raises InvalidInput naming every parameter that is unknown, missing or wrong.
        """
        try:
            values = self.model.model_validate(
                normalise_arguments(self.declaration.tool, arguments, self._members)
            )
        except ValidationError as refused:
            raise _explained(self, refused) from None
        given = {name: getattr(values, name) for name in type(values).model_fields}
        return await self.method(**given)

    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments, without what a reader does not need."""
        schema = cast("dict[str, Any]", _slim(self.model.model_json_schema()))
        kinds = schema.pop("$defs", {})
        return cast("dict[str, Any]", _inlined(schema, kinds))


def bind(service: object) -> list[Operation]:
    """The operations that a service object declares, in the order of their definition."""
    found: list[Operation] = []
    for name, function in vars(type(service)).items():
        declaration = getattr(function, "operation", None)
        if isinstance(declaration, Declaration):
            found.append(_bind(name, getattr(service, name), declaration))
    return found


def _bind(name: str, method: Callable[..., Awaitable[Any]], declaration: Declaration) -> Operation:
    hints = get_type_hints(method, include_extras=True)
    members: dict[str, Any] = {}
    for parameter in inspect.signature(method).parameters.values():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            members |= _shared(hints[parameter.name])
            continue
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        members[parameter.name] = (hints[parameter.name], default)
    model = create_model(name, __config__=ConfigDict(extra="forbid", hide_input_in_errors=True), **members)
    return Operation(name, declaration, method, model, hints.get("return"))


def _shared(unpacked: Any) -> dict[str, Any]:
    """The parameters that several operations have in common: ``**given: Unpack[SomeTypedDict]``."""
    (kind,) = get_args(unpacked)
    return {name: (hint, None) for name, hint in get_type_hints(kind, include_extras=True).items()}


def _explained(op: Operation, refused: ValidationError) -> InvalidInput:
    """Pydantic's findings as one sentence that repeats no value (it may be private, or 10 MB)."""
    findings: list[str] = []
    known: dict[str, str] = {}
    for error in refused.errors(include_url=False, include_input=False):
        where = ".".join(str(part) for part in error["loc"]) or "the arguments"
        if error["type"] in {"extra_forbidden", "unexpected_keyword_argument"}:
            known.update([_known(op, error["loc"][:-1])])
            findings.append(f"unknown parameter {where[:80]!r}")
        elif error["type"] in {"missing", "missing_argument"}:
            findings.append(f"missing parameter {where!r}")
        else:
            findings.append(f"{where}: {error['msg'][:200]}")
    return InvalidInput(
        f"{op.declaration.tool} was called with {'; '.join(findings[:8])}.",
        hint=" ".join(f"Known parameters{of}: {names}." for of, names in known.items())
        or "Correct it and call again.",
    )


def _known(op: Operation, place: tuple[int | str, ...]) -> tuple[str, str]:
    """Whose parameters are known at a place of the arguments, and their names."""
    of, names = "", {name: info.annotation for name, info in op.model.model_fields.items()}
    for part in place:
        kind, _ = unwrap(names.get(str(part)))
        if get_origin(kind) is list:
            kind, _ = unwrap(get_args(kind)[0])
        if is_record(kind):
            of, names = f" of {part}", {name: hint for name, hint, _ in members(kind)}
    return of, ", ".join(names)


def _slim(node: Any) -> Any:
    """A schema without titles, null branches and null defaults: a third of the size, the same meaning."""
    if isinstance(node, list):
        return [_slim(item) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    source = cast("dict[str, Any]", node)
    slim: dict[str, Any] = {}
    for key, value in source.items():
        if key in ("title", "format") and isinstance(value, str):
            continue  # what a moment is, its name says, and what is wrong with one, the error
        if key == "default" and value in (None, [], False):
            continue
        if key == "properties":
            slim[key] = {name: _slim(member) for name, member in value.items()}
        elif key == "$defs":  # what a record is, its name and its place say
            slim[key] = {
                name: {part: it for part, it in _slim(kind).items() if part != "description"}
                for name, kind in value.items()
            }
        elif key == "anyOf":
            branches = [branch for branch in value if branch != {"type": "null"}]
            if len(branches) == 1:
                slim.update(_slim(branches[0]))
            else:
                slim[key] = _slim(branches)
        else:
            slim[key] = _slim(value)
    return slim


def _inlined(node: Any, kinds: Mapping[str, Any]) -> Any:
    """A schema with its records where they are used: no record holds itself, and each is used once."""
    if isinstance(node, list):
        return [_inlined(item, kinds) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    source = cast("dict[str, Any]", node)
    if "$ref" in source:
        kind = dict(kinds[source["$ref"].rpartition("/")[2]])
        kind.pop("additionalProperties", None)  # refused all the same, by name
        return _inlined(kind, kinds)
    return {key: _inlined(value, kinds) for key, value in source.items()}


def camelized(value: Any) -> Any:
    """A result as plain JSON with camelCase keys, as decision records answer."""
    return _camelized(to_jsonable_python(value))


def _camelized(value: Any) -> Any:
    if isinstance(value, list):
        return [_camelized(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {to_camel(key): _camelized(item) for key, item in cast("dict[str, Any]", value).items()}
    return value
