// Reads what belongs to no session that can be verified: Session nodes whose id, and steps whose session_id, is no text or
// is empty. A thought without a session is no step, unless it has the mark or the hash of one. At most ten names of each.
:param namespace => 'default';
CYPHER 25
CALL () {
  MATCH (n:Session) WHERE n.namespace = $namespace
  RETURN 'Session' AS label, n.id AS name
  UNION ALL
  MATCH (n:Thought) WHERE n.namespace = $namespace AND coalesce(n.session_id, n.chained, n.chain_hash) IS NOT NULL
  RETURN 'Thought' AS label, n.session_id AS name
}
WITH label, name WHERE name IS NOT :: STRING NOT NULL OR name = ''
RETURN label, count(*) AS nodes, collect(DISTINCT name)[..10] AS names ORDER BY label
