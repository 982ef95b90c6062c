"""One typed constant for each Cypher file, checked when the module is loaded.

``/*filters*/`` in a file marks the place of conditions from the fixed list ``FILTERS``; nothing else
is composed at run time. (``scripts/compose_cypher.py`` writes shared parts into the files beforehand.)
Sample parameters, the ``:param`` lines of a file, are not part of the statement.
Files are written for embedding slot ``a``; ``for_slot`` derives the one for the other slot.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, Literal, LiteralString, TypeVar, cast, get_type_hints

from legacymind import files
from legacymind.db.filters import FILTERS
from legacymind.db.parameters import chain as chain_in
from legacymind.db.parameters import knowledge as knowledge_in
from legacymind.db.parameters import maintain as maintain_in
from legacymind.db.parameters import nodes as nodes_in
from legacymind.db.parameters import schema as schema_in
from legacymind.db.parameters import search as search_in
from legacymind.db.parameters import think as think_in
from legacymind.db.rows import chain as chain_out
from legacymind.db.rows import knowledge as knowledge_out
from legacymind.db.rows import maintain as maintain_out
from legacymind.db.rows import nodes as nodes_out
from legacymind.db.rows import schema as schema_out
from legacymind.db.rows import search as search_out
from legacymind.db.rows import think as think_out

Slot = Literal["a", "b"]
Parameters = TypeVar("Parameters")
Row = TypeVar("Row")

COMMENT_OR_STRING = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")
_SEARCH = re.compile(r"\bSEARCH\s+\w+\s+IN\b")
_SAMPLE = re.compile(r"^:param .*\n", re.MULTILINE)
"""A sample parameter: a command of Neo4j Browser and Cypher Shell, not Cypher."""
_MARK = "/*filters*/"
_OTHERS = "/*other filters*/"
"""The place of the same conditions without ``session_id``, where the statement has that condition already."""


@dataclass(frozen=True, slots=True)
class Query(Generic[Parameters, Row]):
    """One Cypher statement: its text, the types of its parameters and rows, and whether it writes.

    ``names`` are the parameters that the text uses. ``slow_to_plan``: planning takes a server seconds, so one
    process at a time sends the statement first. ``long_running``: its time grows with the graph, so it has
    the time limit of a stream. ``searches_vectors``: it has a SEARCH clause, which uses a vector index.
    """

    file: str
    parameters: type[Parameters]
    row: type[Row]
    writes: bool
    text: LiteralString
    names: frozenset[str]
    slow_to_plan: bool = False
    long_running: bool = False
    searches_vectors: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the returned columns, in the order of the row's fields."""
        return tuple(get_type_hints(self.row))

    def for_slot(self, slot: Slot) -> "Query[Parameters, Row]":
        """The same statement for another embedding slot."""
        return self if slot == "a" else _other_slot(self, slot)

    def filtered(self, names: Iterable[str]) -> "Query[Parameters, Row]":
        """The same statement with conditions of ``FILTERS``; raises KeyError for any other name."""
        return _filtered(self, tuple(sorted(names)))


def _trusted(text: str) -> LiteralString:
    # The only place where text becomes a statement. It comes from our own files and from FILTERS.
    return cast("LiteralString", text)


def _load(
    file: str,
    parameters: type[Parameters],
    row: type[Row],
    *,
    writes: bool,
    slow_to_plan: bool = False,
    long_running: bool = False,
) -> Query[Parameters, Row]:
    text = _SAMPLE.sub("", files.text("cypher", f"{file}.cypher")).strip()
    if not text.startswith("//"):
        raise ValueError(f"{file}.cypher does not begin with a comment.")
    names = _names(text)
    if names != _required(parameters):
        differing = sorted(names ^ _required(parameters))
        raise ValueError(f"{file}.cypher and {parameters.__name__} differ in {differing}.")
    return Query(
        file,
        parameters,
        row,
        writes,
        _trusted(text),
        names,
        slow_to_plan,
        long_running,
        searches_vectors=_SEARCH.search(_code(text)) is not None,
    )


