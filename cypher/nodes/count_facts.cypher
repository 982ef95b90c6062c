// Counts the facts that search/list_knowledge lists, over all entities.
:param namespace => 'default';
:param as_of => datetime();
CYPHER 25
MATCH (o:Observation) USING INDEX SEEK o:Observation(namespace, entity_id, fact_key)
WHERE o.namespace = $namespace AND o.entity_id >= '' AND o.fact_key IS NOT NULL
  AND o.recorded_at IS :: ZONED DATETIME NOT NULL
  AND o.valid_from <= $as_of AND o.valid_to > $as_of  // part: valid_at(o, $as_of)
RETURN count(o) AS count
