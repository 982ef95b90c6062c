// What changed since: thoughts that were stored, facts that were learned or ended, and what they belong to.
:param namespace => 'default';
:param since => datetime() - duration('P7D');
:param limit => 40;
CYPHER 25
CALL () {
  MATCH (n:Thought)
  WHERE n.namespace = $namespace AND n.recorded_at >= $since
  RETURN n, n.recorded_at AS at ORDER BY at DESC LIMIT $limit
  UNION ALL
  MATCH (n:Observation)
  WHERE n.namespace = $namespace AND n.entity_id >= '' AND n.fact_key >= ''
    AND (n.recorded_at >= $since OR $since <= n.valid_to <= datetime())
  RETURN n, CASE WHEN n.recorded_at >= $since THEN n.recorded_at ELSE n.valid_to END AS at
  ORDER BY at DESC LIMIT $limit
}
WITH n, at ORDER BY at DESC LIMIT $limit
OPTIONAL MATCH place = (n)-[:IN_SESSION|ABOUT|REVISES]->()
RETURN n, place, at
