"""Results of reading what a memory touched, and of its quarantine."""

from dataclasses import dataclass
from typing import Annotated, Literal

from legacymind.model.about import about
from legacymind.model.base import Answer, Item, ListAnswer
from legacymind.model.members import Ask, Id

Way = Literal["made", "shown", "changed", "after"]
"""How a memory touched something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched(Item):
    """Something that a memory touched."""

    way: Annotated[Way, about("Whether it was made from it, was shown it, was changed by it, or came after")]
    distance: Annotated[int, about("Number of steps from the memory")]
    via: Annotated[str | None, about("Type of the last link; null for the memory itself")] = None
    reached_from: Annotated[Id | None, about("Id of the node before; null for the memory itself")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchedResult(ListAnswer):
    """What a memory touched, the memory itself first."""

    id: Annotated[Id, about("Id of the memory")]
    items: Annotated[list[Touched], about("What it touched, on the page")]
    made: Annotated[int, about("Number of what was made from it, itself included")]
    shown: Annotated[int, about("Number of thoughts that recalled any of these")]
    changed: Annotated[int, about("Number of what it ended, solved or contradicts")]
    after: Annotated[int, about("Number of later steps of sessions that had recalled it or were shown it")]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarantineResult(Answer):
    """What a quarantine takes out of every read."""

    step: Annotated[Id | None, about("Id of the step, which `release` takes; null if nothing was changed")]
    taken: Annotated[int, about("Number of thoughts, facts and entities")]
    links: Annotated[int, about("Number of links that count no longer")]
    done: Annotated[bool, about("Whether it was done; false for a plan")]
    ask: Ask = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseResult(Answer):
    """What was released."""

    step: Annotated[Id, about("Id of the step of the quarantine")]
    released: Annotated[int, about("Number of thoughts, facts and entities that are back")]
