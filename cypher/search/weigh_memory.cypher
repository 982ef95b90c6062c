// Compares one memory that a thought did not recall with it. The cosine is exact, without an index. A private memory must be visible to the reader and to the thought.
:param id => 'thought-1';
:param memory_id => 'thought-2';
:param namespace => 'default';
:param own_session => '';
CYPHER 25
MATCH (t:Thought {id: $id, namespace: $namespace})
MATCH (named:Thought|Entity|Observation {id: $memory_id, namespace: $namespace})
WHERE
  (named.is_private = false OR named.session_id = $own_session OR NOT named:Thought) AND coalesce(named.found_until > datetime(), true)  // part: visible_node(named)
  AND (named.is_private = false OR named.session_id = t.session_id OR NOT named:Thought) AND coalesce(named.found_until > datetime(), true)  // part: visible_node(named, t.session_id)
WITH t,
  coalesce([(named)-[:MERGED_INTO]->(kept) | kept][0], named)  // part: kept(named)
  AS m
RETURN m.id AS id, CASE WHEN m.embedding_a IS NULL OR t.embedding_a IS NULL THEN null
  ELSE 2 * vector.similarity.cosine(m.embedding_a, t.embedding_a) - 1 END AS cosine
