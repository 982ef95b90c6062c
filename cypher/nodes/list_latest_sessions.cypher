// Lists the sessions of a namespace by the time of their last visible thought, the latest first; with an author,
// only those with a visible thought of that author. Of each session one thought is read, at the end of the index on
// session and time. Sessions that are known only from thoughts made by hand are not listed.
:param namespace => 'default';
:param own_session => '';
:param author => null;
:param after => [-9223372036854775807, 0, ''];
:param take => 10;
CYPHER 25
MATCH (s:Session) USING INDEX SEEK s:Session(namespace, id)
WHERE s.namespace = $namespace AND s.id >= ''
CALL (s) {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, created_at)
  WHERE t.session_id = s.id AND t.created_at > datetime('0001-01-01') AND t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
  WITH t ORDER BY t.namespace DESC, t.session_id DESC, t.created_at DESC LIMIT 1
  RETURN t.created_at AS last
}
WITH s.id AS name, [-last.epochSeconds, -last.nanosecond, s.id] AS position
WHERE position > $after
  AND ($author IS NULL OR EXISTS {
    MATCH (t:Thought {namespace: $namespace, session_id: name, author: $author})
    WHERE CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
  })
RETURN name, position ORDER BY position LIMIT $take
