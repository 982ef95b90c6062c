// Finds the entities that a filter names, each by its id, or by its name if no entity has the id. A name that several have
// means all of them, and one that was merged the entity that it was merged into.
:param named => [{name: 'Ada Lovelace', name_key: 'ada lovelace'}];
:param namespace => 'default';
CYPHER 25
UNWIND $named AS one
// In: one. Out: rows of e, and way: 0 if it has the id, 1 if it has the name.
CALL (one) {
  MATCH (e:Entity {id: one.name}) WHERE e.namespace = $namespace
  RETURN e, 0 AS way
  UNION ALL
  MATCH (e:Entity {namespace: $namespace, name_key: one.name_key}) WHERE e.type_key >= ''
  RETURN e, 1 AS way
}
WITH one, way,
  coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
  AS e
WITH one, way, collect(DISTINCT e.id) AS ids ORDER BY way
RETURN one.name AS name, head(collect(ids)) AS ids
