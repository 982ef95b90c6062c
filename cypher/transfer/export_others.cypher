// Reads a page of the thoughts of a namespace that are no steps of chains, in the order of their times, for an export: those
// without a session, and those that tampering left without a step. The position is a text, because the driver's times
// have no nanoseconds. A vector is read only if it is asked for. What has no id
// was made by hand, and no line can name it.
:param namespace => 'default';
:param after => ({time: '-999999999-01-01T00:00:00Z', id: ''});
:param vectors => false;
:param take => 100;
CYPHER 25
MATCH (t:Thought) USING INDEX t:Thought(namespace, created_at)
WHERE t.namespace = $namespace AND t.created_at >= datetime($after.time)
  AND (t.created_at > datetime($after.time) OR t.id > $after.id)
  AND t.id IS :: STRING NOT NULL AND (t.session_id IS NULL OR NOT t.step_index IS :: INTEGER NOT NULL)
WITH t ORDER BY t.namespace, t.created_at, t.id LIMIT $take
RETURN t {.*, embedding_a: null, embedding_b: null} AS properties, t.embedding_a IS NOT NULL AS embedded,
  CASE WHEN $vectors THEN t.embedding_a END AS vector,
  COUNT { (t)-[:IN_SESSION]->() } = 1
    AND EXISTS { (t)-[:IN_SESSION]->(:Session {namespace: $namespace, id: t.session_id}) } AS in_session,
  toString(t.created_at) AS position
