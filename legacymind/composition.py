"""The services over one database, composed once and bound to the namespace and session of each caller."""

from copy import copy
from dataclasses import replace
from typing import get_type_hints

from legacymind.db.options import Limits
from legacymind.engine import Engine
from legacymind.operations.registry import Operation, operations_of
from legacymind.services.analysis.analysis import AnalysisService
from legacymind.services.chain.anchors import AnchorService
from legacymind.services.chain.audit import AuditService
from legacymind.services.chain.heads import HeadService
from legacymind.services.chain.survey import SurveyService
from legacymind.services.chain.trees import TreeService
from legacymind.services.chain.verification import ChainService
from legacymind.services.knowledge.duplicates import DuplicateService
from legacymind.services.knowledge.entities import EntityService
from legacymind.services.knowledge.forgetting import ForgetService
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
from legacymind.services.maintain.expiry import ExpiryService
from legacymind.services.maintain.guide import GuideService
from legacymind.services.maintain.mending import MendingService
from legacymind.services.maintain.operations import MaintenanceService
from legacymind.services.maintain.pruning import PruneService
from legacymind.services.maintain.reembed import ReembedService
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
from legacymind.services.shared.service import ServiceContext
from legacymind.services.think.outcomes import OutcomeService
from legacymind.services.think.recalling import RecallService
from legacymind.services.think.recollection import Recollector
from legacymind.services.think.records import RecordService
from legacymind.services.think.relations import RelationService
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.services.transfer.exporting import ExportService
from legacymind.services.transfer.importing import RestoreService
from legacymind.services.transfer.namespaces import NamespaceService


class Services:
    """The service objects behind a mind: its internals, for the doors and for tests.

    The operations are listed in the order in which their services are declared here.
    """

    think: ThinkService
    outcomes: OutcomeService
    search: SearchService
    context: ContextService
    trails: TrailService
    nodes: NodeService
    explain: ExplainService
    recall: RecallService
    knowledge: KnowledgeService
    entities: EntityService
    forgetting: ForgetService
    merging: MergeService
    duplicate_search: DuplicateService
    chain: ChainService
    records: RecordService
    relations: RelationService
    trees: TreeService
    heads: HeadService
    anchors: AnchorService
    analysis: AnalysisService
    curation: CurateService
    maintenance: MaintenanceService
    guide: GuideService
    reembedding: ReembedService

    def __init__(self, context: ServiceContext) -> None:
        # A process has one of each: they keep heads of sessions, what they have seen, and what they read.
        self._recollector = Recollector(context)
        self.store = Store(context, self._recollector)
        # Nodes made by hand may be of any namespace.
        self.adoption = AdoptionService(_everywhere(context))
        self.demo = DemoService(context)
        self.tokens = TokenService(context)
        self.size = SizeService(context)
        self._bind(context)

    def _bind(self, context: ServiceContext) -> None:
        """Make the services that depend on the namespace or the session of a caller."""
        self._context = context
        self.think = ThinkService(context, self.store)
        self.outcomes = OutcomeService(context)
        self.search = SearchService(context)
        self.context = ContextService(context)
        self.trails = TrailService(context)
        self.nodes = NodeService(context)
        self.explain = ExplainService(context)
        self.recall = RecallService(context, self.think, self._recollector)
        self.knowledge = KnowledgeService(context)
        self.entities = EntityService(context)
        self.merging = MergeService(context)
        self.duplicate_search = DuplicateService(context)
        self.chain = ChainService(context)
        self.records = RecordService(context, self.think, self.store)
        self.forgetting = ForgetService(context, self.records)
        self.relations = RelationService(context)
        self.trees = TreeService(context)
        self.heads = HeadService(context)
        self.anchors = AnchorService(context)
        self.analysis = AnalysisService(context)
        self.reads = NodeReads(context)
        self.session_reads = SessionReads(context)
        self.lists = NodeLists(context, self.session_reads)
        everywhere = _everywhere(context)
        self.survey = SurveyService(context, ChainService(everywhere), HeadService(everywhere))
        self.audit = AuditService(context, self.chain, self.heads, self.anchors)
        self.calibration = CalibrationService(context)
        self.pruning = PruneService(context)
        self.curator = Curator(context, self.store, self.think)
        self.curation = CurateService(context, self.curator)
        self.reembedding = ReembedService(context)
        self.exporting = ExportService(context)
        self.restoring = RestoreService(context, self.survey)
        self.namespaces = NamespaceService(context, self.forgetting)
        self.maintenance = MaintenanceService(
            context,
            self.pruning,
            ExpiryService(context, self.records),
            ContinuityService(context),
            self.audit,
        )
        self.guide = GuideService(context, self.operations)
        self.importing = ImportService(context, self.think, self.store, self.knowledge)

    def of_caller(self, *, namespace: str | None = None, session_id: str | None = None) -> "Services":
        """The same services with a session for calls that name none, and with one namespace for all calls."""
        settings = self._context.settings
        if namespace is not None:
            settings = replace(settings, namespace=namespace, namespace_fixed=True)
        services = copy(self)
        services._bind(replace(self._context, settings=settings, session_id=session_id))
        return services

    def doctor(self, engine: Engine, limits: Limits) -> DoctorService:
        """The service that looks for problems; it also needs the engine, and the limits of a connection."""
        mending = MendingService(self._context)
        return DoctorService(self._context, engine, limits, mending, self.chain, self.audit)

    def operations(self) -> dict[str, Operation]:
        """Every operation by its name, in the order in which the doors list them."""
        services = (getattr(self, name) for name in Services.__annotations__)
        return {operation.name: operation for service in services for operation in operations_of(service)}


def declared_operations() -> dict[str, Operation]:
    """Every operation as its class declares it, for descriptions and schemas: nothing can be called."""
    classes = get_type_hints(Services).values()
    return {operation.name: operation for each in classes for operation in operations_of(each)}


def _everywhere(context: ServiceContext) -> ServiceContext:
    return replace(context, settings=replace(context.settings, namespace_fixed=False))
