"""The managed engine: a real Neo4j Community server with GDS and Browser, as a local process."""

from legacymind.engine.engine import Engine, EngineStatus
from legacymind.engine.jars import Progress

__all__ = ["Engine", "EngineStatus", "Progress"]
