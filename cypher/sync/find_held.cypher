// Reads what this home holds of the ids of a segment: the node, when its id was removed, of knowledge another node with the same key,
// and the entity of a fact, or when that was removed.
:param namespace => 'default';
:param kind => 'entity';
:param rows => [{id: 'entity-1', keys: ['ada', '']}];
CYPHER 25
UNWIND $rows AS row
CALL (row) {
  WITH row WHERE $kind = 'thought'
  OPTIONAL MATCH (n:Thought {id: row.id}) RETURN n, null AS same, '' AS placed
  UNION ALL
  WITH row WHERE $kind = 'entity'
  OPTIONAL MATCH (n:Entity {id: row.id})
  OPTIONAL MATCH (same:Entity {namespace: $namespace, name_key: row.keys[0], type_key: row.keys[1]})
  RETURN n, same, '' AS placed
  UNION ALL
  WITH row WHERE $kind = 'observation'
  OPTIONAL MATCH (n:Observation {id: row.id})
  OPTIONAL MATCH (e:Entity {id: row.keys[0]})
  WITH row, n,
    coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
    AS e
  OPTIONAL MATCH (same:Observation {namespace: $namespace, entity_id: coalesce(e.id, row.keys[0]), fact_key: row.keys[1]})
  RETURN n, same, e.id AS placed
}
OPTIONAL MATCH (removed:Removed {namespace: $namespace, id: row.id})
OPTIONAL MATCH (lost:Removed {namespace: $namespace, id: CASE WHEN placed IS NULL THEN row.keys[0] END})
RETURN row.id AS id, n {.*, embedding_a: null, embedding_b: null} AS held, CASE WHEN same <> n OR n IS NULL THEN same.id END AS other, placed,
  removed {.removed_at, .reason, .session_id} AS removed, lost {.removed_at} AS lost
