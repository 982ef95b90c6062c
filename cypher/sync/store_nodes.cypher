// Gives nodes what reconciling decided, and creates entities and facts that are new.
:param namespace => 'default';
:param kind => 'entity';
:param rows => [{id: 'entity-1', entity_id: null, embed: true, properties: {namespace: 'default', name: 'Ada', name_key: 'ada', type_key: ''}}];
CYPHER 25
UNWIND $rows AS row
FOREACH (id IN CASE $kind WHEN 'entity' THEN [row.id] ELSE [] END | MERGE (:Entity {id: id}))
FOREACH (id IN CASE $kind WHEN 'observation' THEN [row.id] ELSE [] END | MERGE (:Observation {id: id}))
WITH row
MATCH (n:Thought|Entity|Observation {id: row.id}) WHERE any(label IN labels(n) WHERE toLower(label) = $kind)
SET n += row.properties, n.noted_at = datetime.realtime(), n.access_count = coalesce(n.access_count, 0), n.embedding_deferred = CASE WHEN row.embed THEN true ELSE n.embedding_deferred END
WITH n, row WHERE $kind = 'observation'
FOREACH (old IN [(n)-[about:ABOUT]->(x) WHERE x.id <> row.entity_id | about] | DELETE old)
MATCH (e:Entity {id: row.entity_id}) WHERE e.namespace = $namespace AND NOT EXISTS { (n)-[:ABOUT]->() }
WITH n, row,
  coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
  AS e
CREATE (n)-[:ABOUT]->(e)
SET n.entity_id = e.id, n.merged_from = nullIf(coalesce(n.merged_from, row.entity_id), e.id)
