// One memory that did not come to mind, against the thought that might have recalled it: everything that recall
// would have asked of it. The cosine is exact, past any index. What is private elsewhere is not there.
CYPHER 25
MATCH (t:Thought {id: $id, namespace: $namespace})
OPTIONAL MATCH (m:Thought|Entity|Observation {id: $memory_id, namespace: $namespace})
WHERE coalesce(m.is_private, false) = false OR m.session_id = t.session_id AND m.session_id = $own_session
RETURN CASE WHEN m IS NULL THEN null ELSE {
  id: m.id, kind: toLower([x IN labels(m) WHERE x IN ['Thought', 'Entity', 'Observation']][0]),
  text: left(CASE WHEN m:Entity THEN m.name + coalesce(': ' + m.description, '') ELSE m.content END, $text_length),
  cosine: CASE WHEN m.embedding_a IS NULL OR t.embedding_a IS NULL THEN null
    ELSE 2 * vector.similarity.cosine(m.embedding_a, t.embedding_a) - 1 END,
  created_at: coalesce(m.created_at, m.recorded_at), author: m.author,
  redacted_at: m.redacted_at, recorded_at: m.recorded_at,
  valid_from: m.valid_from, valid_to: m.valid_to, hot: coalesce(m.hot, true)
} END AS memory
