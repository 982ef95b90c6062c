"""What every service works with: the database, the embedder, the settings, and whose calls it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Protocol, Self, TypeVar, get_origin, get_type_hints

from legacymind.calls import current_caller
from legacymind.db.graph import Graph
from legacymind.db.options import Limits
from legacymind.db.query import load
from legacymind.engine import Engine
from legacymind.errors import InvalidInput, NotFound, UserNeeded
from legacymind.operations.registry import Operation
from legacymind.services.shared import checks
from legacymind.services.shared.authors import Authors
from legacymind.services.shared.chain_keys import ChainKeys
from legacymind.services.shared.deferred import DeferredEmbedding
from legacymind.services.shared.quotas import Quotas
from legacymind.services.shared.vectors import Vectors
from legacymind.settings import Settings

S = TypeVar("S")

FIND_KEPT_PRIVATE = load("trust/find_kept_private", str, writes=False)
FIND_IDS = load("nodes/find_ids", tuple[str, list[str]], writes=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceContext:
    """What the services of a process share. ``session_id`` is the session of calls that name none."""

    graph: Graph
    vectors: Vectors
    authors: Authors
    deferred_embedding: DeferredEmbedding
    keys: ChainKeys
    quotas: Quotas
    engine: Engine
    limits: Limits
    settings: Settings
    session_id: str | None = None

    def everywhere(self) -> Self:
        """The context of work on all namespaces."""
        return replace(self, settings=self.settings.changed(namespace_fixed=False))


class OtherServices(Protocol):
    """The other services (``legacymind.composition``)."""

    def of(self, kind: type[S]) -> S:
        """The one service of a class."""
        ...

    def operations(self) -> Mapping[str, Operation]:
        """Every operation by its name."""
        ...


class Service:
    """A service with its context. It gets the services that its class names by annotations."""

    def __init__(self, context: ServiceContext, services: OtherServices) -> None:
        self._graph = context.graph
        self._vectors = context.vectors
        self._authors = context.authors
        self._deferred_embedding = context.deferred_embedding
        self._keys = context.keys
        self._quotas = context.quotas
        self._engine = context.engine
        self._limits = context.limits
        self._settings = context.settings
        self._process_session = context.session_id
        for name, kind in annotated(type(self)).items():
            setattr(self, name, services.of(kind))

    @property
    def session_id(self) -> str | None:
        """The session of calls that name none."""
        return current_caller().session or self._process_session

    async def admit(self, given: Mapping[str, Any]) -> None:
        """Raise UserNeeded if an agent's call names a session whose private thoughts it did not write."""
        caller = current_caller()
        if caller.may_as_user:
            return
        drafts: list[Mapping[str, Any]] = given.get("thoughts") or []
        named = [
            (name, each.get(name)) for each in (given, *drafts) for name in ("session_id", "own_session_id")
        ]
        names = {checks.key(name, session) for name, session in named}
        sessions = sorted(filter(None, names - {self.session_id}))
        if sessions:
            namespace = checks.namespace(given.get("namespace"), self._settings)
            asked = {"namespace": namespace, "sessions": sessions, "by": caller.by}
            for kept in await self._graph.run(FIND_KEPT_PRIVATE, asked):
                raise UserNeeded(
                    f"The session {kept} has private thoughts that this caller did not write.",
                    effect="Nothing was read or changed.",
                    hint="Ask the user, or name a session of your own.",
                )

    async def whole_ids(self, given: Mapping[str, Any], beginnings: Mapping[str, str]) -> dict[str, str]:
        """The ids that begin with short ones, by these as they were sent.

        Raises NotFound if none begins so, and InvalidInput if several do.
        """
        own_session = given.get("own_session_id") or given.get("session_id") or self.session_id
        begun = sorted(set(beginnings.values()))
        asked = {
            "beginnings": begun,
            "namespace": checks.namespace(given.get("namespace"), self._settings),
            "own_session": own_session or "",
        }
        found = dict(await self._graph.run(FIND_IDS, asked))
        for beginning in begun:
            if not (ids := found.get(beginning)):
                raise NotFound(
                    f"No id in this namespace begins with {beginning}.",
                    hint="Send an id of an answer, and its `namespace`. A private one needs its session.",
                )
            if len(ids) > 1:
                raise InvalidInput(
                    f"Several ids begin with {beginning}: {', '.join(ids)}.", hint="Send the whole id."
                )
        return {sent: found[beginning][0] for sent, beginning in beginnings.items()}


@cache
def annotated(kind: type) -> dict[str, Any]:
    """The classes that the annotations of a class name, by attribute."""
    return {name: hint for name, hint in get_type_hints(kind).items() if get_origin(hint) is None}
