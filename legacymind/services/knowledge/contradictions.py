"""Facts of one entity that contradict each other, as results."""

from collections.abc import Mapping
from typing import Final

from legacymind.model.base import Contradiction
from legacymind.text.disagreement import disagreements
from legacymind.text.excerpts import excerpt

COMPARED: Final = 500
"""Facts of an entity that are compared with each other, or with a new one."""

_TEXT: Final = 120
"""Characters of each text."""


def contradictions(name: str, facts: Mapping[str, str]) -> list[Contradiction]:
    """The pairs of ``facts``, texts by id, about the entity ``name`` that contradict each other."""
    return [
        Contradiction(
            id=pair.first,
            text=excerpt(facts[pair.first], _TEXT),
            other_id=pair.second,
            other_text=excerpt(facts[pair.second], _TEXT),
            reason=pair.reason,
            attribute=pair.attribute or None,
        )
        for pair in disagreements(name, facts)
    ]
