// Makes thoughts hot again that the curator took out of recall since $since, at most $take, the oldest first; with $id only
// that thought, or the sources of that summary. A summary without a source that is still out of recall is taken out itself.
// To be restored is a use: without it, the next run of the curator would judge as the last one.
:param namespace => 'default';
:param id => '';
:param since => datetime('0001-01-01T00:00:00Z');
:param now => datetime();
:param take => 500;
CYPHER 25
// In: the parameters. Out: t, thoughts that were curated.
CALL () {
  WITH * WHERE $id = ''
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, curated_at)
  WHERE t.namespace = $namespace AND t.curated_at >= $since
  RETURN t ORDER BY t.namespace, t.curated_at LIMIT $take
  UNION
  // coalesce, so that no plan begins at the index of curated thoughts.
  MATCH (t:Thought {id: $id})
  WHERE t.namespace = $namespace AND coalesce(t.curated_at >= $since, false)
  RETURN t
  UNION
  MATCH (summary:Thought {id: $id})-[r:REFERENCES]->(t:Thought)
  WHERE summary.namespace = $namespace AND r.made_by = 'curator' AND t.namespace = $namespace AND coalesce(t.curated_at >= $since, false)
  RETURN t
}
WITH t ORDER BY t.id
SET t.lock = 0
WITH t WHERE t.curated_at IS NOT NULL
// A redacted thought has nothing to recall.
SET t.hot = t.content IS NOT NULL, t.last_accessed = $now
REMOVE t.curated, t.curated_at
// part: changed(t)
SET t.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [t.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
  t.noted_at = datetime.realtime(), t.replica = null
// end of part
WITH collect(t) AS restored
// In: restored. Out: retired, the number of summaries that are not needed any more.
CALL (restored) {
  UNWIND restored AS t
  MATCH (s:Thought)-[r:REFERENCES]->(t)
  WHERE r.made_by = 'curator'
    AND s.hot = true  // part: hot(s)
  WITH DISTINCT s
  WHERE NOT EXISTS { (s)-[other:REFERENCES]->(source:Thought) WHERE other.made_by = 'curator' AND source.curated_at IS NOT NULL }
  WITH s ORDER BY s.id
  SET s.hot = false
  RETURN count(s) AS retired
}
RETURN size(restored) AS restored, retired
