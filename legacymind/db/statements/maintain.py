"""The statements of ``cypher/maintain``, with the types of their rows and of larger parameters."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

from legacymind.db.query import load
from legacymind.db.statements.schema import NoRow, OverSlot
from legacymind.db.stored import Property
from legacymind.model.base import Mode


class DeferredRow(TypedDict):
    """A node that waits for its vector; see maintain/read_deferred."""

    kind: Literal["thought", "entity", "observation"]
    id: str
    content: str | None
    mode: str | None
    name: str | None
    entity_type: str | None


read_deferred = load("maintain/read_deferred", DeferredRow, writes=False)


class EmbeddedRow(TypedDict):
    """The number of nodes that have received their vectors."""

    embedded: int


embed_deferred = load("maintain/embed_deferred", EmbeddedRow, writes=True)


class WaitingRow(TypedDict):
    """The number of nodes that wait for their vectors in the active slot, and in the other one if in use."""

    waiting: int
    waiting_in_other: int


count_deferred = load("maintain/count_deferred", WaitingRow, writes=False)


class BegunRow(TypedDict):
    """The result of beginning, and the models of both slots; ``marked``: all nodes are marked."""

    verdict: Literal["started", "continued", "active", "empty", "taken", "dropping"]
    active_slot: str
    active: str | None
    other: str | None
    marked: bool


begin_reembed = load("maintain/begin_reembed", BegunRow, writes=True)


class TransactionRow(TypedDict):
    """A transaction that runs."""

    id: str


read_transactions = load("maintain/read_transactions", TransactionRow, writes=False)


class SeenRow(TypedDict):
    """The number of nodes on a page, and the id of the last one."""

    seen: int
    last: str | None


class MarkedRow(SeenRow):
    """A page, and how many of its nodes were marked."""

    marked: int


mark_missing = load("maintain/mark_missing", MarkedRow, writes=True)

defer_nodes = load("maintain/defer_nodes", MarkedRow, writes=True)

record_filling = load("maintain/record_filling", NoRow, writes=True)


class SwitchedRow(TypedDict):
    """Whether the slots were switched, and how many nodes wait for a vector of the other slot."""

    verdict: Literal["switched", "none", "unfinished", "wrong"]
    waiting: int


switch_slot = load("maintain/switch_slot", SwitchedRow, writes=True)


class ReleasedRow(TypedDict):
    """Whether a slot's vectors can be removed, and the slot."""

    verdict: Literal["released", "dropping", "none", "unswitched", "kept"]
    slot: str | None


release_slot = load("maintain/release_slot", ReleasedRow, writes=True)

clear_slot = load("maintain/clear_slot", SeenRow, writes=True)


class UnusedRow(TypedDict):
    """Whether no change of the model uses the slot, so that it can be cleared."""

    unused: bool


give_up_slot = load("maintain/give_up_slot", UnusedRow, writes=True)

forget_slot = load("maintain/forget_slot", NoRow, writes=True)


class VectorRow(TypedDict):
    """A node's vector, an array of 32-bit floats."""

    id: str
    namespace: str
    vector: Sequence[float]


read_vectors = load("maintain/read_vectors", VectorRow, writes=False)


class NearestRow(TypedDict):
    """The ids of the nodes nearest to a vector, the nearest first."""

    id: str
    nearest: list[str]


find_nearest = load("maintain/find_nearest", NearestRow, writes=False)


class CountedRow(TypedDict):
    """The number of nodes, how many are known, and the refused nodes made by hand, a line each.

    ``unlinked`` observations are about no entity; ``known_unlinked`` were so at the last search.
    ``unmentioned``: there are mentions to store.
    """

    nodes: int
    known: int | None
    unlinked: int
    known_unlinked: int | None
    looked_at: datetime | None
    refused: list[str]
    refused_count: int
    unmentioned: bool


count_nodes = load("maintain/count_nodes", CountedRow, writes=False)


class ByHandRow(TypedDict):
    """The internal id of a node made by hand."""

    element_id: str


find_by_hand = load("maintain/find_by_hand", ByHandRow, writes=False)


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


read_by_hand = load("maintain/read_by_hand", HandMadeRow, writes=False)


class AdoptedRow(TypedDict):
    """Whether a node was completed, and if not, the id of the same entity or fact if it is stored already."""

    element_id: str
    adopted: bool
    same: str | None


adopt_nodes = load("maintain/adopt_nodes", AdoptedRow, writes=True)

record_nodes = load("maintain/record_nodes", NoRow, writes=True)


class Sampled(TypedDict):
    """A sampled node; ``vector`` is an array of 32-bit floats, ``links`` are ids that it never recalls."""

    id: str
    namespace: str
    vector: Sequence[float]
    links: list[str]


