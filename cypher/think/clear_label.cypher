// Replaces the label of a node's community, if it has a word of the node, before the node is redacted or deleted: each
// member has a copy of the label. A page of at most $take members, in the order of ids by which nodes are locked. No index
// has communities, so the nodes of the namespace are read, as redact_thought.cypher reads its later thoughts.
:param id => 'thought-1';
:param namespace => 'default';
:param take => 1000;
CYPHER 25
MATCH (t:Thought|Entity|Observation {id: $id})
WHERE t.namespace = $namespace AND t.community IS :: INTEGER NOT NULL AND t.community_label IS :: STRING NOT NULL
  AND any(term IN split(t.community_label, ', ') WHERE toLower(coalesce(t.content, t.name + ' ' + coalesce(t.description, ''))) CONTAINS toLower(term))
WITH t.community AS community, t.community_label AS label
CALL (community, label) {
  MATCH (n:Thought)
  WHERE n.namespace = $namespace AND n.recorded_at > datetime({year: 1})
    AND n.community = community AND n.community_label = label AND n.id <> $id
  RETURN n
  UNION ALL
  MATCH (n:Entity)
  WHERE n.namespace = $namespace AND n.name_key >= '' AND n.type_key IS NOT NULL
    AND n.community = community AND n.community_label = label
  RETURN n
  UNION ALL
  MATCH (n:Observation)
  WHERE n.namespace = $namespace AND n.entity_id >= '' AND n.fact_key IS NOT NULL
    AND n.community = community AND n.community_label = label
  RETURN n
}
WITH n ORDER BY n.id LIMIT $take
SET n.community_label = '(redacted)'
RETURN count(n) AS cleared
