"""LegacyMind: a Neo4j graph-native memory for AI agents."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from legacymind.errors import LegacyMindError
    from legacymind.mind import Mind
    from legacymind.settings import Settings, load_settings

__all__ = ["LegacyMindError", "Mind", "Settings", "load_settings"]

_HOMES = {"LegacyMindError": "errors", "Mind": "mind", "Settings": "settings", "load_settings": "settings"}


def __getattr__(name: str) -> Any:
    # Imported when asked for: an MCP handshake must not wait for the driver.
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"legacymind.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'legacymind' has no attribute {name!r}")
