// Reads what still waits for MENTIONS, in any namespace: entities that were stored after thoughts, and thoughts that were imported.
// The marking property has an index for each label and exists only on waiting nodes; coalesce, so that no plan begins at another index. target is the
// entity that gets the relationships: the kept one of a merged entity.
:param limit => 100;
CYPHER 25
CALL () {
  MATCH (e:Entity) WHERE e.mentions_deferred = true AND coalesce(e.id, '') <> '' AND coalesce(e.name_key, '') <> ''
  WITH e LIMIT $limit
  WITH e,
    coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
    AS target
  RETURN e.id AS id, e.namespace AS namespace, e.name_key AS name_key, target.id AS target, null AS content
  UNION ALL
  MATCH (t:Thought) WHERE t.mentions_deferred = true AND coalesce(t.id, '') <> ''
  WITH t LIMIT $limit
  RETURN t.id AS id, t.namespace AS namespace, null AS name_key, '' AS target, toStringOrNull(t.content) AS content
}
RETURN id, namespace, name_key, target, content