def _names(text: str) -> frozenset[str]:
    return frozenset(_PARAMETER.findall(_code(text)))


def _code(text: str) -> str:
    """A statement without its comments and strings."""
    return COMMENT_OR_STRING.sub(" ", text)


def _required(parameters: type) -> frozenset[str]:
    return cast("frozenset[str]", getattr(parameters, "__required_keys__"))  # noqa: B009  # a TypedDict's own


@lru_cache(maxsize=64)
def _other_slot(query: Query[Any, Any], slot: Slot) -> Query[Any, Any]:
    text = query.text.replace("embedding_a", f"embedding_{slot}")
    return replace(query, text=_trusted(text))


@lru_cache(maxsize=256)
def _filtered(query: Query[Any, Any], names: tuple[str, ...]) -> Query[Any, Any]:
    if _MARK not in query.text:
        raise ValueError(f"{query.file}.cypher takes no filters.")
    conditions = {name: f"\n      AND {FILTERS[name].condition}" for name in names}
    text = query.text.replace(_MARK, "".join(conditions.values()))
    conditions.pop("session_id", None)
    text = text.replace(_OTHERS, "".join(conditions.values()))
    return replace(query, text=_trusted(text), names=_names(text))


apply_schema = tuple(
    _load(f"schema/{name}", schema_in.NoParameters, schema_out.NoRow, writes=True)
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
        "i11_thought_standing",
        "i12_thought_membership",
        "i13_thought_labels",
        "i14_thought_authors",
        "t01_thought_text",
        "t02_knowledge_text",
        "t03_thought_tags",
    )
)
drop_quantized = {
    "thought_embedding_a": _load(
        "schema/x01_drop_thought_vectors", schema_in.NoParameters, schema_out.NoRow, writes=True
    ),
    "knowledge_embedding_a": _load(
        "schema/x02_drop_knowledge_vectors", schema_in.NoParameters, schema_out.NoRow, writes=True
    ),
}
drop_knowledge_text = _load(
    "schema/x03_drop_knowledge_text", schema_in.NoParameters, schema_out.NoRow, writes=True
)
create_vector_indexes = tuple(
    _load(f"schema/{name}", schema_in.CreateVectorIndex, schema_out.NoRow, writes=True)
    for name in ("v01_thought_vectors", "v02_knowledge_vectors")
)
index_names = [
    named[1]
    for query in (*apply_schema, *create_vector_indexes)
    if (named := re.search(r"(?:INDEX|CONSTRAINT) (\w+) IF NOT EXISTS", query.text))
]
read_database = _load("schema/read_database", schema_in.NoParameters, schema_out.DatabaseRow, writes=False)
write_version = _load("schema/write_version", schema_in.WriteVersion, schema_out.VersionRow, writes=True)
read_contents = _load("schema/read_contents", schema_in.ReadContents, schema_out.ContentRow, writes=False)
mark_standing = _load("schema/mark_standing", schema_in.MarkStanding, schema_out.NoRow, writes=True)
write_aliases = _load("schema/write_aliases", schema_in.NoParameters, schema_out.NoRow, writes=True)
claim_slot = _load("schema/claim_slot", schema_in.ClaimSlot, schema_out.SlotRow, writes=True)
lock_planning = _load("schema/lock_planning", schema_in.NoParameters, schema_out.NoRow, writes=True)
read_building = _load("schema/read_building", schema_in.IndexNames, schema_out.BuildingRow, writes=False)
read_quantized = _load("schema/read_quantized", schema_in.IndexNames, schema_out.IndexRow, writes=False)
read_online = _load("schema/read_online", schema_in.IndexNames, schema_out.IndexRow, writes=False)

