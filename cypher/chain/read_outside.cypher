// Reads what belongs to a session by its session_id or by IN_SESSION, but is not a numbered, hashed step of its chain:
// LegacyMind did not write it, yet threads and searches would show it. At most $take rows, in the order of their ids.
:param namespace => 'default';
:param session_id => 'try';
:param take => 100;
CYPHER 25
CALL () {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id)
  WHERE t.namespace = $namespace AND t.session_id = $session_id
  WITH t WHERE t.step_index IS NOT :: INTEGER NOT NULL OR t.step_index < 0 OR t.step_index > 2147483647
  RETURN t AS node, 'it has no step number' AS reason
  UNION
  MATCH (:Session {namespace: $namespace, id: $session_id})<-[:IN_SESSION]-(x)
  WHERE NOT x:Thought OR coalesce(x.namespace <> $namespace OR x.session_id <> $session_id, true)
  RETURN x AS node, 'IN_SESSION leads to this session, but its own session is another' AS reason
}
RETURN node.id AS thought_id, reason ORDER BY thought_id LIMIT $take
