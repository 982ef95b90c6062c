"""The settings: their table, how they are loaded, and how they are described."""

from legacymind.settings.load import load_settings
from legacymind.settings.table import TABLE, Settings

__all__ = ["TABLE", "Settings", "load_settings"]