think = _load("think/think", think_in.Think, think_out.ThinkRow, writes=True, slow_to_plan=True)
find_known = _load("think/find_known", think_in.FindKnown, think_out.KnownRow, writes=False)
lock_head = _load("think/lock_head", think_in.LockHead, think_out.HeadRow, writes=True)
record_outcome = _load("think/record_outcome", think_in.RecordOutcome, think_out.OutcomeRow, writes=True)
relate_thought = _load("think/relate_thought", think_in.RelateThought, think_out.RelatedRow, writes=True)
pin_thought = _load("think/pin_thought", think_in.PinThought, think_out.PinnedRow, writes=True)

search_memory = _load("search/search_memory", search_in.SearchMemory, search_out.RankedRow, writes=False)
find_authors = _load("search/find_authors", search_in.FindAuthors, search_out.AuthorsRow, writes=False)
list_thoughts = _load("search/list_thoughts", search_in.ListThoughts, search_out.ListedRow, writes=False)
near_thoughts = _load("search/near_thoughts", search_in.NearThoughts, search_out.NearRow, writes=False)
read_context = _load("search/read_context", search_in.ReadContext, search_out.ContextRow, writes=False)
match_thoughts = _load("search/match_thoughts", search_in.MatchThoughts, search_out.ThoughtsRow, writes=False)
match_knowledge = _load(
    "search/match_knowledge", search_in.MatchKnowledge, search_out.KnowledgeRow, writes=False
)
walk_trail = _load("search/walk_trail", search_in.WalkTrail, search_out.TrailRow, writes=False)
read_session_thread = _load(
    "search/read_session_thread", search_in.ReadSessionThread, search_out.ThreadRow, writes=False
)
read_chain_thread = _load(
    "search/read_chain_thread", search_in.ReadChainThread, search_out.ThreadRow, writes=False
)
read_links = _load("search/read_links", search_in.ReadLinks, search_out.LinksRow, writes=False)
read_node = _load("search/read_node", search_in.ReadNode, search_out.NodeRow, writes=False)
read_recall = _load("search/read_recall", search_in.ReadRecall, search_out.RecallRow, writes=False)
find_missed = _load("search/find_missed", search_in.FindMissed, search_out.MissedRow, writes=False)
weigh_memory = _load("search/weigh_memory", search_in.WeighMemory, search_out.WeighedRow, writes=False)

read_nodes = _load("nodes/read_nodes", nodes_in.OfNodes, nodes_out.NodeOfId, writes=False)
read_linked = _load("nodes/read_linked", nodes_in.ReadLinked, nodes_out.ThoughtsOfId, writes=False)
read_recalls = _load("nodes/read_recalls", nodes_in.ReadRecalls, nodes_out.RecallsOfId, writes=False)
read_sessions = _load("nodes/read_sessions", nodes_in.OfNodes, nodes_out.SessionOfId, writes=False)
read_session_thoughts = _load(
    "nodes/read_session_thoughts", nodes_in.ReadSessionThoughts, nodes_out.ThoughtsOfId, writes=False
)
read_observations = _load(
    "nodes/read_observations", nodes_in.ReadObservations, nodes_out.FactsOfId, writes=False
)
read_relations = _load("nodes/read_relations", nodes_in.ReadRelations, nodes_out.RelationsOfId, writes=False)
read_chain_thoughts = _load(
    "nodes/read_chain_thoughts", nodes_in.ReadSessionThoughts, nodes_out.ThoughtsOfId, writes=False
)
read_action_thoughts = _load(
    "nodes/read_action_thoughts", nodes_in.InTime, nodes_out.ThoughtsOfId, writes=False
)
read_actions = _load("nodes/read_actions", nodes_in.OfActions, nodes_out.ActionRow, writes=False)
list_actions = _load("nodes/list_actions", nodes_in.ListIds, nodes_out.ActionRow, writes=False)
list_sessions = _load("nodes/list_sessions", nodes_in.ListIds, nodes_out.NamesRow, writes=False)
list_namespaces = _load("nodes/list_namespaces", nodes_in.AfterName, nodes_out.NamesRow, writes=False)
list_chains = _load("nodes/list_chains", nodes_in.ListNames, nodes_out.NamesRow, writes=False)
list_authors = _load("nodes/list_authors", nodes_in.ListNames, nodes_out.NamesRow, writes=False)
read_facets = _load("nodes/read_facets", nodes_in.ReadFacets, nodes_out.FacetsOfId, writes=False)
read_timeline = _load("nodes/read_timeline", nodes_in.ReadTimeline, nodes_out.TimelineOfId, writes=False)

