"""LegacyMind: a Neo4j graph-native memory for AI agents.

``Mind`` is the Python API (docs/interfaces/python.md). The types of all results are in ``legacymind.model``,
and all errors in ``legacymind.errors``. Every name is imported when it is first used, because the MCP
handshake must not wait for the database driver.
"""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from legacymind.embed.base import Embedder, EmbedderInfo
    from legacymind.errors import (
        Busy,
        ConfigurationError,
        Conflict,
        DatabaseError,
        DatabaseUnreachable,
        EmbeddingError,
        EngineError,
        InvalidInput,
        LegacyMindError,
        NotFound,
        RequestRefused,
    )
    from legacymind.mind import Mind
    from legacymind.model.base import (
        Context,
        EntityInput,
        Hit,
        Mode,
        ObservationInput,
        RelationInput,
        RememberResult,
        SearchResult,
        Submode,
    )
    from legacymind.model.chain import ChainReport, RecordResult, Survey, ThoughtTree
    from legacymind.model.filters import Filters
    from legacymind.model.nodes import EntityResult, NodeResult
    from legacymind.model.progress import Progress
    from legacymind.model.think import Memory, RecallResult, ThinkBatchResult, ThinkResult
    from legacymind.model.trails import RecallExplanation, ThreadResult, TrailResult
    from legacymind.services.think.inputs import RecallOptions, ThinkOptions, ThoughtInput
    from legacymind.settings import Settings, load_settings

    __version__: str

__all__ = [
    "Busy",
    "ChainReport",
    "ConfigurationError",
    "Conflict",
    "Context",
    "DatabaseError",
    "DatabaseUnreachable",
    "Embedder",
    "EmbedderInfo",
    "EmbeddingError",
    "EngineError",
    "EntityInput",
    "EntityResult",
    "Filters",
    "Hit",
    "InvalidInput",
    "LegacyMindError",
    "Memory",
    "Mind",
    "Mode",
    "NodeResult",
    "NotFound",
    "ObservationInput",
    "Progress",
    "RecallExplanation",
    "RecallOptions",
    "RecallResult",
    "RecordResult",
    "RelationInput",
    "RememberResult",
    "RequestRefused",
    "SearchResult",
    "Settings",
    "Submode",
    "Survey",
    "ThinkBatchResult",
    "ThinkOptions",
    "ThinkResult",
    "ThoughtInput",
    "ThoughtTree",
    "ThreadResult",
    "TrailResult",
    "__version__",
    "load_settings",
]

_MODULES: Final = (  # the light ones first
    "errors",
    "settings",
    "model.base",
    "model.chain",
    "model.filters",
    "model.nodes",
    "model.progress",
    "model.think",
    "model.trails",
    "services.think.inputs",
    "embed.base",
    "mind",
)


def __getattr__(name: str) -> Any:
    import importlib  # these take longer than all else that the hook of a prompt imports
    from importlib import metadata

    if name == "__version__":
        return metadata.version("legacymind")
    if name in __all__:
        for module in _MODULES:
            value = getattr(importlib.import_module(f"legacymind.{module}"), name, None)
            if value is not None:
                globals()[name] = value
                return value
    raise AttributeError(f"module 'legacymind' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
