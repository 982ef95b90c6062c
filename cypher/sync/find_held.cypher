// Reads what this home holds of the ids of a segment: the node, when its id was removed, of knowledge another node with the same key,
// and the entity that an entity was merged into, or that of a fact, or when that was removed.
:param namespace => 'default';
:param kind => 'entity';
:param rows => [{id: 'entity-1', keys: ['ada', '']}];
CYPHER 25
UNWIND $rows AS row
OPTIONAL MATCH (n:Thought|Entity|Observation {id: row.id}) WHERE any(label IN labels(n) WHERE toLower(label) = $kind)
OPTIONAL MATCH (e:Entity {id: CASE $kind WHEN 'observation' THEN row.keys[0] ELSE row.id END})
WITH row, n,
  coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
  AS e
OPTIONAL MATCH (entity:Entity {namespace: $namespace, name_key: row.keys[0], type_key: row.keys[1]}) WHERE $kind = 'entity'
OPTIONAL MATCH (fact:Observation {namespace: $namespace, entity_id: coalesce(e.id, row.keys[0]), fact_key: row.keys[1]})
WITH row, n, e.id AS placed, coalesce(entity, fact) AS same
OPTIONAL MATCH (removed:Removed {namespace: $namespace, id: row.id})
OPTIONAL MATCH (lost:Removed {namespace: $namespace, id: CASE WHEN placed IS NULL THEN row.keys[0] END})
RETURN row.id AS id, n {.*, embedding_a: null, embedding_b: null} AS held, CASE WHEN same <> n OR n IS NULL THEN same.id END AS other, placed,
  removed {.removed_at, .reason, .session_id} AS removed, lost {.removed_at} AS lost
