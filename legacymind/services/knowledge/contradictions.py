"""Facts of one entity that contradict each other, as results."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple, TypedDict

from legacymind.model.base import Contradiction
from legacymind.text.claims.disagreement import disagreements
from legacymind.text.excerpts import excerpt


class RivalIds(TypedDict):
    """The ids of two facts that contradict each other, in order of time."""

    later: str
    earlier: str


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


class Dated(NamedTuple):
    """A fact and when it is true; ``created`` tells of one of a call whether it is new, None of any other."""

    text: str
    since: datetime
    until: datetime
    created: bool | None = None


@dataclass(frozen=True, slots=True)
class Rival:
    """A fact of a call and one that contradicts it; ``order`` has their ids in order of time.

    ``new``: the call created one of them. ``replaces``: the later one is true from a later time on, so it
    can end the earlier one.
    """

    pair: Contradiction
    order: RivalIds
    new: bool
    replaces: bool


def rivals(name: str, facts: Mapping[str, Dated]) -> list[Rival]:
    """The facts of a call about the entity ``name`` that contradict others while both are true.

    ``facts`` has those of the call first, in their order: of two that begin together the latter is later.
    """
    found: list[Rival] = []
    for pair in contradictions(name, {id: fact.text for id, fact in facts.items()}):
        one, other = facts[pair.id], facts[pair.other_id]
        if one.created is None or one.since >= other.until or other.since >= one.until:
            continue
        first = other.since > one.since or (other.since == one.since and other.created is not None)
        later, earlier = (pair.other_id, pair.id) if first else (pair.id, pair.other_id)
        new = one.created or other.created is True
        found.append(Rival(pair, {"later": later, "earlier": earlier}, new, one.since != other.since))
    return found
