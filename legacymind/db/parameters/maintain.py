"""Parameters of the statements in cypher/maintain."""

from datetime import datetime
from typing import Literal, TypedDict

from legacymind.db.stored import EmbeddingDetails, Property


class ReadDeferred(TypedDict):
    """``limit`` is the most nodes returned."""

    limit: int


class EmbeddedText(TypedDict):
    """A node's vector and the content that was embedded; a node with other content now is skipped."""

    kind: str
    id: str
    content: str
    vector: list[float]


class EmbedDeferred(TypedDict):
    """Vectors for nodes that wait for one, made by the model with this fingerprint."""

    fingerprint: str
    details: EmbeddingDetails
    rows: list[EmbeddedText]


class BeginReembed(TypedDict):
    """The model that the slot beside the active one gets, with its ``details`` for either slot."""

    fingerprint: str
    details: dict[str, EmbeddingDetails]


class PageOfKind(TypedDict):
    """A page of at most ``take`` nodes of a kind whose ids come after ``after``."""

    kind: str
    after: str
    take: int


class RecordFilling(TypedDict):
    """``filled``: everything has its vector, and is not only marked."""

    filled: bool


class SwitchSlot(TypedDict):
    """``most`` nodes may still lack a vector of the slot that becomes active; ``back``: roll back."""

    back: bool
    most: int
    now: datetime


class ReleaseSlot(TypedDict):
    """``anyway``: also a slot that was switched from after ``before``, or that was not switched to."""

    anyway: bool
    before: datetime


class ReadVectors(TypedDict):
    """The nodes whose vectors are read."""

    ids: list[str]


class AskedVector(TypedDict):
    """A vector with the namespace to search."""

    id: str
    namespace: str
    vector: list[float]


class FindNearest(TypedDict):
    """``take`` is the number of nearest nodes for each vector."""

    questions: list[AskedVector]
    take: int


class FindByHand(TypedDict):
    """The label to search."""

    label: str


class ReadByHand(TypedDict):
    """Element ids of nodes made by hand."""

    element_ids: list[str]


class AdoptedNode(TypedDict):
    """A node made by hand: its keys, by which the same entity or fact is found, and its missing properties.

    ``name_key`` and ``type_key`` are those of an entity, ``entity_id`` and ``fact_key`` of an observation.
    """

    element_id: str
    namespace: str
    name_key: str | None
    type_key: str | None
    entity_id: str | None
    fact_key: str | None
    missing: dict[str, Property]


class AdoptNodes(TypedDict):
    """Nodes to complete."""

    rows: list[AdoptedNode]


class RecordNodes(TypedDict):
    """The number of known nodes, or of those created since; ``refused`` has a line for each refused node.

    ``unlinked``: the number of observations that are about no entity.
    """

    nodes: int | None
    unlinked: int | None
    created: int
    looked_at: datetime | None
    refused: list[str] | None
    refused_count: int


class SampleNodes(TypedDict):
    """``starts`` are random ids to seek from, ``sample_size`` the most nodes; None samples all namespaces."""

    namespace: str | None
    starts: list[str]
    sample_size: int


class SampleThoughts(SampleNodes):
    """``everything``: also private thoughts, and those that are out of recall."""

    everything: bool


class SampleKnowledge(SampleNodes):
    """Knowledge that is valid at ``now``."""

    now: datetime


class KeepThresholds(TypedDict):
    """Calibrated thresholds of one model; ``basis`` describes the sample in words."""

    fingerprint: str
    thresholds: list[float]
    basis: str
    now: datetime


class TamperScratch(TypedDict):
    """The content that replaces a scratch thought's."""

    id: str
    namespace: str
    content: str


class ClearScratch(TypedDict):
    """The scratch namespace to empty."""

    namespace: str


class Project(TypedDict):
    """The nodes of a namespace that become the projection ``graph``, a new name that is not in use."""

    graph: str
    namespace: str


class RankNodes(Project):
    """The nodes at ``now``; ``weights`` are factors of relationship types, and others are left out."""

    now: datetime
    weights: dict[str, float]


