"""The managed engine: a Neo4j Community server with GDS and Browser, run as a local process."""

from legacymind.engine.engine import Engine, EngineStatus

__all__ = ["Engine", "EngineStatus"]
