"""The services over one database."""

from typing import Any

from legacymind.operations.registry import Operation, operations_of
from legacymind.services.analysis.analysis import AnalysisService
from legacymind.services.chain.audit import AuditService
from legacymind.services.chain.heads import HeadService
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
from legacymind.services.maintain.curator import CurateService
from legacymind.services.maintain.demo import DemoService
from legacymind.services.maintain.doctor import DoctorService
from legacymind.services.maintain.guide import GuideService
from legacymind.services.maintain.lineage import LineageService
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
from legacymind.services.shared.service import S, ServiceContext, annotated
from legacymind.services.sync.served import ServedPlaceService
from legacymind.services.sync.service import SyncService
from legacymind.services.sync.status import SyncStatusService
from legacymind.services.think.outcomes import OutcomeService
from legacymind.services.think.recalling import RecallService
from legacymind.services.think.records import RecordService
from legacymind.services.think.relations import RelationService
from legacymind.services.think.service import ThinkService
from legacymind.services.think.store import Store
from legacymind.services.transfer.bundle import BundleService
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
    analysis: AnalysisService
    curation: CurateService
    lineage: LineageService
    maintenance: MaintenanceService
    guide: GuideService
    reembedding: ReembedService
    # Services without operations.
    store: Store
    adoption: AdoptionService
    demo: DemoService
    tokens: TokenService
    size: SizeService
    reads: NodeReads
    session_reads: SessionReads
    lists: NodeLists
    audit: AuditService
    calibration: CalibrationService
    pruning: PruneService
    exporting: ExportService
    bundles: BundleService
    restoring: RestoreService
    namespaces: NamespaceService
    syncing: SyncService
    sync_states: SyncStatusService
    served: ServedPlaceService
    importing: ImportService
    doctor: DoctorService

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._made: dict[type, Any] = {}
        for name, kind in annotated(Services).items():
            setattr(self, name, self.of(kind))

    def of(self, kind: type[S]) -> S:
        """The one service of a class."""
        if kind not in self._made:
            make: Any = kind
            self._made[kind] = make(self._context, self)
        return self._made[kind]

    def operations(self) -> dict[str, Operation]:
        """Every operation by its name, in the order in which the doors list them."""
        services = (getattr(self, name) for name in annotated(Services))
        return {operation.name: operation for service in services for operation in operations_of(service)}


def declared_operations() -> dict[str, Operation]:
    """Every operation as its class declares it, for descriptions and schemas: nothing can be called."""
    classes = annotated(Services).values()
    return {operation.name: operation for each in classes for operation in operations_of(each)}
