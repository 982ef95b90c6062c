// What a thought nearly recalled: what its own stored vector finds in the windows of then, nearest first, among
// what was stored before it and did not come to mind. It looks a little deeper than recall did, since the
// nearest are mostly those that were recalled.
CYPHER 25
MATCH (t:Thought {id: $id, namespace: $namespace})
CALL (t) {
  MATCH (n:Entity|Observation)
    SEARCH n IN (
      VECTOR INDEX knowledge_embedding_a FOR t.embedding_a
      WHERE n.namespace = $namespace AND n.valid_from <= $created_at AND n.valid_to > $created_at
      LIMIT $knowledge_k
    ) SCORE AS similarity
  RETURN n, similarity
  UNION ALL
  MATCH (n:Thought)
    SEARCH n IN (
      VECTOR INDEX thought_embedding_a FOR t.embedding_a
      WHERE n.namespace = $namespace AND n.is_private = false AND n.hot = true
        AND n.created_at >= $since AND n.created_at < $created_at
      LIMIT $thoughts_k
    ) SCORE AS similarity
  RETURN n, similarity
  UNION ALL
  WITH t WHERE t.session_id = $own_session
  MATCH (n:Thought)
    SEARCH n IN (
      VECTOR INDEX thought_embedding_a FOR t.embedding_a
      WHERE n.namespace = $namespace AND n.session_id = t.session_id AND n.is_private = true AND n.hot = true
        AND n.created_at >= $since AND n.created_at < $created_at
      LIMIT $thoughts_k
    ) SCORE AS similarity
  RETURN n, similarity
}
WITH t, n, 2 * similarity - 1 AS cosine
WHERE NOT n.id IN $excluded AND coalesce(n.recorded_at <= t.recorded_at, true)
WITH n, cosine ORDER BY cosine DESC, n.id
RETURN collect({
  id: n.id, kind: toLower([x IN labels(n) WHERE x IN ['Thought', 'Entity', 'Observation']][0]),
  text: left(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END, $text_length),
  cosine: cosine, created_at: coalesce(n.created_at, n.recorded_at), author: n.author
}) AS missed
