// The first embedder gives the active slot its model; for every later one the statement returns the stored model.
// The SET on lock comes before the read, so that two first embedders cannot both win. Another slot than the active one
// is never claimed so: maintain/begin_reembed gives it its model.
:param fingerprint => 'model';
:param details => ({});
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
SET d.lock = 0
WITH d
FOREACH (_ IN CASE WHEN d.active_slot = 'embedding_a' THEN [1] ELSE [] END |
  SET d.embedding_a_fingerprint = coalesce(d.embedding_a_fingerprint, $fingerprint))
WITH d, d.active_slot = 'embedding_a' AND d.embedding_a_fingerprint = $fingerprint AS mine
FOREACH (_ IN CASE WHEN mine THEN [1] ELSE [] END | SET d += $details)
RETURN mine, d.embedding_a_fingerprint AS fingerprint, d.active_slot AS active_slot
