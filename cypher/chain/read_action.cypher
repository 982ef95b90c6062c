// Reads the thoughts that led to an action, oldest first. Private thoughts of other sessions do not count.
:param namespace => 'default';
:param own_session => '';
:param action_id => 'action-1';
:param skip => 0;
:param take => 10;
:param text_length => 200;
CYPHER 25
CALL () {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(t:Thought)
  WHERE t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
  WITH t ORDER BY t.created_at, t.id SKIP $skip LIMIT $take
  RETURN collect({
    id: CASE WHEN t.id IS :: STRING NOT NULL THEN t.id ELSE 'no id, node ' + elementId(t) END,  // part: id_of(t)
    thought_type: t.thought_type, session_id: t.session_id,
    step_index: CASE WHEN t.step_index IS :: INTEGER AND t.step_index < 2147483648 THEN t.step_index END,  // part: step(t)
    outside_chain: NOT coalesce(t.chained = true AND t.id IS :: STRING NOT NULL AND t.session_id IS :: STRING NOT NULL AND t.step_index IS :: INTEGER NOT NULL, false),  // part: proven(t)
    content: left(toStringOrNull(t.content), $text_length), created_at: t.created_at, redacted_at: t.redacted_at
  }) AS thoughts
}
RETURN thoughts, COUNT {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(t:Thought)
  WHERE t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
} AS total
