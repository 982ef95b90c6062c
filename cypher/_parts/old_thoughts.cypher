// part: old_thoughts()
// In: the parameters. Out: page, the next $page thoughts in order of their times, up to $before.
MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
WHERE t.namespace = $namespace AND t.created_at >= datetime($after_time) AND t.created_at < $before
  AND (t.created_at > datetime($after_time) OR t.id > $after_id)
WITH t ORDER BY t.namespace, t.created_at, t.id LIMIT $page
WITH collect(t) AS page
