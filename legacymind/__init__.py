"""LegacyMind: a Neo4j graph-native memory for AI agents.

``Mind`` is the Python API (docs/python.md). Every name is imported when it is first used, because the
MCP handshake must not wait for the database driver.
"""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from legacymind.embed.base import Embedder, EmbedderInfo, Thresholds
    from legacymind.engine.backup import Backup, Restored
    from legacymind.errors import (
        AlgorithmsMissing,
        AnswerTooLarge,
        Busy,
        ConfigurationError,
        Conflict,
        DatabaseBusy,
        DatabaseError,
        DatabaseRefused,
        DatabaseTooOld,
        DatabaseUnreachable,
        DownloadFailed,
        EmbeddingError,
        EmbeddingMismatch,
        EngineError,
        EngineNotRunning,
        ErrorReport,
        ImmutableThought,
        InternalError,
        InvalidInput,
        LegacyMindError,
        NotFound,
        PortTaken,
        RequestRefused,
        SchemaTooNew,
        Starting,
        TokenMissing,
        TooManyRequests,
        TooSlow,
    )
    from legacymind.mind import Mind
    from legacymind.model.analysis import (
        Analysis,
        AnalysisResult,
        CommunitiesResult,
        Community,
        Copy,
        DuplicateGroup,
        GraphMap,
        MappedCommunity,
        Member,
    )
    from legacymind.model.base import (
        ChainVerdict,
        Context,
        Contradiction,
        ContradictionReason,
        Direction,
        EntityInput,
        FaultKind,
        Hit,
        Kind,
        LateralRelation,
        Method,
        Mode,
        ObservationInput,
        Order,
        RankParts,
        Relation,
        RelationInput,
        Remembered,
        RememberResult,
        SearchResult,
        Submode,
        ThreadOrder,
        UsedMethod,
    )
    from legacymind.model.chain import (
        ActionThought,
        ActionThoughts,
        Anchor,
        AnchorProof,
        Audit,
        ChainFault,
        ChainHead,
        ChainHeads,
        ChainReport,
        FaultyChain,
        ReasoningTrail,
        RecordedThought,
        RecordResult,
        RedactResult,
        Survey,
        ThoughtNode,
        ThoughtTree,
        TrailThought,
    )
    from legacymind.model.facets import SearchFacets
    from legacymind.model.filters import Filters
    from legacymind.model.frameworks import Framework, FrameworkAnalysis, FrameworkOutput
    from legacymind.model.graph import FacetValue
    from legacymind.model.help import HelpResult, ParameterHelp, ToolExample, ToolHelp, ToolLine
    from legacymind.model.maintenance import (
        CurateAction,
        CuratedThought,
        CurationResult,
        MaintenanceCount,
        MaintenanceItem,
        MaintenanceResult,
        PruneResult,
        Verdict,
        WeakRecall,
    )
    from legacymind.model.nodes import (
        DuplicatePair,
        DuplicatesResult,
        EntityDetails,
        EntityName,
        EntityRelation,
        EntityResult,
        Fact,
        ForgetResult,
        Forgetting,
        KnowledgeKind,
        MergedEntity,
        MergedNow,
        MergeResult,
        NodeResult,
        ObservationDetails,
        RelationDirection,
        ThoughtDetails,
    )
    from legacymind.model.progress import Progress
    from legacymind.model.reembed import (
        JudgedQuestion,
        ModelComparison,
        Reembedding,
        ReembedState,
    )
    from legacymind.model.think import (
        BatchedThought,
        ChainLink,
        Delegated,
        Evidence,
        Heuristics,
        Links,
        LinksTelemetry,
        Memory,
        OutcomeResult,
        PinResult,
        RecallResult,
        RelateResult,
        ScoreParts,
        ThinkBatchResult,
        ThinkResult,
        ThinkTelemetry,
        Verification,
        VerificationTelemetry,
        Via,
    )
    from legacymind.model.tokens import NewToken, Token, TokenScope
    from legacymind.model.trails import (
        ExplainedMemory,
        LinksResult,
        LinkState,
        LinkStates,
        MissedMemory,
        MissReason,
        Pointing,
        RecallExplanation,
        ThreadResult,
        ThreadThought,
        TrailResult,
        TrailStep,
    )
    from legacymind.services.knowledge.importers.records import RefusedLine
    from legacymind.services.knowledge.importing import Imported
    from legacymind.services.maintain.adoption import Adoption, RefusedNode, Unadopted
    from legacymind.services.maintain.calibration import Calibration, Distribution, Proposal
    from legacymind.services.think.inputs import RecallOptions, ThinkOptions, ThoughtInput
    from legacymind.services.transfer.restoration import Restoration
    from legacymind.settings import Settings, load_settings

    __version__: str

