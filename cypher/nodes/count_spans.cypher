// Counts the visible thoughts of a namespace since a time in spans, such as days in a time zone: the latest spans that have
// thoughts, in order.
:param namespace => 'default';
:param own_session => '';
:param since => datetime('2026-01-01');
:param time_zone => 'UTC';
:param unit => 'day';
:param most => 1000;
CYPHER 25
MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
WHERE t.namespace = $namespace AND t.created_at >= $since
  AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  AND (NOT t.id CONTAINS '::')  // part: whole(t)
WITH datetime.truncate($unit, datetime({epochSeconds: t.created_at.epochSeconds, timezone: $time_zone})) AS start, count(*) AS count
ORDER BY start DESC LIMIT $most
RETURN datetime({datetime: start, timezone: 'UTC'}) AS start, count ORDER BY start
