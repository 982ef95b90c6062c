"""Seven cognitive frameworks over one reading of a text, blended by profiles; no model, no guessing."""

from legacymind.services.frameworks.profiles import FRAMEWORKS, MODES, SUBMODES, analyze
from legacymind.services.frameworks.reading import read

__all__ = ["FRAMEWORKS", "MODES", "SUBMODES", "analyze", "read"]
