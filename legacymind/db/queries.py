"""One typed constant per Cypher file, checked when the module is loaded.

``/*filters*/`` in a file marks the place of conditions from the fixed list ``FILTERS``; nothing else
is composed at run time. (``scripts/compose_cypher.py`` writes shared parts into the files beforehand.)
Files are written for embedding slot ``a``; ``for_slot`` derives the statement for the other slot.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, Literal, LiteralString, TypeVar, cast, get_type_hints

from legacymind import files
from legacymind.db.rows import (
    ActionRow,
    AuthorsRow,
    BuildingRow,
    ChainHeadRow,
    ChainRow,
    ClearedRow,
    ContextRow,
    DatabaseRow,
    DeferredRow,
    DroppedRow,
    EmbeddableRow,
    EmbeddedRow,
    FactRow,
    FaultRow,
    HeadRow,
    HitsRow,
    IndexRow,
    KeptRow,
    KnownRow,
    LinksRow,
    MissedRow,
    Nothing,
    OutcomeRow,
    ReasoningRow,
    RecallRow,
    RedactedRow,
    RelationsRow,
    SampleRow,
    SessionHeadRow,
    SlotRow,
    TamperedRow,
    ThinkRow,
    ThreadRow,
    TrailRow,
    TreeRow,
    VersionRow,
    WeighedRow,
)

Slot = Literal["a", "b"]
Row = TypeVar("Row")

_COMMENT_OR_STRING = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")
_MARK = "/*filters*/"
_OTHERS = "/*other filters*/"
"""The place of the same conditions without ``session_id``, where the statement has that condition already."""

FILTERS: dict[str, LiteralString] = {
    "session_id": "t.session_id = $session_id",
    "chain_id": "t.chain_id = $chain_id",
    "previous_thought_id": "t.previous_thought_id = $previous_thought_id",
    "revises_thought": "t.revises_thought = $revises_thought",
    "branch_from": "t.branch_from = $branch_from",
    "parent_id": "t.parent_id = $parent_id",
    "action_id": "t.action_id = $action_id",
    "origin": "t.origin = $origin",
    "author": "t.author = $author",
    "mode": "t.mode = $mode",
    "thought_type": "t.thought_type = $thought_type",
    "confidence_gte": "t.confidence >= $confidence_gte",
    "confidence_lte": "t.confidence <= $confidence_lte",
    "date_from": "t.created_at >= $date_from",
    "date_to": "t.created_at <= $date_to",
}
"""The conditions that a search may add. The vector index answers each of them."""


@dataclass(frozen=True, slots=True)
class Query(Generic[Row]):
    """One Cypher statement: its text, whether it writes, and the columns of its rows.

    ``slow_to_plan``: planning takes a server seconds, so one process at a time sends it for the first time.
    """

    file: str
    row: type[Row]
    writes: bool
    text: LiteralString
    parameters: frozenset[str]
    slow_to_plan: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the returned columns, in the order of the row's fields."""
        return tuple(get_type_hints(self.row))

    def for_slot(self, slot: Slot) -> "Query[Row]":
        """The same statement for another embedding slot."""
        return self if slot == "a" else _other_slot(self, slot)

    def filtered(self, names: Iterable[str]) -> "Query[Row]":
        """The same statement with conditions from ``FILTERS``; raises KeyError for any other name."""
        return _filtered(self, tuple(sorted(names)))


def _trusted(text: str) -> LiteralString:
    # The only place where text becomes a statement. It comes from our own files and from FILTERS.
    return cast("LiteralString", text)


def _load(file: str, row: type[Row], *, writes: bool, slow_to_plan: bool = False) -> Query[Row]:
    text = files.text("cypher", f"{file}.cypher").strip()
    if not text.startswith("//"):
        raise ValueError(f"{file}.cypher does not begin with a comment.")
    return Query(file, row, writes, _trusted(text), _parameters(text), slow_to_plan)


def _parameters(text: str) -> frozenset[str]:
    return frozenset(_PARAMETER.findall(_COMMENT_OR_STRING.sub(" ", text)))


@lru_cache(maxsize=64)
def _other_slot(query: Query[Any], slot: Slot) -> Query[Any]:
    text = query.text.replace("embedding_a", f"embedding_{slot}")
    return replace(query, text=_trusted(text))


@lru_cache(maxsize=256)
def _filtered(query: Query[Any], names: tuple[str, ...]) -> Query[Any]:
    if _MARK not in query.text:
        raise ValueError(f"{query.file}.cypher takes no filters.")
    conditions = {name: f"\n      AND {FILTERS[name]}" for name in names}
    text = query.text.replace(_MARK, "".join(conditions.values()))
    conditions.pop("session_id", None)
    text = text.replace(_OTHERS, "".join(conditions.values()))
    return replace(query, text=_trusted(text), parameters=_parameters(text))


