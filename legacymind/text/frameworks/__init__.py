"""Seven cognitive frameworks that analyse a text by rules, without a language model; profiles blend them."""

from legacymind.text.frameworks.profiles import FRAMEWORKS, MODES, SUBMODES, analyze, blend
from legacymind.text.frameworks.reading import read

__all__ = ["FRAMEWORKS", "MODES", "SUBMODES", "analyze", "blend", "read"]
