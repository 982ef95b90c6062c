"""The public Python API: composes the services over one database and one embedder."""

import asyncio
import os
from copy import copy
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from legacymind.calls import in_background
from legacymind.db.graph import Graph
from legacymind.db.options import Address, Limits
from legacymind.embed import make_embedder
from legacymind.embed.base import Embedder
from legacymind.embed.reranker import Reranker, make_reranker
from legacymind.engine import Engine
from legacymind.model.progress import Progress
from legacymind.operations.registry import Operation, operations_of
from legacymind.services.chain.anchors import AnchorService
from legacymind.services.chain.audit import AuditService
from legacymind.services.chain.hashing import ChainKeys
from legacymind.services.chain.heads import HeadService
from legacymind.services.chain.trees import TreeService
from legacymind.services.chain.verification import ChainService
from legacymind.services.knowledge.duplicates import DuplicateService
from legacymind.services.knowledge.entities import EntityService
from legacymind.services.knowledge.importers.sources import opened
from legacymind.services.knowledge.importing import Imported, ImportService
from legacymind.services.knowledge.merging import MergeService
from legacymind.services.knowledge.remember import KnowledgeService
from legacymind.services.maintain.adoption import AdoptionService
from legacymind.services.maintain.analysis import AnalysisService
from legacymind.services.maintain.calibration import CalibrationService
from legacymind.services.maintain.demo import DemoService
from legacymind.services.maintain.maps import MapService
from legacymind.services.maintain.size import SizeService
from legacymind.services.maintain.tokens import TokenService
from legacymind.services.nodes.lists import NodeLists
from legacymind.services.nodes.reads import NodeReads
from legacymind.services.nodes.sessions import SessionReads
from legacymind.services.search.context import ContextService
from legacymind.services.search.explain import ExplainService
from legacymind.services.search.nodes import NodeService
from legacymind.services.search.service import SearchService
from legacymind.services.search.trails import TrailService
from legacymind.services.shared import ahead
from legacymind.services.shared.deferred import DeferredEmbedding
from legacymind.services.shared.vectors import Vectors
from legacymind.services.think.outcomes import OutcomeService
from legacymind.services.think.records import RecordService
from legacymind.services.think.relations import RelationService
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.settings import Settings, load_settings

_STATEMENTS_PER_CORE: Final = 4


