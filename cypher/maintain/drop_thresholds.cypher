// Removes calibrated thresholds; the model's own thresholds apply again.
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
WITH d, d.embedding_a_thresholds_of IS NOT NULL AS kept
REMOVE d.embedding_a_thresholds, d.embedding_a_thresholds_of, d.embedding_a_thresholds_at,
  d.embedding_a_thresholds_from
RETURN kept
