"""The statements of ``cypher/analysis``, with the types of their rows and of larger parameters."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypedDict

from legacymind.db.query import load
from legacymind.db.statements.schema import OverSlot


class MassOfNode(TypedDict):
    """A node and its PageRank."""

    id: str
    mass: float


class RankedNodesRow(TypedDict):
    """The number of relationships that were read, and all nodes; see analysis/rank_nodes."""

    relationships: int
    ranked: Sequence[MassOfNode]


rank_nodes = load("analysis/rank_nodes", RankedNodesRow, writes=False, long_running=True)


class GroupedNode(TypedDict):
    """A node, the number of its group, and what labels the group; ``name`` is an entity's."""

    id: str
    group: int
    tags: Sequence[str]
    name: str | None
    text: str


class GroupedRow(TypedDict):
    """The number of relationships that were read, and all nodes; see analysis/find_communities."""

    relationships: int
    members: Sequence[GroupedNode]


find_communities = load(
    "analysis/find_communities",
    GroupedRow,
    writes=False,
    long_running=True,
)


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


class FoundPair(TypedDict):
    """The ids of two similar thoughts, and their cosine; see analysis/find_similar."""

    newer: str
    older: str
    cosine: float


class Copy(TypedDict):
    """A thought with a near duplicate."""

    id: str
    created_at: datetime
    text: str


class SimilarRow(OverSlot):
    """The number of thoughts that were compared, their similar pairs (some twice), and near duplicates."""

    nodes: int
    pairs: Sequence[FoundPair]
    copies: Sequence[Copy]


find_similar = load("analysis/find_similar", SimilarRow, writes=False, long_running=True)


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


class SimilarPair(TypedDict):
    """The ids of two similar thoughts, and their cosine."""

    newer: str
    older: str
    cosine: float


class AnalysedNode(TypedDict):
    """The properties to set on a node; None removes one."""

    id: str
    properties: dict[str, float | int | str | None]