apply_schema = tuple(
    _load(f"schema/{name}", Nothing, writes=True)
    for name in (
        "c01_thought_id",
        "c02_session_key",
        "c03_action_key",
        "c04_entity_id",
        "c05_entity_key",
        "c06_observation_id",
        "c07_observation_key",
        "c08_pending_key",
        "c09_database_id",
        "i01_thought_steps",
        "i02_thought_session",
        "i03_thought_chain",
        "i04_thought_recorded",
        "i05_thought_created",
        "i06_thought_pinned",
        "i07_thought_playbook",
        "i08_thought_deferred",
        "i09_entity_deferred",
        "i10_observation_deferred",
        "t01_thought_text",
        "t02_knowledge_text",
        "t03_thought_tags",
    )
)
drop_quantized: dict[str, Query[Nothing]] = {
    "thought_embedding_a": _load("schema/x01_drop_thought_vectors", Nothing, writes=True),
    "knowledge_embedding_a": _load("schema/x02_drop_knowledge_vectors", Nothing, writes=True),
}
create_vector_indexes = tuple(
    _load(f"schema/{name}", Nothing, writes=True) for name in ("v01_thought_vectors", "v02_knowledge_vectors")
)
index_names = [
    named[1]
    for query in (*apply_schema, *create_vector_indexes)
    if (named := re.search(r"(?:INDEX|CONSTRAINT) (\w+) IF NOT EXISTS", query.text))
]
read_database = _load("schema/read_database", DatabaseRow, writes=False)
write_version = _load("schema/write_version", VersionRow, writes=True)
claim_slot = _load("schema/claim_slot", SlotRow, writes=True)
lock_planning = _load("schema/lock_planning", Nothing, writes=True)
read_building = _load("schema/read_building", BuildingRow, writes=False)
read_quantized = _load("schema/read_quantized", IndexRow, writes=False)
read_online = _load("schema/read_online", IndexRow, writes=False)

think = _load("think/think", ThinkRow, writes=True, slow_to_plan=True)
find_known = _load("think/find_known", KnownRow, writes=False)
lock_head = _load("think/lock_head", HeadRow, writes=True)
record_outcome = _load("think/record_outcome", OutcomeRow, writes=True)

search_memory = _load("search/search_memory", HitsRow, writes=False)
find_authors = _load("search/find_authors", AuthorsRow, writes=False)
list_thoughts = _load("search/list_thoughts", HitsRow, writes=False)
near_thoughts = _load("search/near_thoughts", HitsRow, writes=False)
read_context = _load("search/read_context", ContextRow, writes=False)
match_thoughts = _load("search/match_thoughts", HitsRow, writes=False)
match_knowledge = _load("search/match_knowledge", HitsRow, writes=False)
walk_trail = _load("search/walk_trail", TrailRow, writes=False)
read_session_thread = _load("search/read_session_thread", ThreadRow, writes=False)
read_chain_thread = _load("search/read_chain_thread", ThreadRow, writes=False)
read_links = _load("search/read_links", LinksRow, writes=False)
read_recall = _load("search/read_recall", RecallRow, writes=False)
find_missed = _load("search/find_missed", MissedRow, writes=False)
weigh_memory = _load("search/weigh_memory", WeighedRow, writes=False)

read_chain = _load("chain/read_chain", ChainRow, writes=False)
read_head = _load("chain/read_head", ChainHeadRow, writes=False)

read_tree = _load("chain/read_tree", TreeRow, writes=False)
read_action = _load("chain/read_action", ActionRow, writes=False)
read_reasoning = _load("chain/read_reasoning", ReasoningRow, writes=False)
read_heads = _load("chain/read_heads", SessionHeadRow, writes=False)
redact_thought = _load("think/redact_thought", RedactedRow, writes=True)
check_links = _load("chain/check_links", FaultRow, writes=False)

remember_entities = _load("knowledge/remember_entities", EmbeddableRow, writes=True)
remember_observations = _load("knowledge/remember_observations", FactRow, writes=True)
remember_relations = _load("knowledge/remember_relations", RelationsRow, writes=True)

read_deferred = _load("maintain/read_deferred", DeferredRow, writes=False)
embed_deferred = _load("maintain/embed_deferred", EmbeddedRow, writes=True)
sample_thoughts = _load("maintain/sample_thoughts", SampleRow, writes=False)
sample_knowledge = _load("maintain/sample_knowledge", SampleRow, writes=False)
keep_thresholds = _load("maintain/keep_thresholds", KeptRow, writes=True)
tamper_scratch = _load("maintain/tamper_scratch", TamperedRow, writes=True)
clear_scratch = _load("maintain/clear_scratch", ClearedRow, writes=True)
drop_thresholds = _load("maintain/drop_thresholds", DroppedRow, writes=True)


def everything() -> list[Query[Any]]:
    """Every statement of this module, for tests that run each on a server."""
    several = (apply_schema, create_vector_indexes, drop_quantized.values())
    alone = [cast("Query[Any]", value) for value in globals().values() if isinstance(value, Query)]
    return [*alone, *(query for queries in several for query in queries)]
