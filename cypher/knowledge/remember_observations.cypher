// Stores observations in bulk, idempotent by entity and fact. Superseding closes the older one at the moment the
// newer becomes valid and creates REVISES: the older one stays, and a search as of an earlier time finds it. A closed
// fact that is stored again for a later time is open again, and its REVISES is deleted. An id that is not in the
// namespace is returned as unknown, and the caller stores nothing. A row without a vector (the embedder is down) marks
// what it creates as waiting for one. $times are as in remember_entities.
:param namespace => 'default';
:param ns_key => 'n';
:param recorded_at => datetime();
:param embedding => ({});
:param times => [datetime(), datetime('9999-12-31')];
:param rows => [{index: 0, id: randomUUID(), entity_id: 'entity-1', fact_key: 'key', content: 'Ada lives in Lyon', valid_from: 0, valid_to: 1, vector: null, properties: {}, learned_from: null, supersedes: null}];
CYPHER 25
UNWIND $rows AS row
MATCH (e:Entity {id: row.entity_id}) WHERE e.namespace = $namespace
MERGE (o:Observation {namespace: $namespace, entity_id: e.id, fact_key: row.fact_key})
ON CREATE SET o.id = row.id, o.content = row.content, o.recorded_at = $recorded_at, o.valid_from = $times[row.valid_from],
  o.valid_to = $times[row.valid_to], o.access_count = 0, o.ns_key = $ns_key, o.kind = 'observation'
WITH row, e, o, o.id = row.id AS created, o.valid_to <= $times[row.valid_from] AS reopened
SET o += row.properties
FOREACH (_ IN CASE WHEN o.valid_to <= $times[row.valid_from] THEN [1] ELSE [] END | SET o.valid_to = $times[row.valid_to])
FOREACH (_ IN CASE WHEN created THEN [1] ELSE [] END | CREATE (o)-[:ABOUT]->(e))
WITH row, o, created, reopened
CALL (o, reopened) {
  WITH o WHERE reopened
  MATCH (o)<-[revises:REVISES]-(:Observation)
  DELETE revises
}
CALL (row, o, created) {
  WITH row, o WHERE created OR o.embedding_deferred = true
  SET o.embedding_deferred = null, o += $embedding
  WITH row, o WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(o, 'embedding_a', row.vector)
}
CALL (row, o) {
  OPTIONAL MATCH (t:Thought {id: row.learned_from}) WHERE t.namespace = $namespace
  FOREACH (_ IN CASE WHEN t IS NULL THEN [] ELSE [1] END | MERGE (o)-[:LEARNED_FROM]->(t))
  RETURN CASE WHEN t IS NULL THEN row.learned_from END AS unlearned
}
CALL (row, o) {
  OPTIONAL MATCH (named:Observation {id: row.supersedes}) WHERE named.namespace = $namespace
  WITH row, o,
    coalesce([(named)-[:MERGED_INTO]->(kept) | kept][0], named)  // part: kept(named)
    AS old
  FOREACH (_ IN CASE WHEN old <> o AND old.valid_to > $times[row.valid_from] THEN [1] ELSE [] END |
    SET old.valid_to = $times[row.valid_from]
    MERGE (o)-[revises:REVISES]->(old)
    ON CREATE SET revises.created_at = $recorded_at)
  RETURN CASE WHEN old IS NULL THEN row.supersedes END AS unsuperseded
}
RETURN collect({
  index: row.index, id: o.id, created: created, deferred: coalesce(o.embedding_deferred, false),
  unknown: coalesce(unlearned, unsuperseded)
}) AS observations
