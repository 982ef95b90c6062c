// Reads a page of the entities of a namespace, stubs included, in the order of their keys, for an export. Those made by hand
// that were not adopted have no keys. A vector is read only if it is asked for. What has no id
// was made by hand, and no line can name it.
:param namespace => 'default';
:param after => ({name_key: '', type_key: ''});
:param vectors => false;
:param take => 100;
CYPHER 25
CALL () {
  MATCH (e:Entity) USING INDEX e:Entity(namespace, name_key, type_key)
  WHERE e.namespace = $namespace AND e.name_key = $after.name_key AND e.type_key > $after.type_key
    AND e.id IS :: STRING NOT NULL
  RETURN e ORDER BY e.namespace, e.name_key, e.type_key LIMIT $take
  UNION ALL
  MATCH (e:Entity) USING INDEX e:Entity(namespace, name_key, type_key)
  WHERE e.namespace = $namespace AND e.name_key > $after.name_key AND e.type_key IS NOT NULL
    AND e.id IS :: STRING NOT NULL
  RETURN e ORDER BY e.namespace, e.name_key, e.type_key LIMIT $take
}
WITH e ORDER BY e.name_key, e.type_key LIMIT $take
RETURN e {.*, embedding_a: null, embedding_b: null} AS properties, e.embedding_a IS NOT NULL AS embedded,
  CASE WHEN $vectors THEN e.embedding_a END AS vector
