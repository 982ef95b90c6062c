"""What a caller of the HTTP server may do, for all doors behind it."""

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from legacymind.calls import caller
from legacymind.composition import Services
from legacymind.mind import Mind
from legacymind.operations.registry import Operation

BODY: Final = "legacymind.body"
"""The key of the scope with the body of a request, after a middleware has read it."""

_KEY: Final = "legacymind.access"

_KNOWN: Final = 1000
"""The most callers and sessions with operations in memory; those used last stay."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who sends a request, the only namespace that it may use (None: all), and whether it may write.

    ``anonymous``: the request needs no token and has none, although others need one. ``shared``: the caller
    is an address, which several clients may have. ``challenge`` is the value of ``WWW-Authenticate`` with
    which a client learns how to get a token that may write; blank if there is no way.
    """

    caller: str
    namespace: str | None = None
    writes: bool = True
    anonymous: bool = False
    shared: bool = False
    challenge: str = ""

    def note(self, scope: MutableMapping[str, Any]) -> None:
        """Note the access in the scope of the request."""
        scope[_KEY] = self

    @classmethod
    def noted(cls, scope: Mapping[str, Any]) -> "Access | None":
        """The access noted in the scope of a request; None if the request was refused before."""
        access: Access | None = scope.get(_KEY)
        return access

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> "Access":
        """The access noted in the scope of a request. Without one, the request may do nothing."""
        access: Access = scope[_KEY]
        return access


class Offer(NamedTuple):
    """What a caller may use: operations by name, and the services behind them, for reads of nodes.

    Without ``writes``, operations that write refuse every call.
    """

    operations: Mapping[str, Operation]
    services: Services
    writes: bool = True


class Callers:
    """What a mind offers to each caller."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._offers = lru_cache(maxsize=_KNOWN)(self._make)

    def offer(self, scope: Mapping[str, Any], session_id: str | None = None) -> Offer:
        """The offer for a request, whose task works for its caller from now on.

        ``session_id`` is the session of calls that name none.
        """
        access = Access.of(scope)
        # Not every caller: a token with many sessions would get more than its turn.
        caller.set(f"{access.caller} {session_id}" if access.shared and session_id else access.caller)
        return self._offers(access.namespace, access.writes, session_id)

    def _make(self, namespace: str | None, writes: bool, session_id: str | None) -> Offer:
        services, operations = self._mind.services, self._mind.operations
        if namespace is not None or session_id is not None:
            services = services.of_caller(namespace=namespace, session_id=session_id)
            operations = services.operations()
        if not writes:
            operations = {name: operation.for_readers() for name, operation in operations.items()}
        return Offer(operations, services, writes)
