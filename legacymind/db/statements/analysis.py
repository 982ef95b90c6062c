"""The statements of ``cypher/analysis``, with the types of their rows and of larger parameters."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

from legacymind.db.query import load


class ProjectionRow(TypedDict):
    """What GDS tells of a projection, for its client."""

    projection: dict[str, Any]


project_graph = load("analysis/project_graph", ProjectionRow, writes=False, long_running=True)
project_thoughts = load("analysis/project_thoughts", ProjectionRow, writes=False, long_running=True)


class NodeResult(TypedDict):
    """A node, what an algorithm found for it, and what labels its community; ``name`` is an entity's."""

    id: str
    value: float
    name: str | None
    tags: Sequence[str]
    text: str


class ResultsRow(TypedDict):
    """All nodes of a projection; see analysis/read_results."""

    nodes: Sequence[NodeResult]


read_results = load("analysis/read_results", ResultsRow, writes=False, long_running=True)


class AlgorithmsRow(TypedDict):
    """The number of procedures of Graph Data Science that were looked for and found."""

    procedures: int


read_algorithms = load("analysis/read_algorithms", AlgorithmsRow, writes=False)


class SampledVectorsRow(TypedDict):
    """Of the nodes read: those with vectors of another length, those without any, and those with one in the
    unused slot."""

    read: int
    foreign: int
    lacking: int
    unused: int


sample_vectors = load(
    "analysis/sample_vectors",
    SampledVectorsRow,
    writes=False,
    long_running=True,
)


class SimilarPair(TypedDict):
    """The ids of two similar thoughts, and their cosine."""

    newer: str
    older: str
    cosine: float


class Copy(TypedDict):
    """A thought with a near duplicate."""

    id: str
    created_at: datetime
    text: str


class PairsRow(TypedDict):
    """Similar pairs (some twice), and near duplicates; see analysis/read_pairs."""

    pairs: Sequence[SimilarPair]
    copies: Sequence[Copy]


read_pairs = load("analysis/read_pairs", PairsRow, writes=False, long_running=True)


class StoredResults(TypedDict):
    """The number of nodes that have received their properties, or of similarities that were stored."""

    stored: int


store_neighbours = load("analysis/store_neighbours", StoredResults, writes=True)


class RemovedRow(TypedDict):
    """The number of projections, or of similarities, that were dropped."""

    dropped: int


drop_neighbours = load("analysis/drop_neighbours", RemovedRow, writes=True)


class PercentRow(TypedDict):
    """How far an algorithm is; None if the server cannot tell."""

    percent: float | None


read_progress = load("analysis/read_progress", PercentRow, writes=False)

drop_projections = load("analysis/drop_projections", RemovedRow, writes=False)

store_analysis = load("analysis/store_analysis", StoredResults, writes=True)


class CommunityMember(TypedDict):
    """A node of a community; ``mass`` is None until mass was computed."""

    id: str
    kind: Literal["thought", "entity", "observation"]
    text: str
    mass: float | None


class StoredCommunity(TypedDict):
    """A community as the last analysis stored it, with its first members."""

    number: int
    label: str | None
    size: int
    thoughts: int
    entities: int
    members: Sequence[CommunityMember]


class CommunitiesRow(TypedDict):
    """A page of communities, their number, and the number of nodes that are in none."""

    community_count: int
    unassigned: int
    communities: Sequence[StoredCommunity]


read_communities = load("analysis/read_communities", CommunitiesRow, writes=False)


class MappedCommunity(TypedDict):
    """A community of a map, with the members to draw."""

    number: int
    label: str | None
    size: int
    members: Sequence[CommunityMember]


class MapLink(TypedDict):
    """The ids of two linked nodes of a map."""

    start: str
    end: str


class MapRow(TypedDict):
    """The communities of a map, and the links among their members."""

    links: Sequence[MapLink]
    communities: Sequence[MappedCommunity]


read_map = load("analysis/read_map", MapRow, writes=False)


class AnalysedNode(TypedDict):
    """The properties to set on a node; None removes one."""

    id: str
    properties: dict[str, float | int | str | None]
