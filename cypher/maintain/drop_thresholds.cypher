// Removes calibrated thresholds; the model's own thresholds apply again. Removes nothing if the
// slot is not active.
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
WITH d, d.embedding_a_thresholds_of IS NOT NULL AS kept, d.active_slot = 'embedding_a' AS active
FOREACH (_ IN CASE WHEN active THEN [1] ELSE [] END |
  REMOVE d.embedding_a_thresholds, d.embedding_a_thresholds_of, d.embedding_a_thresholds_at,
    d.embedding_a_thresholds_from)
RETURN kept, active