__all__ = [
    "ActionThought",
    "ActionThoughts",
    "Adoption",
    "AlgorithmsMissing",
    "Analysis",
    "AnalysisResult",
    "Anchor",
    "AnchorProof",
    "AnswerTooLarge",
    "Audit",
    "Backup",
    "BatchedThought",
    "Busy",
    "Calibration",
    "ChainFault",
    "ChainHead",
    "ChainHeads",
    "ChainLink",
    "ChainReport",
    "ChainVerdict",
    "CommunitiesResult",
    "Community",
    "ConfigurationError",
    "Conflict",
    "Context",
    "Contradiction",
    "ContradictionReason",
    "Copy",
    "CurateAction",
    "CuratedThought",
    "CurationResult",
    "DatabaseBusy",
    "DatabaseError",
    "DatabaseRefused",
    "DatabaseTooOld",
    "DatabaseUnreachable",
    "Delegated",
    "Direction",
    "Distribution",
    "DownloadFailed",
    "DuplicateGroup",
    "DuplicatePair",
    "DuplicatesResult",
    "Embedder",
    "EmbedderInfo",
    "EmbeddingError",
    "EmbeddingMismatch",
    "EngineError",
    "EngineNotRunning",
    "EntityDetails",
    "EntityInput",
    "EntityName",
    "EntityRelation",
    "EntityResult",
    "ErrorReport",
    "Evidence",
    "ExplainedMemory",
    "FacetValue",
    "Fact",
    "FaultKind",
    "FaultyChain",
    "Filters",
    "ForgetResult",
    "Forgetting",
    "Framework",
    "FrameworkAnalysis",
    "FrameworkOutput",
    "GraphMap",
    "HelpResult",
    "Heuristics",
    "Hit",
    "ImmutableThought",
    "Imported",
    "InternalError",
    "InvalidInput",
    "JudgedQuestion",
    "Kind",
    "KnowledgeKind",
    "LateralRelation",
    "LegacyMindError",
    "LinkState",
    "LinkStates",
    "Links",
    "LinksResult",
    "LinksTelemetry",
    "MaintenanceCount",
    "MaintenanceItem",
    "MaintenanceResult",
    "MappedCommunity",
    "Member",
    "Memory",
    "MergeResult",
    "MergedEntity",
    "MergedNow",
    "Method",
    "Mind",
    "MissReason",
    "MissedMemory",
    "Mode",
    "ModelComparison",
    "NewToken",
    "NodeResult",
    "NotFound",
    "ObservationDetails",
    "ObservationInput",
    "Order",
    "OutcomeResult",
    "ParameterHelp",
    "PinResult",
    "Pointing",
    "PortTaken",
    "Progress",
    "Proposal",
    "PruneResult",
    "RankParts",
    "ReasoningTrail",
    "RecallExplanation",
    "RecallOptions",
    "RecallResult",
    "RecordResult",
    "RecordedThought",
    "RedactResult",
    "ReembedState",
    "Reembedding",
    "RefusedLine",
    "RefusedNode",
    "RelateResult",
    "Relation",
    "RelationDirection",
    "RelationInput",
    "RememberResult",
    "Remembered",
    "RequestRefused",
    "Restoration",
    "Restored",
    "SchemaTooNew",
    "ScoreParts",
    "SearchFacets",
    "SearchResult",
    "Settings",
    "Starting",
    "Submode",
    "Survey",
    "ThinkBatchResult",
    "ThinkOptions",
    "ThinkResult",
    "ThinkTelemetry",
    "ThoughtDetails",
    "ThoughtInput",
    "ThoughtNode",
    "ThoughtTree",
    "ThreadOrder",
    "ThreadResult",
    "ThreadThought",
    "Thresholds",
    "Token",
    "TokenMissing",
    "TokenScope",
    "TooManyRequests",
    "TooSlow",
    "ToolExample",
    "ToolHelp",
    "ToolLine",
    "TrailResult",
    "TrailStep",
    "TrailThought",
    "Unadopted",
    "UsedMethod",
    "Verdict",
    "Verification",
    "VerificationTelemetry",
    "Via",
    "WeakRecall",
    "__version__",
    "load_settings",
]

