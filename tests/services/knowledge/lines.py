"""What readers yield, as the import checks it: the inputs of remember, and thoughts."""

from types import SimpleNamespace
from typing import Any

from legacymind.services.knowledge.importers.records import Fault, checked


class ThoughtLine(SimpleNamespace):
    """A thought; what it does not have is None."""

    def __getattr__(self, name: str) -> Any:
        return None


def lined(found: Any) -> Any:
    """A checked record, or the fault of one."""
    if not isinstance(found, dict):
        return found
    try:
        item: Any = checked(found)  # pyright: ignore[reportUnknownArgumentType]
    except Fault as reason:
        return reason
    return ThoughtLine(**item) if isinstance(item, dict) else item
