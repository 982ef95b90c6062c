"""The statements of ``cypher/search``."""

from legacymind.db.parameters import search as search_in
from legacymind.db.query import load
from legacymind.db.rows import search as search_out

read_thought_hits = load(
    "search/read_thought_hits", search_in.ReadThoughtHits, search_out.ThoughtHitsRow, writes=False
)
read_knowledge_hits = load(
    "search/read_knowledge_hits", search_in.ReadKnowledgeHits, search_out.KnowledgeHitsRow, writes=False
)
list_thoughts = load("search/list_thoughts", search_in.ListThoughts, search_out.ListedRow, writes=False)
read_context = load("search/read_context", search_in.ReadContext, search_out.ContextRow, writes=False)
match_thoughts = load("search/match_thoughts", search_in.MatchThoughts, search_out.ThoughtsRow, writes=False)
match_knowledge = load(
    "search/match_knowledge", search_in.MatchKnowledge, search_out.KnowledgeRow, writes=False
)
walk_trail = load("search/walk_trail", search_in.WalkTrail, search_out.TrailRow, writes=False)
read_session_thread = load(
    "search/read_session_thread", search_in.ReadSessionThread, search_out.ThreadRow, writes=False
)
read_chain_thread = load(
    "search/read_chain_thread", search_in.ReadChainThread, search_out.ThreadRow, writes=False
)
read_links = load("search/read_links", search_in.ReadLinks, search_out.LinksRow, writes=False)
read_node = load("search/read_node", search_in.ReadNode, search_out.NodeRow, writes=False)
read_recall = load("search/read_recall", search_in.ReadRecall, search_out.RecallRow, writes=False)
find_missed = load("search/find_missed", search_in.FindMissed, search_out.MissedRow, writes=False)
weigh_memory = load("search/weigh_memory", search_in.WeighMemory, search_out.WeighedRow, writes=False)
