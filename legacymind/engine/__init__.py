"""The managed engine: a real Neo4j Community server with GDS and Browser, as a local process."""

from legacymind.engine.engine import Engine, EngineStatus

__all__ = ["Engine", "EngineStatus"]
