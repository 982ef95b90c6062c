"""Rows of the statements in cypher/maintain."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

from legacymind.db.rows.schema import OverSlot
from legacymind.model.base import Mode


class DeferredRow(TypedDict):
    """A node that waits for its vector; see maintain/read_deferred."""

    kind: Literal["thought", "entity", "observation"]
    id: str
    content: str | None
    mode: str | None
    name: str | None
    entity_type: str | None


class EmbeddedRow(TypedDict):
    """The number of nodes that have received their vectors."""

    embedded: int


class CountedRow(TypedDict):
    """The number of nodes, how many are known, and the refused nodes made by hand, a line each.

    ``unlinked`` observations are about no entity; ``known_unlinked`` were so at the last search.
    """

    nodes: int
    known: int | None
    unlinked: int
    known_unlinked: int | None
    looked_at: datetime | None
    refused: list[str]
    refused_count: int


class WaitingRow(TypedDict):
    """The number of nodes that wait for their vectors in the active slot, and in the other one if in use."""

    waiting: int
    waiting_in_other: int


class BegunRow(TypedDict):
    """The result of beginning, and the models of both slots; ``marked``: all nodes are marked."""

    verdict: Literal["started", "continued", "active", "empty", "taken", "dropping"]
    active_slot: str
    active: str | None
    other: str | None
    marked: bool


class TransactionRow(TypedDict):
    """A transaction that runs."""

    id: str


class SeenRow(TypedDict):
    """The number of nodes on a page, and the id of the last one."""

    seen: int
    last: str | None


class MarkedRow(SeenRow):
    """A page, and how many of its nodes were marked."""

    marked: int


class UnusedRow(TypedDict):
    """Whether no change of the model uses the slot, so that it can be cleared."""

    unused: bool


class SwitchedRow(TypedDict):
    """Whether the slots were switched, and how many nodes wait for a vector of the other slot."""

    verdict: Literal["switched", "none", "unfinished", "wrong"]
    waiting: int


class ReleasedRow(TypedDict):
    """Whether a slot's vectors can be removed, and the slot."""

    verdict: Literal["released", "dropping", "none", "unswitched", "kept"]
    slot: str | None


class VectorRow(TypedDict):
    """A node's vector, an array of 32-bit floats."""

    id: str
    namespace: str
    vector: Sequence[float]


class NearestRow(TypedDict):
    """The ids of the nodes nearest to a vector, the nearest first."""

    id: str
    nearest: list[str]


class ByHandRow(TypedDict):
    """The internal id of a node made by hand."""

    element_id: str


class HandMadeRow(TypedDict):
    """A node made by hand. Its properties may have any type; ``other_types`` names those with unusual ones.

    The entity is the one that an observation is about; ``entity_known`` unless it was made by hand, too.
    """

    element_id: str
    kind: Literal["thought", "entity", "observation"]
    properties: dict[str, Any]
    other_types: list[str]
    in_session: bool
    has_entity: bool
    entity_id: Any
    entity_namespace: Any
    entity_known: bool


class AdoptedRow(TypedDict):
    """Whether a node was completed, and if not, the id of the same entity or fact if it is stored already."""

    element_id: str
    adopted: bool
    same: str | None


class Sampled(TypedDict):
    """A sampled node; ``vector`` is an array of 32-bit floats, ``links`` are ids that it never recalls."""

    id: str
    namespace: str
    vector: Sequence[float]
    links: list[str]


class SampleRow(OverSlot):
    """A sample of what recall can find."""

    sample: list[Sampled]


class KeptRow(TypedDict):
    """The time the thresholds were stored."""

    kept_at: datetime


class DroppedRow(OverSlot):
    """Whether there were thresholds to drop."""

    kept: bool


class TamperedRow(TypedDict):
    """The step that was rewritten."""

    step: int


class ClearedRow(TypedDict):
    """The number of deleted nodes."""

    deleted: int


class MassOfNode(TypedDict):
    """A node and its PageRank."""

    id: str
    mass: float


