// Counts the public thoughts and the facts that synchronisation has stored since the latest public session of this home began, except
// $own_session, and the homes that they are from. Of each, only the newest $most are read, by index: it costs the same in any memory.
:param namespace => 'default';
:param own_session => '';
:param most => 1000;
CYPHER 25
CALL () {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, stored_at)
  WHERE t.namespace = $namespace AND t.stored_at IS NOT NULL
  WITH t ORDER BY t.namespace DESC, t.stored_at DESC LIMIT $most
  RETURN collect(t) AS newest
}
WITH newest, [
  t IN newest WHERE t.replica IS NULL AND t.session_id <> $own_session
    AND t.is_private = false AND coalesce(t.found_until > datetime(), true)  // part: public(t)
][0] AS latest
MATCH (s:Session {namespace: $namespace, id: latest.session_id})
CALL (s) {
  MATCH (o:Observation) USING INDEX SEEK o:Observation(namespace, noted_at)
  WHERE o.namespace = $namespace AND o.noted_at > s.created_at
  WITH o ORDER BY o.namespace DESC, o.noted_at DESC LIMIT $most
  RETURN collect(o.replica) AS facts
}
WITH facts, [
  t IN newest WHERE t.stored_at > s.created_at AND t.replica IS NOT NULL
    AND t.is_private = false AND coalesce(t.found_until > datetime(), true)  // part: public(t)
    AND (NOT t.id CONTAINS '::')  // part: whole(t)
  | t.replica] AS thoughts
RETURN size(thoughts) AS thoughts, size(facts) AS facts, COUNT { UNWIND thoughts + facts AS home RETURN DISTINCT home } AS homes
