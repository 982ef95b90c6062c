// Finds what a thought nearly recalled: what its stored vector finds in its own time windows, nearest first, among
// what was stored before it and was not recalled. It looks a little deeper than recall did, since the nearest were
// mostly recalled.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
:param created_at => datetime();
:param since => datetime('0001-01-01');
:param knowledge_k => 20;
:param thoughts_k => 20;
:param excluded => ['thought-1'];
CYPHER 25
MATCH (t:Thought {id: $id, namespace: $namespace})
CALL (t) {
  MATCH (n:Entity|Observation)
    SEARCH n IN (
      VECTOR INDEX knowledge_embedding_a FOR t.embedding_a
      WHERE n.namespace = $namespace
        AND n.valid_from <= $created_at AND n.valid_to > $created_at  // part: valid_at(n, $created_at)
      LIMIT $knowledge_k
    ) SCORE AS index_score
  RETURN n, index_score
  UNION ALL
  MATCH (n:Thought)
    SEARCH n IN (
      VECTOR INDEX thought_embedding_a FOR t.embedding_a
      WHERE n.namespace = $namespace
        AND n.is_private = false AND n.found_until > datetime()  // part: found(n)
        AND n.hot = true  // part: hot(n)
        AND n.created_at >= $since AND n.created_at < $created_at
      LIMIT $thoughts_k
    ) SCORE AS index_score
  RETURN n, index_score
  UNION ALL
  WITH t WHERE t.session_id = $own_session
  MATCH (n:Thought)
    SEARCH n IN (
      VECTOR INDEX thought_embedding_a FOR t.embedding_a
      WHERE n.namespace = $namespace
        AND n.session_id = t.session_id AND n.is_private = true AND n.found_until > datetime()  // part: own_private(n, t.session_id)
        AND n.hot = true  // part: hot(n)
        AND n.created_at >= $since AND n.created_at < $created_at
      LIMIT $thoughts_k
    ) SCORE AS index_score
  RETURN n, index_score
}
WITH t, n, 2 * index_score - 1 AS cosine
WHERE NOT n.id IN $excluded AND coalesce(n.recorded_at <= t.recorded_at, true)
RETURN n.id AS id, cosine ORDER BY cosine DESC, id
