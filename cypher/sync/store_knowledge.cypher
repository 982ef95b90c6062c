// Creates entities and facts of a segment, or gives them what reconciling decided.
:param namespace => 'default';
:param kind => 'entity';
:param rows => [{id: 'entity-1', entity_id: null, embed: true, properties: {namespace: 'default', name: 'Ada', name_key: 'ada', type_key: ''}}];
CYPHER 25
UNWIND $rows AS row
CALL (row) {
  WITH row WHERE $kind = 'entity'
  MERGE (n:Entity {id: row.id})
  SET n += row.properties
  RETURN n
  UNION ALL
  WITH row WHERE $kind = 'observation'
  MERGE (n:Observation {id: row.id})
  SET n += row.properties
  WITH n, row
  OPTIONAL MATCH (e:Entity {id: row.entity_id}) WHERE e.namespace = $namespace
  WITH n, row,
    coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
    AS e
  FOREACH (x IN CASE WHEN e IS NULL OR EXISTS { (n)-[:ABOUT]->() } THEN [] ELSE [e] END |
    CREATE (n)-[:ABOUT]->(x)
    SET n.entity_id = x.id, n.merged_from = coalesce(n.merged_from, CASE WHEN x.id <> row.entity_id THEN row.entity_id END))
  RETURN n
}
SET n.noted_at = datetime.realtime(), n.access_count = coalesce(n.access_count, 0), n.embedding_deferred = CASE WHEN row.embed THEN true ELSE n.embedding_deferred END
RETURN count(n) AS stored
