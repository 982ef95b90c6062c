// Stores calibrated thresholds with the slot and the fingerprint of the model they were measured with. Readers
// compare the fingerprint, so that thresholds never apply to another model's vectors. Without a row in the result,
// the slot holds another model's vectors and nothing is stored.
:param fingerprint => 'model';
:param thresholds => [0.5, 0.6, 0.7, 0.8];
:param basis => 'calibration';
:param now => datetime();
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
WHERE d.active_slot = 'embedding_a' AND d.embedding_a_fingerprint = $fingerprint
SET d.embedding_a_thresholds = $thresholds, d.embedding_a_thresholds_of = $fingerprint,
  d.embedding_a_thresholds_at = $now, d.embedding_a_thresholds_from = $basis
RETURN d.embedding_a_thresholds_at AS kept_at