class Services:
    """The service objects behind a mind: its internals, for the doors and for tests."""

    def __init__(
        self,
        graph: Graph,
        vectors: Vectors,
        settings: Settings,
        *,
        session_id: str | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        self._keys = ChainKeys.of(settings)
        self._deferred_embedding = DeferredEmbedding(graph, vectors, settings)
        self._graph, self._vectors, self._reranker = graph, vectors, reranker
        # A process has one store, because it caches the heads of sessions.
        self.store = Store(graph, vectors, self._deferred_embedding, self._keys, settings)
        # Nodes made by hand may be of any namespace.
        everywhere = replace(settings, namespace_fixed=False)
        self.adoption = AdoptionService(graph, vectors, self._deferred_embedding, self._keys, everywhere)
        self.demo = DemoService(graph)
        self.tokens = TokenService(graph, settings)
        self.size = SizeService(graph)
        self._bind(settings, session_id)

    def _bind(self, settings: Settings, session_id: str | None) -> None:
        """Make the services that depend on the namespace or the session of a caller."""
        graph, vectors, keys = self._graph, self._vectors, self._keys
        self._settings = settings
        self.think = ThinkService(self.store, vectors, settings, session_id=session_id)
        self.search = SearchService(graph, vectors, settings, session_id=session_id, reranker=self._reranker)
        self.context = ContextService(graph, vectors, settings, session_id=session_id)
        self.trails = TrailService(graph, settings, session_id=session_id)
        self.nodes = NodeService(graph, settings, session_id=session_id)
        self.reads = NodeReads(graph, settings, session_id=session_id)
        self.session_reads = SessionReads(graph)
        self.lists = NodeLists(graph, settings, self.session_reads)
        self.explain = ExplainService(graph, vectors, settings, session_id=session_id)
        self.records = RecordService(graph, self.think, self.store, keys, settings)
        self.relations = RelationService(graph, settings, session_id=session_id)
        self.trees = TreeService(graph, settings, session_id=session_id)
        self.outcomes = OutcomeService(graph, settings)
        self.chain = ChainService(graph, settings, keys)
        self.heads = HeadService(graph, settings, keys)
        self.anchors = AnchorService(graph, settings)
        self.audit = AuditService(settings, self.chain, self.heads, self.anchors)
        self.knowledge = KnowledgeService(graph, vectors, self._deferred_embedding, settings)
        self.entities = EntityService(graph, settings)
        self.analysis = AnalysisService(graph, vectors, settings)
        self.merging = MergeService(graph, settings)
        self.maps = MapService(graph, settings)
        self.duplicate_search = DuplicateService(graph, vectors, settings)
        self.calibration = CalibrationService(graph, vectors, settings)
        self.importing = ImportService(graph, self.think, self.store, self.knowledge, vectors, settings)

    def of_caller(self, *, namespace: str | None = None, session_id: str | None = None) -> "Services":
        """The same services with a session for calls that name none, and with one namespace for all calls."""
        settings = self._settings
        if namespace is not None:
            settings = replace(settings, namespace=namespace, namespace_fixed=True)
        services = copy(self)
        services._bind(settings, session_id)
        return services

    def operations(self) -> dict[str, Operation]:
        """Every operation by its name, in the order in which the doors list them."""
        services = (
            self.think,
            self.outcomes,
            self.search,
            self.context,
            self.trails,
            self.nodes,
            self.explain,
            self.knowledge,
            self.entities,
            self.merging,
            self.duplicate_search,
            self.chain,
            self.records,
            self.relations,
            self.trees,
            self.heads,
            self.anchors,
            self.analysis,
        )
        return {operation.name: operation for service in services for operation in operations_of(service)}


class Mind:
    """A memory: one database, one embedder, and every operation as a method.

    Without ``settings`` they are read from ``legacymind.toml`` and the environment; ``namespace`` replaces
    the settings' one. ``session_id`` is the session of calls that name none. Use it as an async context
    manager, or call ``close``. Making one does no other I/O: the first call that needs them connects, starts
    the managed engine and loads the model. ``progress`` is called while the managed engine starts.

    Every operation validates its arguments: it raises InvalidInput for what cannot be used, names unknown
    parameters, and moves numbers into their range (docs/parameters.md). Other errors are the subclasses of
    LegacyMindError.

    Think: ``think``, ``think_convo``, ``think_technical``, ``think_batch``, ``record_outcome``,
    ``relate_thought``, ``pin_thought``.
    Find: ``search``, ``search_thoughts``, ``context``, ``walk_trail``, ``thoughts_thread``,
    ``thoughts_links``, ``get``, ``explain_recall``.
    Keep knowledge: ``remember``, ``entity``, ``forget``, ``merge``, ``duplicates``, ``import_file``,
    ``import_lines``, ``import_graph``.
    Record decisions: ``thought_record``, ``thought_plan``, ``thought_analysis``, ``thought_decision``,
    ``thought_reflection``, ``thought_tree``, ``thought_for_action``, ``thought_reasoning_trail``,
    ``redact_thought``.
    Prove: ``verify`` (also ``verify_chain``), ``verify_all``, ``chain_heads``, ``read_heads``, ``sessions``,
    ``export_chain``, ``anchor``, ``anchor_proof``.
    Analyse the graph: ``analyze``, ``communities``, ``read_map``.
    Use nodes made by hand: ``adopt``, ``unadopted``, ``watch``.
    Fit recall to the memory: ``calibrate``, ``keep_calibration``, ``drop_calibration``.
    Admit clients of ``serve``: ``create_token``, ``tokens``, ``revoke_token``.
    Before the first call: ``warm_up``, ``plan_ahead``.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        namespace: str | None = None,
        session_id: str | None = None,
        embedder: Embedder | None = None,
        progress: Progress | None = None,
    ) -> None:
        read = settings or load_settings()
        self.settings = read if namespace is None else replace(read, namespace=namespace)
        self.engine = Engine(self.settings, progress)
        self.graph = Graph(
            partial(locate, self.settings, self.engine),
            restart=None if self.settings.neo4j_uri else self._restart,
            limits=limits(self.settings),
        )
        self.vectors = Vectors(self.graph, embedder or make_embedder(self.settings))
        reranker = make_reranker(self.settings)
        self.services = Services(
            self.graph, self.vectors, self.settings, session_id=session_id, reranker=reranker
        )
        self.operations = self.services.operations()
        # Bound methods and not delegates: type checkers and help() see the operations' own signatures.
        services = self.services
        self.think = services.think.think
        self.think_convo = services.think.think_convo
        self.think_technical = services.think.think_technical
        self.think_batch = services.think.think_batch
        self.record_outcome = services.outcomes.record_outcome
        self.search = services.search.search
        self.search_thoughts = services.search.search_thoughts
        self.context = services.context.context
        self.walk_trail = services.trails.walk_trail
        self.thoughts_thread = services.trails.thoughts_thread
        self.thoughts_links = services.trails.thoughts_links
        self.get = services.nodes.get
        self.explain_recall = services.explain.explain_recall
        self.remember = services.knowledge.remember
        self.entity = services.entities.entity
        self.forget = services.entities.forget
        self.merge = services.merging.merge
        self.duplicates = services.duplicate_search.duplicates
        self.verify_chain = self.verify = services.chain.verify_chain
        self.verify_all = services.audit.verify_all
        self.thought_record = services.records.thought_record
        self.thought_plan = services.records.thought_plan
        self.thought_analysis = services.records.thought_analysis
        self.thought_decision = services.records.thought_decision
        self.thought_reflection = services.records.thought_reflection
        self.link_thought_to_action = services.records.link_thought_to_action
        self.redact_thought = services.records.redact_thought
        self.relate_thought = services.relations.relate_thought
        self.pin_thought = services.relations.pin_thought
        self.thought_tree = services.trees.thought_tree
        self.thought_for_action = services.trees.thought_for_action
        self.thought_reasoning_trail = services.trees.thought_reasoning_trail
        self.chain_heads = services.heads.chain_heads
        self.read_heads = services.heads.read_heads
        self.sessions = services.heads.sessions
        self.export_chain = services.heads.export_chain
        self.anchor = services.anchors.anchor
        self.anchor_proof = services.anchors.anchor_proof
        self.analyze = services.analysis.analyze
        self.communities = services.analysis.communities
        self.read_map = services.maps.read
        self.import_lines = services.importing.load
        self.import_graph = services.importing.load_graph
        self.adopt = services.adoption.adopt
        self.unadopted = services.adoption.unadopted
        self.calibrate = services.calibration.measure
        self.keep_calibration = services.calibration.keep
        self.drop_calibration = services.calibration.drop
        self.create_token = services.tokens.create
        self.tokens = services.tokens.tokens
        self.revoke_token = services.tokens.revoke

    async def import_file(
        self,
        file: str | PathLike[str],
        *,
        format: str | None = None,
        namespace: str | None = None,
        progress: Progress | None = None,
        strict: bool = False,
        dry_run: bool = False,
    ) -> Imported:
        """Import a file, or the files of a folder, of a format in docs/importing.md.

        Without ``format`` it is recognised. ``import_lines`` takes the lines of one file themselves.
        Repeating an import changes nothing. Everything is checked before anything is stored: ``refused`` of
        the result lists the lines that cannot be imported; if ``strict``, the first one raises InvalidInput
        and nothing is stored. A ``dry_run`` stores nothing. Raises OSError for a file that cannot be read.
        """
        name, files = await asyncio.to_thread(opened, Path(file), format)
        return await self.services.importing.load_files(
            files, format=name, namespace=namespace, progress=progress, strict=strict, dry_run=dry_run
        )

    async def watch(self) -> None:
        """Adopt nodes made by hand every ``adopt_interval`` seconds until cancelled.

        Never starts the managed engine. Returns at once if the setting is 0.
        """
        with in_background():
            await self.services.adoption.watch(
                lambda: bool(self.settings.neo4j_uri) or self.engine.status().running
            )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def warm_up(self) -> None:
        """Do before the first calls what would make them slow, and store nothing.

        Starts the managed engine, connects, has the server plan the statements of ``think``, ``search`` and
        ``context``, and loads a local model. Takes up to a minute with a stopped engine, milliseconds with a
        warm one. Raises a LegacyMindError.
        """
        await self.graph.ping()
        await self.vectors.check()
        await self.services.store.plan()
        services = self._without_model() if self.vectors.embedder.info.sends_texts else self.services
        await services.search.search("warm up", limit=1)
        await services.context.context("warm up", limit=1)

    async def plan_ahead(self) -> None:
        """Have the server plan the statements of the usual operations, in the background, and store nothing.

        Takes a cold server half a minute of one core. Calls made meanwhile go first. Embeds nothing. Raises
        a LegacyMindError.
        """
        services = self._without_model()
        with in_background():
            async with self.graph.gate.place(background=True):
                await services.store.plan()
            await ahead.plan_ahead(services.operations(), self.graph.gate)

    def _without_model(self) -> Services:
        """Services for calls whose results nobody reads: they embed no text."""
        vectors = ahead.Placeholders(self.graph, self.vectors.embedder)
        return Services(self.graph, vectors, self.settings)

    async def _restart(self, address: Address) -> None:
        await self.engine.restart(address.pid)

    async def close(self) -> None:
        """Close the connections; the managed engine keeps running."""
        await self.vectors.embedder.close()
        await self.graph.close()


async def locate(settings: Settings, engine: Engine) -> Address:
    """The address of the database. Starts the managed engine unless ``neo4j_uri`` is set.

    Raises EngineError when it cannot start or is not downloaded yet.
    """
    if settings.neo4j_uri:
        return Address(
            settings.neo4j_uri,
            settings.neo4j_username,
            settings.neo4j_password,
            settings.neo4j_database,
            settings.neo4j_ca_file,
        )
    # Shielded: cancelling a call must not cancel an engine that is starting.
    status = await asyncio.shield(engine.ensure())
    return Address(status.uri, status.username, engine.password(), pid=status.pid)


def limits(settings: Settings) -> Limits:
    """The limits of time and number that the settings ask for."""
    return Limits(
        statement=settings.query_timeout,
        connections=settings.pool_size,
        connect=settings.connect_timeout,
        wait=settings.pool_timeout,
        retry=settings.retry_time,
        statements=settings.max_statements or _STATEMENTS_PER_CORE * (os.cpu_count() or 1),
        waiting=settings.max_waiting,
    )
