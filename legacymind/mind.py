"""Composes the services into one mind and lists what it can do."""

import asyncio
from types import TracebackType
from typing import Self

from legacymind.db.graph import Graph
from legacymind.db.options import Address, Limits
from legacymind.embed import make_embedder
from legacymind.embed.base import Embedder
from legacymind.engine import Engine
from legacymind.errors import EngineNotRunning
from legacymind.operations.registry import Operation, operations_of
from legacymind.services.chain.hashing import ChainKeys
from legacymind.services.chain.heads import HeadService
from legacymind.services.chain.trees import TreeService
from legacymind.services.chain.verification import ChainService
from legacymind.services.knowledge.importing import ImportService
from legacymind.services.knowledge.remember import KnowledgeService
from legacymind.services.maintain.calibration import CalibrationService
from legacymind.services.maintain.demo import DemoService
from legacymind.services.search.context import ContextService
from legacymind.services.search.explain import ExplainService
from legacymind.services.search.service import SearchService
from legacymind.services.search.trails import TrailService
from legacymind.services.shared.deferred import Deferring
from legacymind.services.shared.vectors import Vectors
from legacymind.services.think.outcomes import OutcomeService
from legacymind.services.think.records import RecordService
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.settings import Settings


class Mind:
    """Everything LegacyMind does, over one database and one embedder.

    Making one does no I/O: it connects, starts the managed engine and loads the model when they
    are first needed. ``session_id`` is the session of thoughts that name none.
    """

    def __init__(
        self, settings: Settings, *, session_id: str | None = None, embedder: Embedder | None = None
    ) -> None:
        self.settings = settings
        self.engine = Engine(settings)
        self.graph = Graph(self._locate, limits=_limits(settings))
        self.vectors = Vectors(self.graph, embedder or make_embedder(settings))
        keys = ChainKeys.of(settings)
        deferring = Deferring(self.graph, self.vectors, settings)
        self.store = Store(self.graph, self.vectors, deferring, keys, settings)
        self.think = ThinkService(self.store, self.vectors, settings, session_id=session_id)
        self.outcomes = OutcomeService(self.graph, settings)
        self.search = SearchService(self.graph, self.vectors, settings, session_id=session_id)
        self.context = ContextService(self.graph, self.vectors, settings, session_id=session_id)
        self.trails = TrailService(self.graph, settings, session_id=session_id)
        self.explain = ExplainService(self.graph, self.vectors, settings, session_id=session_id)
        self.chain = ChainService(self.graph, settings, keys)
        self.records = RecordService(self.graph, self.think, settings)
        self.trees = TreeService(self.graph, settings, session_id=session_id)
        self.heads = HeadService(self.graph, settings, keys)
        self.knowledge = KnowledgeService(self.graph, self.vectors, deferring, settings)
        self.calibration = CalibrationService(self.graph, self.vectors, settings)
        self.importing = ImportService(self.think, self.store, self.knowledge, self.vectors, settings)
        self.demo = DemoService(self.graph)
        services = (
            self.think,
            self.outcomes,
            self.search,
            self.context,
            self.trails,
            self.explain,
            self.knowledge,
            self.chain,
            self.records,
            self.trees,
            self.heads,
        )
        self.operations: dict[str, Operation] = {
            operation.name: operation for service in services for operation in operations_of(service)
        }

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; the managed engine goes on running."""
        await self.vectors.embedder.close()
        await self.graph.close()

    async def _locate(self) -> Address:
        settings = self.settings
        if settings.neo4j_uri:
            return Address(
                settings.neo4j_uri,
                settings.neo4j_username,
                settings.neo4j_password,
                settings.neo4j_database,
                settings.neo4j_ca_file,
            )
        if not self.engine.downloaded:
            # A download of 200 MB is nothing to start behind the back of somebody's first thought.
            raise EngineNotRunning(
                "The managed Neo4j has not been set up yet.",
                hint="Run `legacymind up` once, or point NEO4J_URI at a Neo4j of your own.",
            )
        # Shielded: a caller who gives up must not take a starting engine with him.
        status = await asyncio.shield(self.engine.up())
        return Address(status.uri, status.username, self.engine.password())


def _limits(settings: Settings) -> Limits:
    return Limits(
        statement=settings.query_timeout,
        connections=settings.pool_size,
        connect=settings.connect_timeout,
        wait=settings.pool_timeout,
        retry=settings.retry_time,
    )
