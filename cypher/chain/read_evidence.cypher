// Reads which sessions prove the thoughts that led to an action, and the thoughts that no session proves, private ones too.
// A thought led to it by FOR_ACTION or by its hashed action_id: one of the two may have been removed.
:param namespace => 'default';
:param action_id => 'action-1';
CYPHER 25
CALL () {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(t:Thought)
  WHERE t.namespace = $namespace
  RETURN t
  UNION
  MATCH (t:Thought) USING INDEX t:Thought(namespace, session_id)
  WHERE t.namespace = $namespace AND t.session_id IS NOT NULL AND t.action_id = $action_id
  RETURN t
}
WITH t,
  coalesce(t.chained = true AND t.id IS :: STRING NOT NULL AND t.session_id IS :: STRING NOT NULL AND t.step_index IS :: INTEGER NOT NULL, false)  // part: proven(t)
  AS proven,
  CASE WHEN t.id IS :: STRING NOT NULL THEN t.id ELSE 'no id, node ' + elementId(t) END  // part: id_of(t)
  AS own
WITH collect(DISTINCT CASE WHEN t.session_id IS :: STRING NOT NULL THEN t.session_id END) AS sessions,
  collect(CASE WHEN NOT proven THEN own END) AS unproven
RETURN sessions, unproven
