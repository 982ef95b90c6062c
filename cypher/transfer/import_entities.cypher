// Creates the entities of an export that do not exist. One with the same key, and another id, is the same entity: its id is
// returned, for the lines that name the other. An id that another namespace holds is an error of the caller's transaction.
// What gets a vector still lacks that of the slot that is filled or kept beside this one or, if the database has switched
// meanwhile, that of the active one (maintain/begin_reembed).
:param namespace => 'default';
:param rows => [{id: 'entity-1', name_key: 'pump 3', type_key: '', properties: {id: 'entity-1', namespace: 'default', name: 'Pump 3', name_key: 'pump 3', type_key: ''}, vector: null}];
CYPHER 25
OPTIONAL MATCH (database:LegacyMind {id: 'database'})
WITH CASE WHEN database.active_slot = 'embedding_a' THEN database.other_slot ELSE database.active_slot END AS beside
UNWIND $rows AS row
OPTIONAL MATCH (same:Entity {id: row.id})
OPTIONAL MATCH (other:Entity {namespace: $namespace, name_key: row.name_key, type_key: row.type_key})
WITH row, beside, same, other
CALL (row, beside, same, other) {
  WITH row, beside WHERE same IS NULL AND other IS NULL
  CREATE (e:Entity) SET e = row.properties, e.noted_at = datetime.realtime()
  WITH e, beside, row.vector AS vector WHERE vector IS NOT NULL
  SET e.embedding_deferred = beside
  CALL db.create.setNodeVectorProperty(e, 'embedding_a', vector)
}
RETURN row.id AS id, same.namespace AS namespace, coalesce(same.id, other.id) AS held
