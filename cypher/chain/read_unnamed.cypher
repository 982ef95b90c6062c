// Reads what belongs to no session that can be verified: Session nodes whose id, and steps whose session_id, is no text or
// is empty. A thought without a session is no step, unless it has the mark or the hash of one. At most ten names of each. A
// Session without an id is in no index; its steps are found without a head.
:param namespace => 'default';
CYPHER 25
CALL () {
  MATCH (n:Session) USING INDEX n:Session(namespace, id) WHERE n.namespace = $namespace AND n.id IS NOT NULL
  RETURN 'Session' AS label, n.id AS name
  UNION ALL
  MATCH (n:Thought) USING INDEX n:Thought(namespace, session_id) WHERE n.namespace = $namespace AND n.session_id IS NOT NULL
  RETURN 'Thought' AS label, n.session_id AS name
  UNION ALL
  MATCH (n:Thought) USING INDEX n:Thought(namespace, recorded_at) WHERE n.namespace = $namespace AND n.recorded_at IS NOT NULL
    AND n.session_id IS NULL AND coalesce(n.chained, n.chain_hash) IS NOT NULL
  RETURN 'Thought' AS label, null AS name
}
WITH label, name WHERE name IS NOT :: STRING NOT NULL OR name = ''
RETURN label, count(*) AS nodes, collect(DISTINCT name)[..10] AS names ORDER BY label