read_chain = _load("chain/read_chain", chain_in.ReadChain, chain_out.ChainRow, writes=False)
read_outside = _load("chain/read_outside", chain_in.ReadOutside, chain_out.OutsideRow, writes=False)
read_head = _load("chain/read_head", chain_in.OfSession, chain_out.FullHeadRow, writes=False)

read_tree = _load("chain/read_tree", chain_in.ReadTree, chain_out.TreeRow, writes=False)
read_action = _load("chain/read_action", chain_in.ReadAction, chain_out.ActionRow, writes=False)
read_reasoning = _load("chain/read_reasoning", chain_in.ReadReasoning, chain_out.ReasoningRow, writes=False)
read_heads = _load("chain/read_heads", chain_in.ReadHeads, chain_out.SessionHeadRow, writes=False)
read_session_heads = _load(
    "chain/read_session_heads", chain_in.OfNamespace, chain_out.SessionHeadRow, writes=False
)
store_leaves = _load("chain/store_leaves", chain_in.StoreLeaves, chain_out.StoredRow, writes=True)
read_leaves = _load("chain/read_leaves", chain_in.OfAnchor, chain_out.LeavesRow, writes=False)
read_place = _load("think/read_place", think_in.OfThought, think_out.PlaceRow, writes=False)
redact_thought = _load("think/redact_thought", think_in.RedactThought, think_out.RedactedRow, writes=True)
check_links = _load("chain/check_links", chain_in.OfSession, chain_out.FaultRow, writes=False)

read_mcp_neo4j_memory = _load(
    "knowledge/read_mcp_neo4j_memory",
    schema_in.NoParameters,
    knowledge_out.ForeignKnowledgeRow,
    writes=False,
)
read_graphiti = _load(
    "knowledge/read_graphiti", knowledge_in.GraphGroup, knowledge_out.ForeignRow, writes=False
)
read_agent_memory = _load(
    "knowledge/read_agent_memory", schema_in.NoParameters, knowledge_out.ForeignRow, writes=False
)
remember_entities = _load(
    "knowledge/remember_entities", knowledge_in.RememberEntities, knowledge_out.EntitiesRow, writes=True
)
remember_observations = _load(
    "knowledge/remember_observations",
    knowledge_in.RememberObservations,
    knowledge_out.ObservationsRow,
    writes=True,
)
remember_relations = _load(
    "knowledge/remember_relations", knowledge_in.RememberRelations, knowledge_out.RelationsRow, writes=True
)

merge_entities = _load(
    "knowledge/merge_entities", knowledge_in.MergeEntities, knowledge_out.MergeRow, writes=True
)
find_duplicates = _load(
    "knowledge/find_duplicates", knowledge_in.FindDuplicates, knowledge_out.DuplicatesRow, writes=False
)
read_entity = _load("knowledge/read_entity", knowledge_in.ReadEntity, knowledge_out.EntityRow, writes=False)
forget_node = _load(
    "knowledge/forget_node", knowledge_in.ForgetNode, knowledge_out.ForgottenNode, writes=True
)
forget_relation = _load(
    "knowledge/forget_relation", knowledge_in.ForgetRelation, knowledge_out.ForgottenRelation, writes=True
)

