// Creates the observations of an export that do not exist. One with the same key, and another id, is the same fact: its id is
// returned, for the lines that name the other. An id that another namespace holds is an error of the caller's transaction.
// What gets a vector still lacks that of the slot that is filled or kept beside this one or, if the database has switched
// meanwhile, that of the active one (maintain/begin_reembed).
:param namespace => 'default';
:param rows => [{id: 'fact-1', entity_id: 'entity-1', fact_key: 'key', properties: {id: 'fact-1', namespace: 'default', entity_id: 'entity-1', fact_key: 'key', content: 'It runs hot.'}, vector: null}];
CYPHER 25
OPTIONAL MATCH (database:LegacyMind {id: 'database'})
WITH CASE WHEN database.active_slot = 'embedding_a' THEN database.other_slot ELSE database.active_slot END AS beside
UNWIND $rows AS row
OPTIONAL MATCH (same:Observation {id: row.id})
OPTIONAL MATCH (other:Observation {namespace: $namespace, entity_id: row.entity_id, fact_key: row.fact_key})
WITH row, beside, same, other
CALL (row, beside, same, other) {
  WITH row, beside WHERE same IS NULL AND other IS NULL
  CREATE (o:Observation) SET o = row.properties, o.noted_at = datetime.realtime()
  WITH o, beside, row.vector AS vector WHERE vector IS NOT NULL
  SET o.embedding_deferred = beside
  CALL db.create.setNodeVectorProperty(o, 'embedding_a', vector)
}
RETURN row.id AS id, same.namespace AS namespace, coalesce(same.id, other.id) AS held
