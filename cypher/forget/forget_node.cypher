// Closes or deletes an observation, or an entity with its observations and relations. $delete = false closes: valid_to
// becomes $now. What is closed already stays, and so does what begins later, since no interval is empty. With $dry_run nothing is
// written, and the counts are the same. Closing counts what was open, deleting counts everything.
// A relation is a relationship to another entity, whatever created it. Stubs of merges are deleted with what they were
// merged into. A stub itself is only deleted, which frees its name: it is no alias of the kept
// entity any more.
:param id => 'entity-1';
:param namespace => 'default';
:param now => datetime();
:param delete => false;
:param dry_run => true;
CYPHER 25
OPTIONAL MATCH (n:Entity|Observation {id: $id, namespace: $namespace})
// The lock: two calls count each item once.
FOREACH (_ IN CASE WHEN n IS NULL OR $dry_run THEN [] ELSE [1] END | SET n.lock = 0)
WITH n, CASE WHEN n.merged_at IS NOT NULL THEN 'alias' ELSE toLower([label IN labels(n) WHERE label IN ['Entity', 'Observation']][0]) END AS kind,
  [(n)-[:MERGED_INTO]->(kept) | kept.id][0] AS merged_into,
  coalesce(n.valid_to <= $now, false) AS closed, coalesce(n.valid_from > $now, false) AS later
// In: n, or null. Out: facts, the observations of an entity that are closed or deleted with it.
CALL (n) {
  MATCH (n)<-[:ABOUT]-(o:Observation) WHERE o.namespace = $namespace AND o.merged_at IS NULL AND ($delete OR o.valid_from <= $now < o.valid_to)
  RETURN collect(o) AS facts
}
// In: n, or null. Out: relations, the relations of an entity that are closed or deleted with it.
CALL (n) {
  MATCH (n:Entity)-[r]-(other)
  // Not other:Entity, with which a plan may read every entity of the database.
  WHERE 'Entity' IN labels(other) AND other.merged_at IS NULL AND n.merged_at IS NULL AND ($delete OR coalesce($now < r.valid_to, true) AND coalesce(r.valid_from <= $now, true))
  RETURN collect(DISTINCT r) AS relations
}
// In: n, or null, and its facts. Out: stubs, the stubs of what was merged into them.
CALL (n, facts) {
  UNWIND [n] + facts AS x
  MATCH (x)<-[:MERGED_INTO]-(stub)
  RETURN collect(stub) AS stubs
}
WITH n, kind, closed, later, merged_into, facts, relations, stubs, size(relations) AS relation_count,
  [x IN [n] + facts WHERE x IS NOT NULL | {id: x.id, text: coalesce(x.content, x.name)}] AS texts,
  CASE WHEN n IS NULL OR $dry_run OR (closed OR later OR kind = 'alias') AND NOT $delete THEN [] ELSE [n] + facts END AS written
FOREACH (x IN CASE WHEN $delete THEN [] ELSE written END | SET x.valid_to = $now)
FOREACH (r IN CASE WHEN $delete OR written = [] THEN [] ELSE relations END | SET r.valid_to = $now)
FOREACH (stub IN CASE WHEN $delete AND kind = 'alias' THEN written ELSE [] END |
  FOREACH (kept IN [(stub)-[:MERGED_INTO]->(kept:Entity) | kept] |
    SET kept.aliases = [name IN kept.aliases WHERE name <> stub.name]))
FOREACH (x IN CASE WHEN $delete AND size(written) > 0 THEN written + stubs ELSE [] END | DETACH DELETE x)
RETURN kind, merged_into, closed, later, texts, relation_count AS relations
