// Reads a page of a session's thoughts in the order of steps, as a flat list with parent_id; with $roots_only those without a
// parent in the session. Branches have steps of the same number.
:param namespace => 'default';
:param session_id => 'try';
:param roots_only => false;
:param after => -1;
:param after_id => '';
:param take => 100;
:param text_length => 200;
CYPHER 25
CALL () {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, step_index)
  WHERE t.namespace = $namespace AND t.session_id = $session_id AND $after <= t.step_index < 2147483648
    AND (t.step_index > $after OR $after >= 0 AND t.id > $after_id)
    AND NOT ($roots_only AND EXISTS {
      (t)-[:CHILD_OF]->(p:Thought) WHERE p.namespace = $namespace AND p.session_id = $session_id
    })
  WITH t ORDER BY t.namespace, t.session_id, t.step_index, t.id LIMIT $take
  RETURN collect([{
    thought_id: CASE WHEN t.id IS :: STRING NOT NULL THEN t.id ELSE 'no id, node ' + elementId(t) END,  // part: id_of(t)
    parent_id: t.parent_id, thought_type: t.thought_type,
    step_index: CASE WHEN t.step_index IS :: INTEGER AND t.step_index < 2147483648 THEN t.step_index END,  // part: step(t)
    outside_chain: CASE WHEN NOT
      coalesce(t.chained = true, t.session_id IS NULL)  // part: in_chain(t)
      THEN true END,
    content: CASE WHEN coalesce(t.expires_at > datetime(), true) THEN coalesce(left(toStringOrNull(t.content), $text_length), '') ELSE '' END,
    created_at: CASE WHEN t.created_at IS :: ZONED DATETIME THEN t.created_at END,  // part: zoned(t.created_at)
    author: t.author, redacted_at: t.redacted_at,
    child_count: COUNT {
      (t)<-[:CHILD_OF]-(c:Thought) WHERE c.namespace = $namespace AND c.session_id = $session_id
    }
  }, t {.origin, .door, .trust}]) AS nodes
}
RETURN nodes, COUNT {
  MATCH (t:Thought) WHERE t.namespace = $namespace AND t.session_id = $session_id AND t.step_index IS NOT NULL // for the index
} AS total, COLLECT {
  MATCH (s:Session {namespace: $namespace, id: $session_id})
  RETURN
    CASE WHEN s.branches IS :: LIST<STRING NOT NULL> NOT NULL THEN 1 + size(s.branches) END  // part: branches(s)
}[0] AS branches
