"""Seven cognitive frameworks over one reading of a text, blended by profiles; no model, no guessing."""

from legacymind.text.frameworks.profiles import FRAMEWORKS, MODES, SUBMODES, analyze
from legacymind.text.frameworks.reading import read

__all__ = ["FRAMEWORKS", "MODES", "SUBMODES", "analyze", "read"]
