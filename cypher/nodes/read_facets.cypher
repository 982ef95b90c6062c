// Counts for each of several sessions the values of some properties of its visible thoughts, the most frequent first.
:param ids => ['try'];
:param namespace => 'default';
:param own_session => '';
:param most => 50;
CYPHER 25
UNWIND $ids AS session
CALL (session) {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id)
  WHERE t.namespace = $namespace AND t.session_id = session
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  UNWIND [['modes', t.mode], ['thought_types', t.thought_type], ['authors', t.author], ['origins', t.origin]]
    + [tag IN coalesce(t.tags, []) | ['tags', tag]] AS pair
  WITH pair[0] AS name, toStringOrNull(pair[1]) AS value, count(*) AS count
  WHERE value IS NOT NULL
  WITH name, value, count ORDER BY count DESC, value
  RETURN name, collect({value: value, count: count})[..$most] AS values
}
RETURN session AS id, name, values
