// Reads a page of the steps of all chains in their order, as they are stored elsewhere, like sync/read_changed.
:param namespace => 'default';
:param session => '';
:param step => -1;
:param after => '';
:param present => ['replica'];
:param private => false;
:param whole => true;
:param take => 500;
CYPHER 25
CALL () {
  MATCH (n:Thought) USING INDEX n:Thought(namespace, session_id, step_index)
  WHERE n.namespace = $namespace AND n.session_id = $session AND n.step_index >= $step AND n.step_index IS :: INTEGER NOT NULL
    AND (n.step_index > $step OR n.id > $after)
  RETURN n ORDER BY n.namespace, n.session_id, n.step_index, n.id LIMIT $take
  UNION ALL
  MATCH (n:Thought) USING INDEX n:Thought(namespace, session_id, step_index)
  WHERE n.namespace = $namespace AND n.session_id > $session AND n.step_index IS :: INTEGER NOT NULL AND n.id IS :: STRING NOT NULL
  RETURN n ORDER BY n.namespace, n.session_id, n.step_index, n.id LIMIT $take
}
WITH n,
  // part: travels(n)
  ($private OR NOT n:Thought
    OR NOT coalesce(n.is_private <> false, true)  // part: private(n)
    AND NOT EXISTS { (s:Session {namespace: $namespace, id: n.session_id}) WHERE s.has_private })
  // end of part
  AS goes
ORDER BY n.session_id, n.step_index, n.id LIMIT $take
RETURN n.id AS id, n.session_id AS session, n.step_index AS step, goes,
  CASE WHEN goes AND $whole AND NOT coalesce(n.replica IN $present, false) THEN n {.*, embedding_a: null, embedding_b: null} END AS properties