class SampleRow(OverSlot):
    """A sample of what recall can find."""

    sample: list[Sampled]


sample_thoughts = load("maintain/sample_thoughts", SampleRow, writes=False)

sample_knowledge = load("maintain/sample_knowledge", SampleRow, writes=False)


class KeptRow(TypedDict):
    """The time the thresholds were stored."""

    kept_at: datetime


keep_thresholds = load("maintain/keep_thresholds", KeptRow, writes=True)


class TamperedRow(TypedDict):
    """The step that was rewritten."""

    step: int


tamper_scratch = load("maintain/tamper_scratch", TamperedRow, writes=True)


class ClearedRow(TypedDict):
    """The number of deleted nodes."""

    deleted: int


clear_scratch = load("maintain/clear_scratch", ClearedRow, writes=True)


class DroppedRow(OverSlot):
    """Whether there were thresholds to drop."""

    kept: bool


drop_thresholds = load("maintain/drop_thresholds", DroppedRow, writes=True)


class ClockRow(TypedDict):
    """The time on the server."""

    now: datetime


read_clock = load("maintain/read_clock", ClockRow, writes=False)


class SizeRow(TypedDict):
    """Counts of nodes and relationships of the whole database."""

    thoughts: int
    entities: int
    observations: int
    sessions: int
    relationships: int
    recalls: int


measure_graph = load("maintain/measure_graph", SizeRow, writes=False)


class CountOld(TypedDict):
    """The thoughts of a namespace from before a time."""

    namespace: str
    before: datetime


class OldCountRow(TypedDict):
    """The number of thoughts."""

    thoughts: int


count_old = load("maintain/count_old", OldCountRow, writes=False)


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


find_weak_recalls = load("maintain/find_weak_recalls", WeakRecallsRow, writes=False)


class PrunedRow(PageRow):
    """The number of relationships that were removed."""

    pruned: int


prune_recalls = load("maintain/prune_recalls", PrunedRow, writes=True)


class ActiveThought(TypedDict):
    """A thought to judge. ``used_at``, as text, is when it was created or last recalled.

    ``visible`` is false for a private thought of another session than the caller's. ``summary`` is the id of
    one in recall that was made of the thought before it was restored.
    """

    id: str
    session_id: str | None
    summary: str | None
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


read_active = load("maintain/read_active", ActiveRow, writes=False)


class SourceRow(TypedDict):
    """A thought to summarise; its time is text. ``summaries`` are earlier ones of as many thoughts."""

    id: str
    content: str
    author: str | None
    summaries: list[str]
    mode: Mode
    tags: list[str]
    created_at: str


read_sources = load("maintain/read_sources", SourceRow, writes=False)


class CooledRow(TypedDict):
    """The number of thoughts that were taken out of recall."""

    cooled: int


cool_thoughts = load("maintain/cool_thoughts", CooledRow, writes=True)


class RestoredRow(TypedDict):
    """The numbers of restored thoughts, and of summaries that were taken out of recall instead."""

    restored: int
    retired: int


restore_thoughts = load("maintain/restore_thoughts", RestoredRow, writes=True)


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


mend_links = load("maintain/mend_links", MendedRow, writes=True)


class TokenIdRow(TypedDict):
    """The id of a token that was created or deleted."""

    id: str


create_token = load("maintain/create_token", TokenIdRow, writes=True)


class TokenRow(TypedDict):
    """A token of ``serve``; ``digest`` is the SHA-256 of its text in hexadecimal digits."""

    id: str
    name: str
    namespace: str
    scope: Literal["read", "write"]
    digest: str
    created_at: datetime


read_tokens = load("maintain/read_tokens", TokenRow, writes=False)

revoke_token = load("maintain/revoke_token", TokenIdRow, writes=True)


class EmbeddedText(TypedDict):
    """A node's vector and the content that was embedded; a node with other content now is skipped."""

    kind: str
    id: str
    content: str
    vector: list[float]


class AskedVector(TypedDict):
    """A vector with the namespace to search."""

    id: str
    namespace: str
    vector: list[float]


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


class SampleNodes(TypedDict):
    """``starts`` are random ids to seek from, ``sample_size`` the most nodes; None samples all namespaces."""

    namespace: str | None
    starts: list[str]
    sample_size: int


class OldThoughts(CountOld):
    """The next ``page`` of these thoughts, after the one of this time (as text) and id."""

    after_time: str
    after_id: str
    page: int


class JudgedThought(TypedDict):
    """A thought that the curator judged, and how often it had been recalled then."""

    id: str
    accesses: int
