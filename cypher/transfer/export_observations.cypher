// Reads a page of the observations of a namespace, stubs included, in the order of their keys, for an export. Those made by
// hand that were not adopted have no keys. A vector is read only if it is asked for. What has no id
// was made by hand, and no line can name it.
:param namespace => 'default';
:param after => ({entity_id: '', fact_key: ''});
:param vectors => false;
:param take => 100;
CYPHER 25
CALL () {
  MATCH (o:Observation) USING INDEX o:Observation(namespace, entity_id, fact_key)
  WHERE o.namespace = $namespace AND o.entity_id = $after.entity_id AND o.fact_key > $after.fact_key
    AND o.id IS :: STRING NOT NULL
  RETURN o ORDER BY o.namespace, o.entity_id, o.fact_key LIMIT $take
  UNION ALL
  MATCH (o:Observation) USING INDEX o:Observation(namespace, entity_id, fact_key)
  WHERE o.namespace = $namespace AND o.entity_id > $after.entity_id AND o.fact_key IS NOT NULL
    AND o.id IS :: STRING NOT NULL
  RETURN o ORDER BY o.namespace, o.entity_id, o.fact_key LIMIT $take
}
WITH o ORDER BY o.entity_id, o.fact_key LIMIT $take
RETURN o {.*, embedding_a: null, embedding_b: null} AS properties, o.embedding_a IS NOT NULL AS embedded,
  CASE WHEN $vectors THEN o.embedding_a END AS vector
