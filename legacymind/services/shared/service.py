"""What every service works with: the database, the embedder, the settings, and whose calls it answers."""

from dataclasses import dataclass

from legacymind.db.graph import Graph
from legacymind.services.shared.authors import Authors
from legacymind.services.shared.chain_keys import ChainKeys
from legacymind.services.shared.deferred import DeferredEmbedding
from legacymind.services.shared.quotas import Quotas
from legacymind.services.shared.vectors import Vectors
from legacymind.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceContext:
    """What the services of one caller share. ``session_id`` is the session of calls that name none.

    A process has one of each but ``settings``, which name the caller's namespace.
    """

    graph: Graph
    vectors: Vectors
    authors: Authors
    deferred_embedding: DeferredEmbedding
    keys: ChainKeys
    quotas: Quotas
    settings: Settings
    session_id: str | None = None


class Service:
    """A service with its context."""

    def __init__(self, context: ServiceContext) -> None:
        self._graph = context.graph
        self._vectors = context.vectors
        self._authors = context.authors
        self._deferred_embedding = context.deferred_embedding
        self._keys = context.keys
        self._quotas = context.quotas
        self._settings = context.settings
        self._session_id = context.session_id
