// Stores the vectors of nodes that wait for them, if the slot is in use and still holds the same model. A node that waited
// in every slot still waits in the other one. Meanwhile another
// process may have done so, a thought may have been redacted or an entity described anew: those are skipped, and what
// still waits is found by the next run. Nodes are locked in one order, by id, as think locks what it recalls.
:param fingerprint => 'model';
:param now => datetime();
:param rows => [{kind: 'thought', id: 'thought-1', content: 'text', vector: [x IN range(1, 384) | 0.1]}];
CYPHER 25
MATCH (database:LegacyMind {id: 'database'})
WHERE 'embedding_a' IN [database.active_slot, database.other_slot] AND database.embedding_a_fingerprint = $fingerprint
WITH CASE database.active_slot WHEN 'embedding_a' THEN database.other_slot ELSE database.active_slot END AS beside
UNWIND $rows AS row
WITH row, beside ORDER BY row.id
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
WITH n, row, beside
WHERE n.embedding_deferred IN [true, 'embedding_a'] AND coalesce(CASE row.kind WHEN 'entity' THEN n.description ELSE n.content END, '') = row.content
CALL db.create.setNodeVectorProperty(n, 'embedding_a', row.vector)
SET n.embedding_a_at = $now, n.embedding_deferred = CASE n.embedding_deferred WHEN true THEN beside END
RETURN count(n) AS embedded
