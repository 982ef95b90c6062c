// Thoughts by their words alone, stemmed. The index knows the namespace; all other filters are asked afterwards,
// when there are any of all that the index has, so that a filter which matches five finds the five.
CYPHER 25
CALL () {
  CALL db.index.fulltext.queryNodes('thought_text', $words, {limit: $text_reach}) YIELD node AS t, score
  WITH t, score
  WHERE t.namespace = $namespace AND (t.is_private = false OR t.session_id = $own) AND t.content IS NOT NULL
    AND all(name IN keys($question.exact) WHERE t[name] = $question.exact[name])
    AND all(tag IN $question.tags WHERE tag IN t.tags)
    AND t.created_at >= $question.since AND t.created_at <= $question.until
    AND coalesce(t.confidence, -1.0) >= $question.surest[0] AND coalesce(t.confidence, -1.0) <= $question.surest[1]
  RETURN t, score ORDER BY score DESC, t.id LIMIT $take
}
RETURN collect(t {
  .id, kind: 'thought', text: left(coalesce(t.content, ''), $shown), score: score,
  .created_at, .author, .mode, .thought_type, .origin, .session_id, .chain_id, .step_index, .confidence
}) AS hits
