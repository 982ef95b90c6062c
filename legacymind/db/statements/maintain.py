"""The statements of ``cypher/maintain``."""

from legacymind.db.parameters import maintain as maintain_in
from legacymind.db.parameters import schema as schema_in
from legacymind.db.query import load
from legacymind.db.rows import maintain as maintain_out
from legacymind.db.rows import schema as schema_out

read_deferred = load(
    "maintain/read_deferred", maintain_in.ReadDeferred, maintain_out.DeferredRow, writes=False
)
embed_deferred = load(
    "maintain/embed_deferred", maintain_in.EmbedDeferred, maintain_out.EmbeddedRow, writes=True
)
count_deferred = load(
    "maintain/count_deferred", schema_in.NoParameters, maintain_out.WaitingRow, writes=False
)
begin_reembed = load("maintain/begin_reembed", maintain_in.BeginReembed, maintain_out.BegunRow, writes=True)
read_transactions = load(
    "maintain/read_transactions", schema_in.NoParameters, maintain_out.TransactionRow, writes=False
)
mark_missing = load("maintain/mark_missing", maintain_in.PageOfKind, maintain_out.MarkedRow, writes=True)
defer_nodes = load("maintain/defer_nodes", maintain_in.PageOfKind, maintain_out.MarkedRow, writes=True)
record_filling = load("maintain/record_filling", maintain_in.RecordFilling, schema_out.NoRow, writes=True)
switch_slot = load("maintain/switch_slot", maintain_in.SwitchSlot, maintain_out.SwitchedRow, writes=True)
release_slot = load("maintain/release_slot", maintain_in.ReleaseSlot, maintain_out.ReleasedRow, writes=True)
clear_slot = load("maintain/clear_slot", maintain_in.PageOfKind, maintain_out.SeenRow, writes=True)
give_up_slot = load("maintain/give_up_slot", schema_in.NoParameters, maintain_out.UnusedRow, writes=True)
forget_slot = load("maintain/forget_slot", schema_in.NoParameters, schema_out.NoRow, writes=True)
read_vectors = load("maintain/read_vectors", maintain_in.ReadVectors, maintain_out.VectorRow, writes=False)
find_nearest = load("maintain/find_nearest", maintain_in.FindNearest, maintain_out.NearestRow, writes=False)
count_nodes = load("maintain/count_nodes", schema_in.NoParameters, maintain_out.CountedRow, writes=False)
find_by_hand = load("maintain/find_by_hand", maintain_in.FindByHand, maintain_out.ByHandRow, writes=False)
read_by_hand = load("maintain/read_by_hand", maintain_in.ReadByHand, maintain_out.HandMadeRow, writes=False)
adopt_nodes = load("maintain/adopt_nodes", maintain_in.AdoptNodes, maintain_out.AdoptedRow, writes=True)
record_nodes = load("maintain/record_nodes", maintain_in.RecordNodes, schema_out.NoRow, writes=True)
sample_thoughts = load(
    "maintain/sample_thoughts", maintain_in.SampleThoughts, maintain_out.SampleRow, writes=False
)
sample_knowledge = load(
    "maintain/sample_knowledge", maintain_in.SampleKnowledge, maintain_out.SampleRow, writes=False
)
keep_thresholds = load(
    "maintain/keep_thresholds", maintain_in.KeepThresholds, maintain_out.KeptRow, writes=True
)
tamper_scratch = load(
    "maintain/tamper_scratch", maintain_in.TamperScratch, maintain_out.TamperedRow, writes=True
)
clear_scratch = load("maintain/clear_scratch", maintain_in.ClearScratch, maintain_out.ClearedRow, writes=True)
drop_thresholds = load(
    "maintain/drop_thresholds", schema_in.NoParameters, maintain_out.DroppedRow, writes=True
)
rank_nodes = load(
    "maintain/rank_nodes", maintain_in.RankNodes, maintain_out.RankedNodesRow, writes=False, long_running=True
)
find_communities = load(
    "maintain/find_communities",
    maintain_in.FindCommunities,
    maintain_out.GroupedRow,
    writes=False,
    long_running=True,
)
read_clock = load("maintain/read_clock", schema_in.NoParameters, maintain_out.ClockRow, writes=False)
read_algorithms = load(
    "maintain/read_algorithms", schema_in.NoParameters, maintain_out.AlgorithmsRow, writes=False
)
sample_vectors = load(
    "maintain/sample_vectors",
    maintain_in.SampleVectors,
    maintain_out.SampledVectorsRow,
    writes=False,
    long_running=True,
)
find_similar = load(
    "maintain/find_similar", maintain_in.FindSimilar, maintain_out.SimilarRow, writes=False, long_running=True
)
store_neighbours = load(
    "maintain/store_neighbours", maintain_in.StoreNeighbours, maintain_out.StoredResults, writes=True
)
drop_neighbours = load(
    "maintain/drop_neighbours", maintain_in.DropNeighbours, maintain_out.RemovedRow, writes=True
)
read_progress = load(
    "maintain/read_progress", maintain_in.OfProjection, maintain_out.PercentRow, writes=False
)
drop_projections = load(
    "maintain/drop_projections", maintain_in.DropProjections, maintain_out.RemovedRow, writes=False
)
store_analysis = load(
    "maintain/store_analysis", maintain_in.StoreAnalysis, maintain_out.StoredResults, writes=True
)
read_communities = load(
    "maintain/read_communities", maintain_in.ReadCommunities, maintain_out.CommunitiesRow, writes=False
)
measure_graph = load("maintain/measure_graph", schema_in.NoParameters, maintain_out.SizeRow, writes=False)
count_old = load("maintain/count_old", maintain_in.CountOld, maintain_out.OldCountRow, writes=False)
find_weak_recalls = load(
    "maintain/find_weak_recalls", maintain_in.FindWeakRecalls, maintain_out.WeakRecallsRow, writes=False
)
prune_recalls = load("maintain/prune_recalls", maintain_in.PruneRecalls, maintain_out.PrunedRow, writes=True)
read_active = load("maintain/read_active", maintain_in.ReadActive, maintain_out.ActiveRow, writes=False)
read_sources = load("maintain/read_sources", maintain_in.ReadSources, maintain_out.SourceRow, writes=False)
cool_thoughts = load("maintain/cool_thoughts", maintain_in.CoolThoughts, maintain_out.CooledRow, writes=True)
restore_thoughts = load(
    "maintain/restore_thoughts", maintain_in.RestoreThoughts, maintain_out.RestoredRow, writes=True
)
mend_links = load("maintain/mend_links", maintain_in.MendLinks, maintain_out.MendedRow, writes=True)
create_token = load("maintain/create_token", maintain_in.CreateToken, maintain_out.TokenIdRow, writes=True)
read_tokens = load("maintain/read_tokens", schema_in.NoParameters, maintain_out.TokenRow, writes=False)
revoke_token = load("maintain/revoke_token", maintain_in.RevokeToken, maintain_out.TokenIdRow, writes=True)
read_map = load("maintain/read_map", maintain_in.ReadMap, maintain_out.MapRow, writes=False)
