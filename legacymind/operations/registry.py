"""Declares operations: a service marks a method with ``@operation``, and every door offers it.

The method's annotations are the parameters, the first paragraph of its docstring is the description, its
return type is the result. The marked method validates its arguments in every call.
"""

import functools
import inspect
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, ParamSpec, Protocol, TypeVar, cast, get_args, get_origin, overload

from legacymind.calls import current_caller, one_call
from legacymind.errors import InternalError, LegacyMindError, RequestRefused, UserNeeded
from legacymind.model.about import is_record, members, unwrap
from legacymind.model.base import Answer
from legacymind.model.help import Profile
from legacymind.model.values import number
from legacymind.observe import Step, observed
from legacymind.operations.descriptions import describe
from legacymind.operations.ids import replaced, short_ids
from legacymind.operations.json_schema import schema_of
from legacymind.operations.pages import Paged, check, fitted, read_of
from legacymind.operations.validation import Arguments, Parameter
from legacymind.origins import Role

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])
M = TypeVar("M", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R", bound=Answer)


class Decorator(Protocol):
    """Marks a method as an operation. One that returns a page answers with the part of it that fits."""

    @overload
    def __call__(
        self, method: Callable[P, Coroutine[Any, Any, Paged[R]]], /
    ) -> Callable[P, Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(self, method: F, /) -> F: ...


class Serving(Protocol):
    """A service, as operations need it."""

    @property
    def session_id(self) -> str | None:
        """The session of calls that name none."""
        ...

    async def admit(self, given: Mapping[str, Any], /) -> None:
        """Raise UserNeeded for a call with these arguments that only the user makes."""
        ...

    async def whole_ids(
        self, given: Mapping[str, Any], beginnings: Mapping[str, str], /
    ) -> Mapping[str, str]:
        """The ids that begin so; raises NotFound, and InvalidInput if several do."""
        ...


@dataclass(frozen=True, slots=True)
class Declaration:
    """The arguments of ``@operation``.

    ``tool`` is the MCP name, ``command`` the CLI's; GraphQL and Python use the method's own name. A write
    is ``idempotent`` when repeating it changes nothing, ``destructive`` when it removes data. ``planned`` has
    the arguments with which it changes nothing, which are those of every caller but the user; without any,
    it refuses others.
    """

    tool: str
    command: str
    writes: bool
    profile: Profile
    idempotent: bool = False
    destructive: bool = False
    planned: Mapping[str, Any] | None = None


ASK: Final = "Only the user does this. Ask them: they may do it in a terminal, or in the explorer."
"""What an answer says to a caller who is not the user and so gets a plan."""


def operation(
    *,
    tool: str,
    command: str,
    writes: bool,
    profile: Profile = "core",
    idempotent: bool = False,
    destructive: bool = False,
    planned: Mapping[str, Any] | None = None,
    job: bool = False,
) -> Decorator:
    """Mark a service method as an operation.

    The marked method coerces and validates its arguments before it runs. It raises InvalidInput for an
    unknown, missing or invalid one, and RequestRefused if the role of the caller does not allow it; a ``job``
    over the whole memory needs the role admin. One operation calls another through ``unvalidated``.
    """
    role: Role = "admin" if job else "write" if writes else "read"
    declaration = Declaration(tool, command, writes, profile, idempotent or not writes, destructive, planned)

    def mark(method: Any) -> Any:
        arguments = Arguments(tool, method)

        @functools.wraps(method)
        async def validated(self: object, /, *positional: Any, **keywords: Any) -> Any:
            try:
                with observed(Step("operation", method.__name__, arguments=keywords)) as step:
                    check_role(role)
                    named = arguments.named(positional, keywords) if positional else keywords
                    step.arguments = values = arguments.validate(named)
                    service = cast("Serving", self)
                    named_session = values.get("session_id") or values.get("own_session_id")
                    step.session = named_session or service.session_id
                    asks = planned is not None and not current_caller().may_as_user
                    if asks and not planned:
                        raise UserNeeded(ASK, effect="Nothing was changed.")
                    asks = asks and any(values.get(name) != safe for name, safe in (planned or {}).items())
                    if asks:
                        step.arguments = values = {**values, **(planned or {})}
                    if arguments.paged and values.get("after") is not None:
                        check(values["after"], _read(arguments, values, self))
                    with one_call():
                        await service.admit(values)
                        if short := short_ids(values, arguments.ids):
                            whole = await service.whole_ids(values, short)
                            step.arguments = values = replaced(values, arguments.ids, whole)
                        result = await method(self, **values)
                    answer = _answer(_warned(result, named, values), values, self, arguments)
                    step.result = replace(cast("Any", answer), ask=ASK) if asks else answer
                    return step.result
            except LegacyMindError as raised:
                if writes:
                    raised.of_write()
                raise
            except Exception as raised:
                if writes:
                    raised.add_note(InternalError.written)
                raise

        validated.__dict__.update(declaration=declaration, arguments=arguments)
        return validated

    return mark


def check_role(needed: Role) -> None:
    """Raise RequestRefused if the caller has a role that is below the needed one."""
    caller = current_caller()
    if not caller.may(needed):
        raise RequestRefused(
            f"This token has the role {caller.role}, and this needs {needed}.",
            hint=f"Use a token that was made with `--role {needed}`.",
        )


def _answer(returned: object, values: Mapping[str, Any], service: object, arguments: Arguments) -> object:
    """The result with the namespace of the call; of a page, the part that fits."""
    paged = cast("Paged[Answer]", returned) if isinstance(returned, Paged) else None
    result = paged.result if paged else cast("object", returned)
    if isinstance(result, Answer) and not result.namespace:
        result = replace(result, namespace=_namespace(values, service))
    if paged is None or not isinstance(result, Answer):
        return result
    read = _read(arguments, values, service)
    return fitted(replace(paged, result=result), read, values, arguments.usual("limit"))


def _warned(result: Any, given: Mapping[str, Any], used: Mapping[str, Any]) -> Any:
    """The result, which warns of each number that was moved into its range or rounded, if it has warnings."""
    if not hasattr(result, "warnings"):
        return result
    numbers = {name: value for name, value in used.items() if isinstance(value, int | float)}
    read = {name: number(given[name]) for name in numbers.keys() & given.keys()}
    moved = [
        f"{name} {value:g} was read as {numbers[name]:g}."
        if abs(value) <= sys.float_info.max
        else f"{name} was read as {numbers[name]:g}."
        for name, value in sorted(read.items())
        if isinstance(value, int | float) and value != numbers[name]
    ]
    return replace(result, warnings=[*moved, *result.warnings]) if moved else result


def _read(arguments: Arguments, values: Mapping[str, Any], service: object) -> dict[str, Any]:
    """What a cursor is bound to."""
    return read_of(arguments.name, {**values, "namespace": _namespace(values, service)})


def _namespace(values: Mapping[str, Any], service: object) -> str:
    return values.get("namespace") or current_caller().namespace or vars(service)["_settings"].namespace


def unvalidated(method: M) -> M:
    """A bound operation without its validation, to be called with validated arguments.

    Coercion is not idempotent: a second pass would split a tag that was quoted because it has a comma.
    """
    bound: Any = method
    return cast("M", functools.partial(bound.__wrapped__, bound.__self__))


@dataclass(frozen=True, slots=True)
class Operation:
    """A declared operation bound to its service."""

    name: str
    declaration: Declaration
    method: Callable[..., Awaitable[Any]]
    arguments: Arguments

    @property
    def description(self) -> str:
        """The first paragraph of the method's docstring."""
        doc = inspect.getdoc(self.method) or ""
        return " ".join(doc.split("\n\n")[0].split())

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters in the order of the signature."""
        return self.arguments.parameters

    @property
    def tuning(self) -> list[str]:
        """The parameters for tuning, and such members of records in lists as ``relations.supersedes``."""
        names = [parameter.name for parameter in self.parameters if parameter.tuning]
        for parameter in self.parameters:
            kind, _ = unwrap(parameter.annotation)
            if get_origin(kind) is list and is_record(record := get_args(kind)[0]):
                names += [
                    f"{parameter.name}.{name}"
                    for name, annotation, default in members(record)
                    if describe(annotation, default).tuning
                ]
        return names

    @property
    def returns(self) -> Any:
        """The type of the result."""
        returned = self.arguments.hints.get("return")
        return get_args(returned)[0] if self.arguments.paged else returned

    async def call(self, arguments: Mapping[str, Any]) -> Any:
        """Run the operation; raises InvalidInput with every unknown, missing or invalid parameter."""
        return await self.method(**arguments)

    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments, with the short descriptions."""
        return schema_of(self.arguments.model)


def operations_of(service: object) -> list[Operation]:
    """The operations that a service or its class declares, in the order of their definition."""
    kind = service if isinstance(service, type) else type(service)
    return [
        Operation(name, declaration, getattr(service, name), function.arguments)
        for name, function in vars(kind).items()
        if isinstance(declaration := getattr(function, "declaration", None), Declaration)
    ]
