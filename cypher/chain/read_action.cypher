// The thoughts that led to an action, oldest first.
CYPHER 25
CALL () {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(t:Thought)
  WHERE t.namespace = $namespace
  WITH t ORDER BY t.created_at, t.id SKIP $skip LIMIT $take
  RETURN collect({
    id: t.id, thought_type: t.thought_type, step_index: t.step_index, session_id: t.session_id,
    content: left(t.content, $text), created_at: t.created_at
  }) AS thoughts
}
RETURN thoughts, COUNT { (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(:Thought) } AS total
