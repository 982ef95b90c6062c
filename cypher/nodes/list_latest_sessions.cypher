// Lists the sessions of a namespace by the time of their last visible thought, the latest first, or with $by_id in the
// order of their ids. With an author, only those with a visible thought of that author; with a text in lower case, only
// those whose id, first or last visible thought contains it. Sessions that are known only from thoughts made by hand are not
// listed. Of each session its last thought is read, and with a text also its first one, at the ends of the index on session
// and time. If there are more than $few sessions, thoughts are read instead, from the latest on, until they are of
// enough sessions.
:param namespace => 'default';
:param own_session => '';
:param author => null;
:param text => null;
:param by_id => false;
:param after => [-253402387199, 0, ''];
:param take => 10;
:param few => 1000;
CYPHER 25
// In: nothing. Out: walked, true if thoughts are read instead.
CALL () {
  MATCH (s:Session) USING INDEX SEEK s:Session(namespace, id)
  WHERE s.namespace = $namespace AND s.id >= ''
  WITH s LIMIT $few + 1
  RETURN $author IS NULL AND $text IS NULL AND NOT $by_id AND count(s) > $few AS walked
}
// In: walked. Out: rows of s, sessions among which are those of the page.
CALL (walked) {
  WITH walked WHERE $author IS NOT NULL
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, author)
  WHERE t.namespace = $namespace AND t.author = $author
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  WITH DISTINCT t.session_id AS id
  MATCH (s:Session {namespace: $namespace, id: id})
  RETURN s
  UNION ALL
  WITH walked WHERE $author IS NULL AND NOT walked
  MATCH (s:Session) USING INDEX SEEK s:Session(namespace, id)
  WHERE s.namespace = $namespace AND s.id >= ''
  RETURN s
  UNION ALL
  WITH walked WHERE walked
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
  WHERE t.namespace = $namespace
    AND t.created_at <= datetime({epochSeconds: -$after[0], nanosecond: -$after[1]})
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  WITH t ORDER BY t.namespace DESC, t.created_at DESC, t.session_id
  WITH DISTINCT t.session_id AS id
  MATCH (s:Session {namespace: $namespace, id: id})
  // In: s. Out: last, the time of its last visible thought.
  CALL (s) {
    MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, created_at)
    WHERE t.session_id = s.id AND t.created_at > datetime('0001-01-01') AND t.namespace = $namespace
      AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    WITH t ORDER BY t.namespace DESC, t.session_id DESC, t.created_at DESC LIMIT 1
    RETURN t.created_at AS last
  }
  WITH s WHERE [-last.epochSeconds, -last.nanosecond, s.id] > $after
  RETURN s LIMIT $take
}
// In: s. Out: has_text.
CALL (s) {
  WITH s WHERE $text IS NULL OR toLower(s.id) CONTAINS $text
  RETURN true AS has_text
  UNION ALL
  WITH s WHERE NOT ($text IS NULL OR toLower(s.id) CONTAINS $text)
  // In: s. Out: said, the contents of its first and last visible thought.
  CALL (s) {
    MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, created_at)
    WHERE t.session_id = s.id AND t.created_at > datetime('0001-01-01') AND t.namespace = $namespace
      AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    WITH t ORDER BY t.namespace, t.session_id, t.created_at LIMIT 1
    RETURN t.content AS said
    UNION ALL
    MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, created_at)
    WHERE t.session_id = s.id AND t.created_at > datetime('0001-01-01') AND t.namespace = $namespace
      AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    WITH t ORDER BY t.namespace DESC, t.session_id DESC, t.created_at DESC LIMIT 1
    RETURN t.content AS said
  }
  RETURN any(said IN collect(toLower(toStringOrNull(said))) WHERE said CONTAINS $text) AS has_text
}
WITH s WHERE has_text
// In: s. Out: last, as above.
CALL (s) {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, created_at)
  WHERE t.session_id = s.id AND t.created_at > datetime('0001-01-01') AND t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  WITH t ORDER BY t.namespace DESC, t.session_id DESC, t.created_at DESC LIMIT 1
  RETURN t.created_at AS last
}
WITH s.id AS name, CASE WHEN $by_id THEN [0, 0, s.id] ELSE [-last.epochSeconds, -last.nanosecond, s.id] END AS position
WHERE position > $after
RETURN name, position ORDER BY position LIMIT $take
