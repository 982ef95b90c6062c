// Reads one memory that a thought did not recall, with every value that recall would have compared. The cosine is
// exact, without an index. A private memory must be visible to the reader and to the thought.
:param id => 'thought-1';
:param memory_id => 'thought-2';
:param namespace => 'default';
:param own_session => '';
:param text_length => 200;
CYPHER 25
MATCH (t:Thought {id: $id, namespace: $namespace})
OPTIONAL MATCH (named:Thought|Entity|Observation {id: $memory_id, namespace: $namespace})
WHERE
  (named.is_private = false OR named.session_id = $own_session OR NOT named:Thought) AND coalesce(named.expires_at > datetime(), true)  // part: visible_node(named)
  AND (named.is_private = false OR named.session_id = t.session_id OR NOT named:Thought) AND coalesce(named.expires_at > datetime(), true)  // part: visible_node(named, t.session_id)
WITH t,
  coalesce([(named)-[:MERGED_INTO]->(kept) | kept][0], named)  // part: kept(named)
  AS m
RETURN CASE WHEN m IS NULL THEN null ELSE {
  id: m.id,
  kind: toLower([label IN labels(m) WHERE label IN ['Thought', 'Entity', 'Observation']][0]),  // part: kind(m)
  text: left(CASE WHEN m:Entity THEN toStringOrNull(m.name + coalesce(': ' + m.description, '')) ELSE toStringOrNull(m.content) END, $text_length),  // part: text(m)
  cosine: CASE WHEN m.embedding_a IS NULL OR t.embedding_a IS NULL THEN null
    ELSE 2 * vector.similarity.cosine(m.embedding_a, t.embedding_a) - 1 END,
  created_at: CASE WHEN coalesce(m.created_at, m.recorded_at) IS :: ZONED DATETIME THEN coalesce(m.created_at, m.recorded_at) END,  // part: time_of(m)
  author: m.author,
  redacted_at: m.redacted_at, recorded_at: m.recorded_at,
  valid_from: m.valid_from, valid_to: m.valid_to, hot: NOT m:Thought OR coalesce(m.hot = true, false),
  outside_chain: NOT coalesce(m.chained = true, m.session_id IS NULL)  // part: in_chain(m)
} END AS memory
