// Reads a page of the steps of all chains of a namespace, in the order of sessions and steps, for an export: the order in
// which an import appends them. Two thoughts with one step number, which only tampering leaves, are in the order of ids.
// in_session: its only IN_SESSION leads to the session that it names. The session is read after the step, so that its head is
// not before it. A vector is read only if it is asked for. What has no id
// was made by hand, and no line can name it.
:param namespace => 'default';
:param after => ({session_id: '', step_index: -1, id: ''});
:param vectors => false;
:param take => 100;
CYPHER 25
CALL () {
  MATCH (t:Thought) USING INDEX t:Thought(namespace, session_id, step_index)
  WHERE t.namespace = $namespace AND t.session_id = $after.session_id AND t.step_index >= $after.step_index
    AND t.step_index IS :: INTEGER NOT NULL AND (t.step_index > $after.step_index OR t.id > $after.id)
    AND t.id IS :: STRING NOT NULL
  RETURN t ORDER BY t.namespace, t.session_id, t.step_index, t.id LIMIT $take
  UNION ALL
  MATCH (t:Thought) USING INDEX t:Thought(namespace, session_id, step_index)
  WHERE t.namespace = $namespace AND t.session_id > $after.session_id AND t.step_index IS :: INTEGER NOT NULL
    AND t.id IS :: STRING NOT NULL
  RETURN t ORDER BY t.namespace, t.session_id, t.step_index, t.id LIMIT $take
}
WITH t ORDER BY t.session_id, t.step_index, t.id LIMIT $take
RETURN t {.*, embedding_a: null, embedding_b: null} AS properties, t.embedding_a IS NOT NULL AS embedded,
  CASE WHEN $vectors THEN t.embedding_a END AS vector,
  COUNT { (t)-[:IN_SESSION]->() } = 1
    AND EXISTS { (t)-[:IN_SESSION]->(:Session {namespace: $namespace, id: t.session_id}) } AS in_session,
  COLLECT { MATCH (s:Session {namespace: $namespace, id: t.session_id}) RETURN properties(s) }[0] AS session
