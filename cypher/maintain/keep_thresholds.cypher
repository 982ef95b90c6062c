// Keeps calibrated thresholds with the slot, beside the fingerprint of the model whose cosines they are: whoever
// reads them compares it, so that vectors of another model in this slot never meet them. No row: the slot holds
// another model's by now, and nothing is kept.
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
WHERE d.active_slot = 'embedding_a' AND d.embedding_a_fingerprint = $fingerprint
SET d.embedding_a_thresholds = $thresholds, d.embedding_a_thresholds_of = $fingerprint,
  d.embedding_a_thresholds_at = $now, d.embedding_a_thresholds_from = $basis
RETURN d.embedding_a_thresholds_at AS kept_at
