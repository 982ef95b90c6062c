// Removes texts of entities that stay. An entity whose description is removed waits for a new vector.
:param namespace => 'default';
:param rows => [{id: 'entity-1', names: ['description'], other_forms: null}];
CYPHER 25
UNWIND $rows AS row
MATCH (n:Entity {id: row.id}) WHERE n.namespace = $namespace
FOREACH (name IN row.names | SET n[name] = null)
// part: changed(n)
SET n.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [n.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
  n.noted_at = datetime.realtime(), n.replica = null
// end of part
FOREACH (_ IN CASE WHEN 'description' IN row.names AND n.merged_at IS NULL THEN [1] ELSE [] END |
  SET n.embedding_deferred = true, n.other_forms = row.other_forms
  REMOVE n.embedding_a, n.embedding_b)
RETURN count(n) AS cleared
