// Reads a page of what changed since a time, in the order of the server's clock. What one of $present changed is theirs to write; private
// sessions stay home unless $private. Properties are read only if $whole. All thoughts that were ever stored here are read as stored, in the
// order of that, so that steps come after those before them; unless $all, only others are read as thoughts. A position is a text, because the driver's times have no nanoseconds.
:param namespace => 'default';
:param kind => 'thought';
:param since => '0001-01-01T00:00:00Z';
:param after => '';
:param present => ['replica'];
:param private => false;
:param all => true;
:param whole => true;
:param take => 500;
CYPHER 25
CALL () {
  WITH * WHERE $kind = 'thought'
  MATCH (n:Thought) USING INDEX SEEK n:Thought(namespace, noted_at)
  WHERE n.namespace = $namespace AND n.id IS NOT NULL AND n.noted_at >= datetime($since) AND (n.noted_at > datetime($since) OR n.id > $after)
    AND ($all OR n.stored_at IS NULL)
  RETURN n ORDER BY n.namespace, n.noted_at, n.id LIMIT $take
  UNION ALL
  WITH * WHERE $kind = 'stored'
  MATCH (n:Thought) USING INDEX SEEK n:Thought(namespace, stored_at)
  WHERE n.namespace = $namespace AND n.id IS NOT NULL AND n.stored_at >= datetime($since) AND (n.stored_at > datetime($since) OR n.id > $after)
  RETURN n ORDER BY n.namespace, n.stored_at, n.id LIMIT $take
  UNION ALL
  WITH * WHERE $kind = 'entity'
  MATCH (n:Entity) USING INDEX SEEK n:Entity(namespace, noted_at)
  WHERE n.namespace = $namespace AND n.id IS NOT NULL AND n.noted_at >= datetime($since) AND (n.noted_at > datetime($since) OR n.id > $after)
  RETURN n ORDER BY n.namespace, n.noted_at, n.id LIMIT $take
  UNION ALL
  WITH * WHERE $kind = 'observation'
  MATCH (n:Observation) USING INDEX SEEK n:Observation(namespace, noted_at)
  WHERE n.namespace = $namespace AND n.id IS NOT NULL AND n.noted_at >= datetime($since) AND (n.noted_at > datetime($since) OR n.id > $after)
  RETURN n ORDER BY n.namespace, n.noted_at, n.id LIMIT $take
  UNION ALL
  WITH * WHERE $kind = 'removed'
  MATCH (n:Removed) USING INDEX SEEK n:Removed(namespace, noted_at)
  WHERE n.namespace = $namespace AND n.id IS NOT NULL AND n.noted_at >= datetime($since) AND (n.noted_at > datetime($since) OR n.id > $after)
  RETURN n ORDER BY n.namespace, n.noted_at, n.id LIMIT $take
}
WITH n,
  // part: travels(n)
  ($private OR NOT n:Thought
    OR NOT coalesce(n.is_private <> false, true)  // part: private(n)
    AND NOT EXISTS { (s:Session {namespace: $namespace, id: n.session_id}) WHERE s.has_private })
  // end of part
  AS goes, CASE $kind WHEN 'stored' THEN n.stored_at ELSE n.noted_at END AS at
ORDER BY at, n.id
RETURN n.id AS id, toString(at) AS position, goes, CASE WHEN goes AND $whole AND NOT coalesce(n.replica IN $present, false) THEN n {.*, embedding_a: null, embedding_b: null} END AS properties
