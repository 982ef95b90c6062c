// Reads a page of what changed in a time, in the order of the server's clock. What one of $present changed is theirs to write; private
// sessions stay home unless $private. Properties are read only if $whole; steps of chains unless sync/read_steps reads them. A position is
// a text, because the driver's times have no nanoseconds.
:param namespace => 'default';
:param kind => 'thought';
:param since => '0001-01-01T00:00:00Z';
:param after => '';
:param until => '2026-01-01T00:00:00Z';
:param present => ['replica'];
:param private => false;
:param steps => true;
:param whole => true;
:param take => 500;
CYPHER 25
CALL () {
  WITH * WHERE $kind = 'thought'
  MATCH (n:Thought) USING INDEX SEEK n:Thought(namespace, noted_at)
  WHERE n.namespace = $namespace AND n.id IS NOT NULL AND datetime($since) <= n.noted_at < datetime($until) AND (n.noted_at > datetime($since) OR n.id > $after)
    AND ($steps OR n.session_id IS NULL OR n.step_index IS NULL)
  RETURN n ORDER BY n.namespace, n.noted_at, n.id LIMIT $take
  UNION ALL
  WITH * WHERE $kind = 'entity'
  MATCH (n:Entity) USING INDEX SEEK n:Entity(namespace, noted_at)
  WHERE n.namespace = $namespace AND n.id IS NOT NULL AND datetime($since) <= n.noted_at < datetime($until) AND (n.noted_at > datetime($since) OR n.id > $after)
  RETURN n ORDER BY n.namespace, n.noted_at, n.id LIMIT $take
  UNION ALL
  WITH * WHERE $kind = 'observation'
  MATCH (n:Observation) USING INDEX SEEK n:Observation(namespace, noted_at)
  WHERE n.namespace = $namespace AND n.id IS NOT NULL AND datetime($since) <= n.noted_at < datetime($until) AND (n.noted_at > datetime($since) OR n.id > $after)
  RETURN n ORDER BY n.namespace, n.noted_at, n.id LIMIT $take
  UNION ALL
  WITH * WHERE $kind = 'removed'
  MATCH (n:Removed) USING INDEX SEEK n:Removed(namespace, noted_at)
  WHERE n.namespace = $namespace AND n.id IS NOT NULL AND datetime($since) <= n.noted_at < datetime($until) AND (n.noted_at > datetime($since) OR n.id > $after)
  RETURN n ORDER BY n.namespace, n.noted_at, n.id LIMIT $take
}
WITH n,
  // part: travels(n)
  ($private OR NOT n:Thought
    OR NOT coalesce(n.is_private <> false, true)  // part: private(n)
    AND NOT EXISTS { (s:Session {namespace: $namespace, id: n.session_id}) WHERE s.has_private })
  // end of part
  AS goes
ORDER BY n.noted_at, n.id
RETURN n.id AS id, toString(n.noted_at) AS position, goes, CASE WHEN goes AND $whole AND NOT coalesce(n.replica IN $present, false) THEN n {.*, embedding_a: null, embedding_b: null} END AS properties
