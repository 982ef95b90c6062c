// Reads the authors of the public thoughts of a namespace that were stored since a time, and the server's time.
:param namespace => 'default';
:param since => datetime('0001-01-01');
CYPHER 25
// In: the parameters. Out: authors.
CALL () {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, stored_at)
  WHERE t.namespace = $namespace AND t.stored_at >= $since AND t.author IS NOT NULL
    AND t.is_private = false AND coalesce(t.found_until > datetime(), true)  // part: public(t)
  RETURN collect(DISTINCT t.author) AS authors
}
RETURN authors, datetime.realtime() AS now
