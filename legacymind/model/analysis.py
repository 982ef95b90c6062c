"""Results of graph algorithms: what an analysis stored, and the communities that it found."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from legacymind.model.base import Answer, Kind

Analysis = Literal["neighbours", "duplicates", "mass", "communities"]
"""An algorithm that an analysis runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A thought with a near duplicate; its text is cut."""

    id: str
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateGroup:
    """Nearly equal thoughts, the oldest first; ``cosine`` is the least that links one to the others.

    ``size`` counts the thoughts of the group, and ``thoughts`` has at most ten of them.
    """

    size: int
    cosine: float
    thoughts: list[Copy]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisResult(Answer):
    """The algorithms that ran, what they read, and what they stored or found.

    ``nodes`` and ``relationships`` are those that mass and communities read, ``thoughts`` those that were
    compared with each other. ``neighbours`` counts the similarities that are stored now, ``dropped`` those of
    earlier analyses that are not found any more. ``communities`` counts the communities and ``unassigned``
    the nodes in none of them. A number is null if its algorithm did not run. ``duplicates`` has the first of
    ``duplicate_groups`` groups, within a token budget.
    """

    what: list[Analysis]
    nodes: int | None = None
    relationships: int | None = None
    communities: int | None = None
    unassigned: int | None = None
    thoughts: int | None = None
    neighbours: int | None = None
    dropped: int | None = None
    duplicate_groups: int | None = None
    duplicates: list[DuplicateGroup] = field(default_factory=list[DuplicateGroup])


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A node of a community: the name of an entity, or the text of a thought or fact.

    ``mass`` is its PageRank, 0.15 or more, and null before an analysis computed it.
    """

    id: str
    kind: Kind
    text: str
    mass: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Community:
    """Nodes that are more closely linked to each other than to others.

    ``number`` counts from 1 for the largest and is valid until the next analysis. ``label`` has the most
    characteristic words, tags and entity names. ``members`` begin with the one of the greatest mass.
    """

    number: int
    label: str
    size: int
    thoughts: int
    entities: int
    observations: int
    members: list[Member]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunitiesResult(Answer):
    """A page of communities, or one community with a page of its members.

    ``community_count`` counts all communities. ``unassigned`` counts the nodes in none of them: those of very
    small groups, and those stored since the analysis. ``left_out`` counts items of the page that exceeded the
    token budget.
    """

    communities: list[Community]
    community_count: int
    unassigned: int
    left_out: int
    next_offset: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedCommunity:
    """A community on a map, with the members that are drawn, the one of the greatest mass first."""

    number: int
    label: str
    size: int
    members: list[Member]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphMap:
    """The largest communities of a namespace; ``links`` are pairs of ids of linked members."""

    namespace: str
    communities: list[MappedCommunity]
    links: list[tuple[str, str]]
