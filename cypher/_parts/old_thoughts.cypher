// part: old_thoughts()
// In: the parameters. Out: page, the next $page thoughts in the order in which they were stored, up to $before.
MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, recorded_at)
WHERE t.namespace = $namespace AND t.recorded_at >= datetime($after_time) AND t.recorded_at < $before
  AND (t.recorded_at > datetime($after_time) OR t.id > $after_id)
WITH t ORDER BY t.namespace, t.recorded_at, t.id LIMIT $page
WITH collect(t) AS page
