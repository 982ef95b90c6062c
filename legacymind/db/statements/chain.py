"""The statements of ``cypher/chain``."""

from legacymind.db.parameters import chain as chain_in
from legacymind.db.query import load
from legacymind.db.rows import chain as chain_out

read_chain = load("chain/read_chain", chain_in.ReadChain, chain_out.ChainRow, writes=False)
read_outside = load("chain/read_outside", chain_in.ReadOutside, chain_out.OutsideRow, writes=False)
read_head = load("chain/read_head", chain_in.OfSession, chain_out.FullHeadRow, writes=False)
read_tree = load("chain/read_tree", chain_in.ReadTree, chain_out.TreeRow, writes=False)
read_action = load("chain/read_action", chain_in.ReadAction, chain_out.ActionRow, writes=False)
read_reasoning = load("chain/read_reasoning", chain_in.ReadReasoning, chain_out.ReasoningRow, writes=False)
read_heads = load("chain/read_heads", chain_in.ReadHeads, chain_out.SessionHeadRow, writes=False)
read_session_heads = load(
    "chain/read_session_heads", chain_in.OfNamespace, chain_out.SessionHeadRow, writes=False
)
store_leaves = load("chain/store_leaves", chain_in.StoreLeaves, chain_out.StoredRow, writes=True)
read_leaves = load("chain/read_leaves", chain_in.OfAnchor, chain_out.LeavesRow, writes=False)
check_links = load("chain/check_links", chain_in.OfSession, chain_out.FaultRow, writes=False)
sample_sessions = load(
    "chain/sample_sessions", chain_in.SampleSessions, chain_out.SampledSessionRow, writes=False
)
