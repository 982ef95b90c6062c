// Every session of a namespace with its chain head, streamed in order of their ids: to be exported and held
// elsewhere, and to verify them all. A session that only its thoughts still speak of is listed without a head.
CYPHER 25
CALL () {
  MATCH (s:Session) WHERE s.namespace = $namespace AND s.id >= $after
  RETURN s.id AS session_id, s.head_hash AS head_hash, s.head_step AS head_step
  UNION
  MATCH (t:Thought) WHERE t.namespace = $namespace AND t.session_id >= $after
  WITH DISTINCT t.session_id AS session_id
  WHERE NOT EXISTS { (:Session {namespace: $namespace, id: session_id}) }
  RETURN session_id, null AS head_hash, null AS head_step
}
RETURN session_id, head_hash, head_step ORDER BY session_id LIMIT $take
