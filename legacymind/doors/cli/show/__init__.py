"""Prints results of operations for people.

Each module registers the outputs of some types with ``body``; other results are printed by their members.
"""

from legacymind.doors.cli.show import chain, knowledge, parts, search, think
from legacymind.doors.cli.show.parts import result, told

__all__ = ["chain", "knowledge", "parts", "result", "search", "think", "told"]
