// Reads the thoughts that led to an action, oldest first. Private thoughts of other sessions are only counted.
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
    AND (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
  WITH t ORDER BY t.created_at, t.id SKIP $skip LIMIT $take
  RETURN collect({
    id: t.id, thought_type: t.thought_type, step_index: t.step_index, session_id: t.session_id,
    content: left(t.content, $text_length), created_at: t.created_at, redacted_at: t.redacted_at
  }) AS thoughts
}
CALL () {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(t:Thought)
  WHERE t.namespace = $namespace
  WITH coalesce(
    (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
    , false) AS shown
  RETURN count(CASE WHEN shown THEN 1 END) AS total, count(CASE WHEN NOT shown THEN 1 END) AS private
}
RETURN thoughts, total, private
