// Marks the slot beside the active one as one to clear, if no change of the model uses it: what is left in it, somebody has
// put there by hand, or a drop has lost its mark. The vectors are removed by maintain/clear_slot.
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
SET d.lock = 0
WITH d, d.active_slot = 'embedding_b' AND d.other_slot IS NULL AND coalesce(d.dropping_slot, 'embedding_a') = 'embedding_a' AS unused
FOREACH (_ IN CASE WHEN unused THEN [1] ELSE [] END | SET d.dropping_slot = 'embedding_a')
RETURN unused