read_deferred = _load(
    "maintain/read_deferred", maintain_in.ReadDeferred, maintain_out.DeferredRow, writes=False
)
embed_deferred = _load(
    "maintain/embed_deferred", maintain_in.EmbedDeferred, maintain_out.EmbeddedRow, writes=True
)
count_deferred = _load(
    "maintain/count_deferred", schema_in.NoParameters, maintain_out.WaitingRow, writes=False
)
count_nodes = _load("maintain/count_nodes", schema_in.NoParameters, maintain_out.CountedRow, writes=False)
find_by_hand = _load("maintain/find_by_hand", maintain_in.FindByHand, maintain_out.ByHandRow, writes=False)
read_by_hand = _load("maintain/read_by_hand", maintain_in.ReadByHand, maintain_out.HandMadeRow, writes=False)
adopt_nodes = _load("maintain/adopt_nodes", maintain_in.AdoptNodes, maintain_out.AdoptedRow, writes=True)
record_nodes = _load("maintain/record_nodes", maintain_in.RecordNodes, schema_out.NoRow, writes=True)
sample_thoughts = _load(
    "maintain/sample_thoughts", maintain_in.SampleThoughts, maintain_out.SampleRow, writes=False
)
sample_knowledge = _load(
    "maintain/sample_knowledge", maintain_in.SampleKnowledge, maintain_out.SampleRow, writes=False
)
keep_thresholds = _load(
    "maintain/keep_thresholds", maintain_in.KeepThresholds, maintain_out.KeptRow, writes=True
)
tamper_scratch = _load(
    "maintain/tamper_scratch", maintain_in.TamperScratch, maintain_out.TamperedRow, writes=True
)
clear_scratch = _load(
    "maintain/clear_scratch", maintain_in.ClearScratch, maintain_out.ClearedRow, writes=True
)
drop_thresholds = _load(
    "maintain/drop_thresholds", schema_in.NoParameters, maintain_out.DroppedRow, writes=True
)
rank_nodes = _load(
    "maintain/rank_nodes", maintain_in.RankNodes, maintain_out.RankedNodesRow, writes=False, long_running=True
)
find_communities = _load(
    "maintain/find_communities",
    maintain_in.FindCommunities,
    maintain_out.GroupedRow,
    writes=False,
    long_running=True,
)
find_similar = _load(
    "maintain/find_similar", maintain_in.FindSimilar, maintain_out.SimilarRow, writes=False, long_running=True
)
store_neighbours = _load(
    "maintain/store_neighbours", maintain_in.StoreNeighbours, maintain_out.StoredResults, writes=True
)
drop_neighbours = _load(
    "maintain/drop_neighbours", maintain_in.DropNeighbours, maintain_out.RemovedRow, writes=True
)
read_progress = _load(
    "maintain/read_progress", maintain_in.OfProjection, maintain_out.PercentRow, writes=False
)
drop_projections = _load(
    "maintain/drop_projections", maintain_in.DropProjections, maintain_out.RemovedRow, writes=False
)
store_analysis = _load(
    "maintain/store_analysis", maintain_in.StoreAnalysis, maintain_out.StoredResults, writes=True
)
read_communities = _load(
    "maintain/read_communities", maintain_in.ReadCommunities, maintain_out.CommunitiesRow, writes=False
)
measure_graph = _load("maintain/measure_graph", schema_in.NoParameters, maintain_out.SizeRow, writes=False)
create_token = _load("maintain/create_token", maintain_in.CreateToken, maintain_out.TokenIdRow, writes=True)
read_tokens = _load("maintain/read_tokens", schema_in.NoParameters, maintain_out.TokenRow, writes=False)
revoke_token = _load("maintain/revoke_token", maintain_in.RevokeToken, maintain_out.TokenIdRow, writes=True)
read_map = _load("maintain/read_map", maintain_in.ReadMap, maintain_out.MapRow, writes=False)


def everything() -> list[Query[Any, Any]]:
    """Every statement of this module, for tests that run each on a server."""
    several = (apply_schema, create_vector_indexes, drop_quantized.values())
    alone = [cast("Query[Any, Any]", value) for value in globals().values() if isinstance(value, Query)]
    return [*alone, *(query for queries in several for query in queries)]
