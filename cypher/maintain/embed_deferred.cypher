// Gives what waits its vectors, if the active slot is still the one they were made for. Another process may have done
// so meanwhile, a thought may have been redacted, an entity described anew: those are passed over, and what then
// still waits is met at the next look. Locked in one order, by id, as a thought locks what it recalls.
CYPHER 25
MATCH (database:LegacyMind {id: 'database'})
WHERE database.active_slot = 'embedding_a' AND database.embedding_a_fingerprint = $fingerprint
UNWIND $rows AS row
WITH row ORDER BY row.id
CALL (row) {
  MATCH (t:Thought {id: row.id}) WHERE row.kind = 'thought'
  RETURN t AS n
  UNION ALL
  MATCH (e:Entity {id: row.id}) WHERE row.kind = 'entity'
  RETURN e AS n
  UNION ALL
  MATCH (o:Observation {id: row.id}) WHERE row.kind = 'observation'
  RETURN o AS n
}
SET n.lock = 0
WITH n, row
WHERE n.embedding_deferred = true AND coalesce(CASE row.kind WHEN 'entity' THEN n.description ELSE n.content END, '') = row.content
CALL db.create.setNodeVectorProperty(n, 'embedding_a', row.vector)
SET n += $details
REMOVE n.embedding_deferred
RETURN count(n) AS embedded
