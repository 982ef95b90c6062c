// Thoughts by meaning. Every filter is answered inside the vector index, so that a filter which matches five in
// a hundred thousand returns those five. Optional conditions from the fixed list in queries.py go where the mark
// is; pasted as it is, the statement searches a whole namespace. One record: a row per hit costs eight times as much.
CYPHER 25
CALL () {
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace /*filters*/
      LIMIT $take
    ) SCORE AS similarity
  WITH t, 2 * similarity - 1 AS cosine
  WHERE cosine >= $min_similarity
  RETURN t, cosine ORDER BY cosine DESC, t.id SKIP $skip
}
RETURN collect({
  id: t.id, kind: 'thought', text: t.content, score: cosine, created_at: t.created_at, author: t.author,
  mode: t.mode, thought_type: t.thought_type, origin: t.origin, session_id: t.session_id, chain_id: t.chain_id,
  step_index: t.step_index, confidence: t.confidence
}) AS hits
