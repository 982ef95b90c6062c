// Reads sessions by their ids, one row for each id: the stored head of its chain, and the times of its first and last
// visible thought, at either end of the index on session and time. A session that is known only from its thoughts, since
// it was made by hand, has no head. The steps of one with branches are counted.
:param ids => ['try'];
:param namespace => 'default';
:param own_session => '';
CYPHER 25
UNWIND $ids AS id
OPTIONAL MATCH (s:Session {namespace: $namespace, id: id})
CALL (id) {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, created_at)
  WHERE t.session_id = id AND t.created_at > datetime('0001-01-01') AND t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  WITH t ORDER BY t.namespace, t.session_id, t.created_at LIMIT 1
  RETURN collect(t.created_at)[0] AS first_at
}
CALL (id) {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, created_at)
  WHERE t.session_id = id AND t.created_at > datetime('0001-01-01') AND t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  WITH t ORDER BY t.namespace DESC, t.session_id DESC, t.created_at DESC LIMIT 1
  RETURN collect(t.created_at)[0] AS last_at
}
WITH id, s, first_at, last_at
WHERE s IS NOT NULL OR EXISTS { (:Thought {namespace: $namespace, session_id: id}) }
RETURN id,
  CASE WHEN s.created_at IS :: ZONED DATETIME THEN s.created_at END  // part: zoned(s.created_at)
  AS created_at, first_at AS first_thought_at, last_at AS last_thought_at,
  CASE WHEN s.branches IS NOT NULL THEN COUNT {
    MATCH (t:Thought) WHERE t.namespace = $namespace AND t.session_id = id AND t.step_index >= 0
  } WHEN s.head_step IS :: INTEGER NOT NULL AND s.head_step < 2147483647 THEN s.head_step + 1 ELSE 0 END AS steps,
  CASE WHEN s.branches IS :: LIST<STRING NOT NULL> NOT NULL THEN 1 + size(s.branches) END  // part: branches(s)
  AS branches,
  s.head_hash AS head_hash, s.head_key_id AS key_id
