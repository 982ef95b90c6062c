"""Seven cognitive frameworks that analyse a text by rules, without a language model; profiles blend them."""

from legacymind.text.frameworks.profiles import MODES, SUBMODES, analyze

__all__ = ["MODES", "SUBMODES", "analyze"]
