"""The statements of ``cypher/nodes``, with the types of their rows and of larger parameters."""

from datetime import datetime
from typing import Any, Literal, TypedDict

from legacymind.db.query import load

AnyNode = dict[str, Any]
"""The fields of a node as its class in ``model.graph`` has them, and its ``kind``."""


class FoundNode(TypedDict):
    """A node, or null."""

    node: AnyNode | None


class NodeOfId(TypedDict):
    """The node that an id names."""

    id: str
    found: FoundNode


read_nodes = load("nodes/read_nodes", NodeOfId, writes=False)


class InTime(TypedDict):
    """A thought and its position: Unix seconds, nanoseconds, step and id."""

    node: AnyNode
    position: tuple[int, int, int, str]


class ThoughtsOfId(TypedDict):
    """A page of the thoughts of one node."""

    id: str
    items: list[InTime]


read_linked = load("nodes/read_linked", ThoughtsOfId, writes=False)


class Recalled(TypedDict):
    """The id of a recalled memory; the parts of its score are null if it was recalled by hand."""

    id: str
    rank: int
    score: float | None
    cosine: float | None
    part_similarity: float | None
    part_recency: float | None
    part_salience: float | None
    part_access: float | None
    part_contradiction: float | None
    via: str | None
    position: tuple[int, str]


class RecallsOfId(TypedDict):
    """A page of what one thought recalled."""

    id: str
    items: list[Recalled]


read_recalls = load("nodes/read_recalls", RecallsOfId, writes=False)


class BeliefOfId(TypedDict):
    """What was believed about a thought. ``thought``: it was thought already."""

    id: str
    thought: bool
    redacted: bool
    revised_by: str | None
    solved_by: str | None
    contradicted_by: str | None


read_beliefs = load("nodes/read_beliefs", BeliefOfId, writes=False)


class StoredSession(TypedDict):
    """A session; ``known``: it exists. ``first_at`` and ``last_at`` are times of its visible thoughts."""

    known: bool
    created_at: datetime | None
    head_hash: str | None
    head_step: int | None
    head_key_id: str | None
    first_at: datetime | None
    last_at: datetime | None


class SessionOfId(TypedDict):
    """The session that an id names."""

    id: str
    session: StoredSession


read_sessions = load("nodes/read_sessions", SessionOfId, writes=False)
read_session_thoughts = load("nodes/read_session_thoughts", ThoughtsOfId, writes=False)


class Fact(TypedDict):
    """An observation and its position: negated seconds and nanoseconds, and id."""

    node: AnyNode
    position: tuple[int, int, str]


class FactsOfId(TypedDict):
    """A page of the facts about one entity."""

    id: str
    items: list[Fact]


read_observations = load("nodes/read_observations", FactsOfId, writes=False)


class Related(TypedDict):
    """A relation with all its properties, the entity at its other end, and its position."""

    node: AnyNode
    type: str
    direction: Literal["out", "in"]
    properties: dict[str, Any]
    position: tuple[str, str, str]


class RelationsOfId(TypedDict):
    """A page of the relations of one entity."""

    id: str
    items: list[Related]


read_relations = load("nodes/read_relations", RelationsOfId, writes=False)
read_chain_thoughts = load("nodes/read_chain_thoughts", ThoughtsOfId, writes=False)
read_action_thoughts = load("nodes/read_action_thoughts", ThoughtsOfId, writes=False)


class ActionRow(TypedDict):
    """An action."""

    id: str
    created_at: datetime | None


read_actions = load("nodes/read_actions", ActionRow, writes=False)
list_actions = load("nodes/list_actions", ActionRow, writes=False)


class NamesRow(TypedDict):
    """A page of names."""

    names: list[str]


list_sessions = load("nodes/list_sessions", NamesRow, writes=False)
list_namespaces = load("nodes/list_namespaces", NamesRow, writes=False)
list_chains = load("nodes/list_chains", NamesRow, writes=False)
list_authors = load("nodes/list_authors", NamesRow, writes=False)


class LatestSession(TypedDict):
    """A session and its position: negated seconds and nanoseconds of its last thought, and id."""

    name: str
    position: tuple[int, int, str]


list_latest_sessions = load("nodes/list_latest_sessions", LatestSession, writes=False)


class Counted(TypedDict):
    """A number of nodes."""

    count: int


class CountOfId(TypedDict):
    """A number of neighbours of a node."""

    id: str
    count: int


count_sessions = load("nodes/count_sessions", Counted, writes=False)
count_entities = load("nodes/count_entities", Counted, writes=False)
count_facts = load("nodes/count_facts", Counted, writes=False)
count_observations = load("nodes/count_observations", CountOfId, writes=False)
count_relations = load("nodes/count_relations", CountOfId, writes=False)


class TagRow(TypedDict):
    """A tag, and how many thoughts have it."""

    name: str
    count: int


list_tags = load("nodes/list_tags", TagRow, writes=False)


class Arrived(TypedDict):
    """A stored thought. ``after_unknown``: the step before it was stored in the meantime, and is unknown."""

    id: str
    session_id: str | None
    chain_id: str | None
    is_private: bool | None
    stored_at: datetime
    step: int | None
    after_unknown: bool


class ArrivalsRow(TypedDict):
    """Stored thoughts, and the time of the server's clock at which the read began."""

    now: datetime
    found: list[Arrived]


read_arrivals = load("nodes/read_arrivals", ArrivalsRow, writes=False)


class FacetValue(TypedDict):
    """A value, and the number of thoughts that have it."""

    value: str
    count: int


class Facet(TypedDict):
    """The most frequent values of a property."""

    name: str
    values: list[FacetValue]


class FacetsOfId(TypedDict):
    """The facets of one session."""

    id: str
    facets: list[Facet]


read_facets = load("nodes/read_facets", FacetsOfId, writes=False)


class SpanRow(TypedDict):
    """The number of thoughts in the span of time that begins at ``start``."""

    start: datetime
    count: int


class TimelineOfId(TypedDict):
    """The latest spans of one session with thoughts, in order."""

    id: str
    spans: list[SpanRow]


read_timeline = load("nodes/read_timeline", TimelineOfId, writes=False)
count_spans = load("nodes/count_spans", SpanRow, writes=False)
