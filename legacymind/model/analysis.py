"""Results of graph algorithms: what an analysis stored, and the communities that it found."""

from dataclasses import dataclass
from typing import Annotated, Literal

from legacymind.model.about import about
from legacymind.model.base import Answer, Kind, ListAnswer
from legacymind.model.members import StoredId

Analysis = Literal["neighbours", "mass", "communities"]
"""An algorithm that an analysis runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisResult(Answer):
    """The algorithms that ran, what they read, and what they stored."""

    what: Annotated[list[Analysis], about("Algorithms that ran")]
    nodes: Annotated[
        int | None, about("Number of nodes that mass and communities read; null if neither ran")
    ] = None
    relationships: Annotated[
        int | None, about("Number of relationships that mass and communities read; null if neither ran")
    ] = None
    communities: Annotated[int | None, about("Number of communities; null if they were not computed")] = None
    unassigned: Annotated[
        int | None, about("Number of nodes in no community; null if communities were not computed")
    ] = None
    thoughts: Annotated[
        int | None, about("Number of thoughts that were compared with each other; null if none were")
    ] = None
    neighbours: Annotated[
        int | None, about("Number of similarities that are stored now; null if they were not computed")
    ] = None
    dropped: Annotated[
        int | None,
        about("Number of earlier similarities that are not found any more; null if they were not computed"),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A node of a community."""

    id: StoredId
    kind: Annotated[Kind, about("Whether it is a thought, an entity or an observation")]
    text: Annotated[str, about("Name of an entity, or text of a thought or fact")]
    mass: Annotated[float | None, about("PageRank, 0.15 or more; null before an analysis computed it")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Community:
    """Nodes that are more closely linked to each other than to others."""

    number: Annotated[int, about("Number by size, from 1 for the largest; valid until the next analysis")]
    label: Annotated[str, about("Its most characteristic words, tags and names")]
    size: Annotated[int, about("Number of its nodes")]
    thoughts: Annotated[int, about("Number of its thoughts")]
    entities: Annotated[int, about("Number of its entities")]
    observations: Annotated[int, about("Number of its facts")]
    members: Annotated[list[Member], about("Nodes, the one of the greatest mass first")]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunitiesResult(ListAnswer):
    """A page of communities, or one community with a page of its members."""

    communities: Annotated[list[Community], about("Communities of the page, or the one that was asked for")]
    members: Annotated[
        list[Member], about("Members of the one that was asked for, the greatest mass first; else empty")
    ]
    community_count: Annotated[int, about("Number of all communities")]
    unassigned: Annotated[
        int,
        about(
            "Number of nodes in no community: those of very small groups, and those stored since the analysis"
        ),
    ]
