"""The services over one database, composed once and bound to the namespace and session of each caller."""

from copy import copy
from dataclasses import replace

from legacymind.db.graph import Graph
from legacymind.db.options import Limits
from legacymind.embed.reranker import Reranker
from legacymind.engine import Engine
from legacymind.operations.registry import Operation, operations_of
from legacymind.services.analysis.analysis import AnalysisService
from legacymind.services.analysis.maps import MapService
from legacymind.services.chain.anchors import AnchorService
from legacymind.services.chain.audit import AuditService
from legacymind.services.chain.hashing import ChainKeys
from legacymind.services.chain.heads import HeadService
from legacymind.services.chain.survey import SurveyService
from legacymind.services.chain.trees import TreeService
from legacymind.services.chain.verification import ChainService
from legacymind.services.knowledge.duplicates import DuplicateService
from legacymind.services.knowledge.entities import EntityService
from legacymind.services.knowledge.importing import ImportService
from legacymind.services.knowledge.merging import MergeService
from legacymind.services.knowledge.remember import KnowledgeService
from legacymind.services.maintain.adoption import AdoptionService
from legacymind.services.maintain.calibration import CalibrationService
from legacymind.services.maintain.continuity import ContinuityService
from legacymind.services.maintain.curate import CurateService
from legacymind.services.maintain.curation import Curator
from legacymind.services.maintain.demo import DemoService
from legacymind.services.maintain.doctor.service import DoctorService
from legacymind.services.maintain.guide import GuideService
from legacymind.services.maintain.mending import MendingService
from legacymind.services.maintain.operations import MaintenanceService
from legacymind.services.maintain.pruning import PruneService
from legacymind.services.maintain.reembed import ReembedService
from legacymind.services.maintain.size import SizeService
from legacymind.services.maintain.subcommands import Toolbox
from legacymind.services.maintain.tokens import TokenService
from legacymind.services.nodes.lists import NodeLists
from legacymind.services.nodes.reads import NodeReads
from legacymind.services.nodes.sessions import SessionReads
from legacymind.services.search.context import ContextService
from legacymind.services.search.explain import ExplainService
from legacymind.services.search.nodes import NodeService
from legacymind.services.search.service import SearchService
from legacymind.services.search.trails import TrailService
from legacymind.services.shared.authors import Authors
from legacymind.services.shared.deferred import DeferredEmbedding
from legacymind.services.shared.vectors import Vectors
from legacymind.services.think.outcomes import OutcomeService
from legacymind.services.think.recalling import RecallService
from legacymind.services.think.recollection import Recollector
from legacymind.services.think.records import RecordService
from legacymind.services.think.relations import RelationService
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.services.transfer.exporting import ExportService
from legacymind.services.transfer.files import FileService
from legacymind.services.transfer.importing import RestoreService
from legacymind.settings import Settings


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
        # A process has one of each, because they keep the heads of sessions and the authors of namespaces.
        self._authors = Authors(graph)
        self._recollector = Recollector(graph, vectors, self._authors)
        self.store = Store(graph, vectors, self._deferred_embedding, self._keys, self._recollector, settings)
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
        self.recall = RecallService(self.think, self._recollector)
        self.search = SearchService(
            graph, vectors, self._authors, settings, session_id=session_id, reranker=self._reranker
        )
        self.context = ContextService(graph, vectors, self._authors, settings, session_id=session_id)
        self.trails = TrailService(graph, settings, session_id=session_id)
        self.nodes = NodeService(graph, settings, session_id=session_id)
        self.reads = NodeReads(graph, settings, session_id=session_id)
        self.session_reads = SessionReads(graph)
        self.lists = NodeLists(graph, settings, self.session_reads)
        self.explain = ExplainService(graph, vectors, settings, session_id=session_id)
        self.records = RecordService(graph, vectors, self.think, self.store, keys, settings)
        self.relations = RelationService(graph, settings, session_id=session_id)
        self.trees = TreeService(graph, settings, session_id=session_id)
        self.outcomes = OutcomeService(graph, settings)
        self.chain = ChainService(graph, settings, keys)
        self.heads = HeadService(graph, settings, keys)
        self.anchors = AnchorService(graph, settings)
        everywhere = replace(settings, namespace_fixed=False)
        self.survey = SurveyService(
            graph, ChainService(graph, everywhere, keys), HeadService(graph, everywhere, keys)
        )
        self.audit = AuditService(settings, self.chain, self.heads, self.anchors)
        self.knowledge = KnowledgeService(graph, vectors, self._deferred_embedding, settings)
        self.entities = EntityService(graph, settings)
        self.analysis = AnalysisService(graph, vectors, settings)
        self.merging = MergeService(graph, settings)
        self.maps = MapService(graph, settings)
        self.duplicate_search = DuplicateService(graph, vectors, settings)
        self.calibration = CalibrationService(graph, vectors, settings)
        self.pruning = PruneService(graph, settings)
        self.curator = Curator(graph, vectors, self.store, self.think, settings)
        self.curation = CurateService(self.curator, settings, session_id=session_id)
        self.reembedding = ReembedService(graph, vectors, self._deferred_embedding, settings)
        self.exporting = ExportService(graph, settings)
        self.restoring = RestoreService(graph, self._vectors, settings, keys, self.survey)
        self.files = FileService(self.exporting, self.restoring, settings)
        tools = Toolbox(
            pruning=self.pruning,
            curator=self.curator,
            continuity=ContinuityService(graph),
            audit=self.audit,
            analysis=self.analysis,
            calibration=self.calibration,
            reembedding=self.reembedding,
            files=self.files,
            settings=settings,
        )
        self.maintenance = MaintenanceService(tools, settings)
        self.guide = GuideService(self.operations, settings)
        self.importing = ImportService(graph, self.think, self.store, self.knowledge, vectors, settings)

    def of_caller(self, *, namespace: str | None = None, session_id: str | None = None) -> "Services":
        """The same services with a session for calls that name none, and with one namespace for all calls."""
        settings = self._settings
        if namespace is not None:
            settings = replace(settings, namespace=namespace, namespace_fixed=True)
        services = copy(self)
        services._bind(settings, session_id)
        return services

    def doctor(self, engine: Engine, limits: Limits) -> DoctorService:
        """The service that looks for problems; it also needs the engine, and the limits of a connection."""
        return DoctorService(
            self._settings,
            engine,
            limits,
            self._graph,
            self._vectors,
            self._deferred_embedding,
            MendingService(self._graph, self._vectors, self._deferred_embedding, self._settings),
            self.chain,
            self.audit,
        )

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
            self.recall,
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
            self.curation,
            self.maintenance,
            self.guide,
            self.reembedding,
        )
        return {operation.name: operation for service in services for operation in operations_of(service)}