class FindCommunities(RankNodes):
    """As ``RankNodes``; each text is returned with at most ``text_length`` characters."""

    text_length: int


class FindSimilar(Project):
    """The newest ``most`` thoughts, with ``k`` neighbours each of a cosine of at least ``least``.

    Vectors of other than ``dimensions`` numbers are left out. Pairs with a cosine of at least ``duplicate``
    are near duplicates.
    """

    most: int
    dimensions: int
    k: int
    least: float
    duplicate: float
    text_length: int


class SimilarPair(TypedDict):
    """The ids of two similar thoughts, and their cosine."""

    newer: str
    older: str
    cosine: float


class StoreNeighbours(TypedDict):
    """Pairs of one namespace to link, at the time ``now`` of the analysis."""

    namespace: str
    now: datetime
    rows: list[SimilarPair]


class DropNeighbours(TypedDict):
    """Similarities stored before ``now``; ``take`` is the most that one statement removes."""

    namespace: str
    now: datetime
    take: int


class OfProjection(TypedDict):
    """A projection, and the algorithm that runs on it."""

    graph: str


class DropProjections(OfProjection):
    """A projection to drop, and the time before which LegacyMind's other projections count as left behind."""

    before: datetime


class AnalysedNode(TypedDict):
    """The properties to set on a node; None removes one."""

    id: str
    properties: dict[str, float | int | str | None]


class StoreAnalysis(TypedDict):
    """Results of an algorithm, for nodes of one namespace."""

    namespace: str
    rows: list[AnalysedNode]


class ReadCommunities(TypedDict):
    """A page of communities, or one ``community`` with a page of its members."""

    namespace: str
    now: datetime
    community: int | None
    skip: int
    take: int
    member_skip: int
    member_take: int
    text_length: int


class ReadMap(TypedDict):
    """The largest ``communities`` to draw, each with an equal share of ``nodes``."""

    namespace: str
    now: datetime
    communities: int
    nodes: int
    text_length: int


class CreateToken(TypedDict):
    """A token of ``serve``; ``digest`` is the SHA-256 of its text in hexadecimal digits."""

    id: str
    name: str
    namespace: str
    scope: Literal["read", "write"]
    digest: str
    now: datetime


class RevokeToken(TypedDict):
    """The id of a token."""

    id: str


class SampleVectors(TypedDict):
    """``take`` is the most nodes of each label to read."""

    take: int


class CountOld(TypedDict):
    """The thoughts of a namespace that were stored before a time."""

    namespace: str
    before: datetime


class OldThoughts(CountOld):
    """The next ``page`` of these thoughts, after the one of this time (as text) and id."""

    after_time: str
    after_id: str
    page: int


class PruneRecalls(OldThoughts):
    """Which relationships are weak at ``now``: those that decayed below ``least``.

    ``decay`` is the share of a weight that it loses in a day, for short times: ln 2 / half-life.
    """

    now: datetime
    least: float
    decay: float


class FindWeakRecalls(PruneRecalls):
    """As ``PruneRecalls``; the weakest ``samples`` are returned."""

    samples: int


class ReadActive(OldThoughts):
    """As ``OldThoughts``; texts have at most ``text_length`` characters.

    A private thought is visible to ``own_session`` only.
    """

    own_session: str
    text_length: int


class JudgedThought(TypedDict):
    """A thought that the curator judged, and how often it had been recalled then."""

    id: str
    accesses: int


class CoolThoughts(TypedDict):
    """Thoughts to take out of recall for a ``reason``; ``summary`` is the id of their summary, or empty."""

    namespace: str
    now: datetime
    reason: str
    summary: str
    rows: list[JudgedThought]


class ReadSources(TypedDict):
    """Ids of thoughts to summarise."""

    namespace: str
    ids: list[str]


class RestoreThoughts(TypedDict):
    """The oldest ``take`` thoughts curated since a time, or those of one ``id`` if it is not empty."""

    namespace: str
    id: str
    since: datetime
    now: datetime
    take: int


class MendLinks(OldThoughts):
    """Whether to create the missing relationships, and how many of them to return."""

    apply: bool
    samples: int
