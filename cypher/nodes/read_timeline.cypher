// Counts for each of several sessions its visible thoughts in spans of time, such as hours in a time zone: the latest spans that
// have thoughts, in order.
:param ids => ['try'];
:param namespace => 'default';
:param own_session => '';
:param time_zone => 'UTC';
:param unit => 'hour';
:param most => 1000;
CYPHER 25
UNWIND $ids AS session
CALL (session) {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, created_at)
  WHERE t.session_id = session AND t.created_at > datetime('0001-01-01') AND t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  WITH datetime.truncate($unit, datetime({epochSeconds: t.created_at.epochSeconds, timezone: $time_zone})) AS start, count(*) AS count
  WITH start, count ORDER BY start DESC LIMIT $most
  WITH start, count ORDER BY start
  RETURN collect({start: datetime({datetime: start, timezone: 'UTC'}), count: count}) AS spans
}
RETURN session AS id, spans