_MODULES: Final = {
    "embed.base": "Embedder EmbedderInfo Thresholds",
    "errors": (
        "AlgorithmsMissing AnswerTooLarge Busy ConfigurationError Conflict DatabaseBusy DatabaseError "
        "DatabaseRefused DatabaseTooOld DatabaseUnreachable DownloadFailed EmbeddingError EmbeddingMismatch "
        "EngineError EngineNotRunning ErrorReport ImmutableThought InternalError InvalidInput "
        "LegacyMindError NotFound PortTaken RequestRefused SchemaTooNew Starting TokenMissing "
        "TooManyRequests TooSlow"
    ),
    "engine.backup": "Backup Restored",
    "services.transfer.restoration": "Restoration",
    "mind": "Mind",
    "model.analysis": (
        "Analysis AnalysisResult CommunitiesResult Community Copy DuplicateGroup GraphMap MappedCommunity "
        "Member"
    ),
    "model.base": (
        "Context Contradiction Direction EntityInput FaultKind Hit Kind LateralRelation Method Mode "
        "ObservationInput Order "
        "RankParts Relation RelationInput RememberResult Remembered SearchResult Submode ChainVerdict "
        "ContradictionReason ThreadOrder UsedMethod"
    ),
    "model.facets": "SearchFacets",
    "model.graph": "FacetValue",
    "model.chain": (
        "ActionThought ActionThoughts Anchor AnchorProof Audit ChainFault ChainHead ChainHeads "
        "ChainReport ReasoningTrail RecordResult RecordedThought RedactResult ThoughtNode "
        "ThoughtTree TrailThought Survey FaultyChain"
    ),
    "model.filters": "Filters",
    "model.frameworks": "Framework FrameworkAnalysis FrameworkOutput",
    "model.help": "HelpResult ParameterHelp ToolExample ToolHelp ToolLine",
    "model.maintenance": (
        "CurateAction CuratedThought CurationResult MaintenanceCount MaintenanceItem MaintenanceResult "
        "PruneResult Verdict WeakRecall"
    ),
    "model.nodes": (
        "EntityDetails EntityName EntityRelation EntityResult Fact ForgetResult Forgetting KnowledgeKind "
        "DuplicatePair DuplicatesResult "
        "MergedEntity MergedNow MergeResult NodeResult ObservationDetails RelationDirection ThoughtDetails"
    ),
    "model.progress": "Progress",
    "model.reembed": "JudgedQuestion ModelComparison ReembedState Reembedding",
    "model.think": (
        "BatchedThought ChainLink Delegated Evidence Heuristics Links LinksTelemetry Memory "
        "OutcomeResult PinResult RecallResult RelateResult ScoreParts ThinkBatchResult ThinkResult "
        "ThinkTelemetry Verification VerificationTelemetry Via"
    ),
    "model.tokens": "NewToken Token TokenScope",
    "model.trails": (
        "ExplainedMemory LinkState LinkStates LinksResult MissReason MissedMemory Pointing "
        "RecallExplanation ThreadResult ThreadThought TrailResult TrailStep"
    ),
    "services.knowledge.importers.records": "RefusedLine",
    "services.knowledge.importing": "Imported",
    "services.maintain.adoption": "Adoption RefusedNode Unadopted",
    "services.maintain.calibration": "Calibration Distribution Proposal",
    "services.think.inputs": "RecallOptions ThinkOptions ThoughtInput",
    "settings": "Settings load_settings",
}
"""The public names of each module."""

_HOMES: Final = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib import metadata

        return metadata.version("legacymind")
    if name not in _HOMES:
        raise AttributeError(f"module 'legacymind' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"legacymind.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
