// The first embedder gives the active slot its model; for every later one the statement returns the stored model.
// The SET on lock comes before the read, so that two first embedders cannot both win.
:param fingerprint => 'model';
:param details => ({});
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
SET d.lock = 0
WITH d
SET d.embedding_a_fingerprint = coalesce(d.embedding_a_fingerprint, $fingerprint)
WITH d, d.embedding_a_fingerprint = $fingerprint AND d.active_slot = 'embedding_a' AS mine
FOREACH (_ IN CASE WHEN mine THEN [1] ELSE [] END | SET d += $details)
RETURN mine, d.embedding_a_fingerprint AS fingerprint, d.active_slot AS active_slot
