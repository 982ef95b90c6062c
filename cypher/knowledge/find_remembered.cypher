// Returns which items of an import are stored already and need no vector, by their places in the import: a repeated
// import embeds only what is new. An entity with another description, or without a vector, is not among them. Rows
// find their entity as in remember_entities.
:param namespace => 'default';
:param rows => [{index: 0, name_key: 'ada', type_key: '', any_type: false, description: null, facts: [{index: 0, fact_key: 'key'}]}];
CYPHER 25
UNWIND $rows AS row
// In: row. Out: rows of e, the entity, if it is stored.
CALL (row) {
  MATCH (named:Entity {namespace: $namespace, name_key: row.name_key}) WHERE named.type_key >= ''
    AND (row.any_type OR named.type_key = row.type_key)
  WITH named ORDER BY named.type_key LIMIT 1
  RETURN
    coalesce([(named)-[:MERGED_INTO]->(kept) | kept][0], named)  // part: kept(named)
    AS e
}
WITH row, e, e.embedding_a IS NOT NULL AND NOT coalesce(e.embedding_deferred IN [true, 'embedding_a'], false)
  AND coalesce(row.description = e.description, row.description IS NULL) AS known
// In: row, e. Out: facts, the places of the facts that are stored.
CALL (row, e) {
  UNWIND row.facts AS fact
  MATCH (o:Observation {namespace: $namespace, entity_id: e.id, fact_key: fact.fact_key})
  WHERE NOT coalesce(o.embedding_deferred IN [true, 'embedding_a'], false)
  RETURN collect(fact.index) AS facts
}
WITH collect({entity: CASE WHEN known THEN row.index END, facts: facts}) AS found
RETURN [x IN found WHERE x.entity IS NOT NULL | x.entity] AS entities,
  reduce(each = [], x IN found | each + x.facts) AS facts