class RankedNodesRow(TypedDict):
    """The number of relationships that were read, and all nodes; see maintain/rank_nodes."""

    relationships: int
    ranked: Sequence[MassOfNode]


class GroupedNode(TypedDict):
    """A node, the number of its group, and what labels the group; ``name`` is an entity's."""

    id: str
    group: int
    tags: Sequence[str]
    name: str | None
    text: str


class GroupedRow(TypedDict):
    """The number of relationships that were read, and all nodes; see maintain/find_communities."""

    relationships: int
    members: Sequence[GroupedNode]


class FoundPair(TypedDict):
    """The ids of two similar thoughts, and their cosine; see maintain/find_similar."""

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


class PercentRow(TypedDict):
    """How far an algorithm is; None if the server cannot tell."""

    percent: float | None


class RemovedRow(TypedDict):
    """The number of projections, or of similarities, that were dropped."""

    dropped: int


class StoredResults(TypedDict):
    """The number of nodes that have received their properties, or of similarities that were stored."""

    stored: int


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


class TokenIdRow(TypedDict):
    """The id of a token that was created or deleted."""

    id: str


class TokenRow(TypedDict):
    """A token of ``serve``; ``digest`` is the SHA-256 of its text in hexadecimal digits."""

    id: str
    name: str
    namespace: str
    scope: Literal["read", "write"]
    digest: str
    created_at: datetime


class SizeRow(TypedDict):
    """Counts of nodes and relationships of the whole database."""

    thoughts: int
    entities: int
    observations: int
    sessions: int
    relationships: int
    recalls: int


class ClockRow(TypedDict):
    """The time on the server."""

    now: datetime


class AlgorithmsRow(TypedDict):
    """The number of procedures of Graph Data Science that were looked for and found."""

    procedures: int


class SampledVectorsRow(TypedDict):
    """Of the nodes read: those with vectors of other models, these models, those without any, and those with
    one in the unused slot."""

    read: int
    foreign: int
    models: list[str]
    lacking: int
    unused: int


class OldCountRow(TypedDict):
    """The number of thoughts."""

    thoughts: int


class PageRow(TypedDict):
    """The number of thoughts on a page, and the time (as text) and id of the last one, null if none."""

    thoughts: int
    last_time: str | None
    last_id: str | None


class WeakRecall(TypedDict):
    """A weak relationship: its stored weight, that of today, and its last use as text."""

    thought_id: str
    memory_id: str
    weight: float
    decayed: float
    accessed: str


class WeakRecallsRow(PageRow):
    """The number of weak relationships of a page, and the weakest of them."""

    weak: int
    samples: list[WeakRecall]


class PrunedRow(PageRow):
    """The number of relationships that were removed."""

    pruned: int


class ActiveThought(TypedDict):
    """A thought to judge. ``used_at``, as text, is when it was created or last recalled.

    ``visible`` is false for a private thought of another session than the caller's.
    """

    id: str
    session_id: str | None
    origin: str | None
    thought_type: str | None
    is_private: bool
    salience: float | None
    outcome: float | None
    accesses: int
    used_at: str | None
    pinned: bool
    standing: bool
    playbook: bool
    unresolved: bool | None
    visible: bool | None
    text: str


class ActiveRow(PageRow):
    """The thoughts of a page that recall can find."""

    active: list[ActiveThought]


class CooledRow(TypedDict):
    """The number of thoughts that were taken out of recall."""

    cooled: int


class SourceRow(TypedDict):
    """A thought to summarise; its time is text."""

    id: str
    content: str
    mode: Mode
    tags: list[str]
    created_at: str


class RestoredRow(TypedDict):
    """The numbers of restored thoughts, and of summaries that were taken out of recall instead."""

    restored: int
    retired: int


class MissingLink(TypedDict):
    """A link of a thought that is no relationship; ``waits``: its target does not exist."""

    id: str
    type: str
    target: str
    waits: bool


class MendedRow(PageRow):
    """The number of missing links of a page, and some of them."""

    mended: int
    samples: list[MissingLink]
