// Reads a page of a session's thoughts in the order of steps, as a flat list with parent_id: $size steps from $after on, or
// from the thought $root_id, which comes first. next is the step at which the next page begins, that of a child of
// $root_id if there is one.
:param namespace => 'default';
:param session_id => 'try';
:param root_id => '';
:param after => 0;
:param size => 1000;
:param text_length => 200;
CYPHER 25
OPTIONAL MATCH (top:Thought {id: $root_id}) WHERE top.namespace = $namespace AND top.session_id = $session_id
WITH top, CASE WHEN top.step_index > $after THEN top.step_index ELSE $after END + $size AS end
CALL (top, end) {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, step_index)
  WHERE t.namespace = $namespace AND t.session_id = $session_id AND end - $size <= t.step_index < end
    AND ($root_id = '' OR top IS NOT NULL AND t <> top)
  WITH top, t ORDER BY t.step_index LIMIT $size
  WITH top, collect(t) AS page
  UNWIND CASE WHEN top IS NULL THEN [] ELSE [top] END + page AS t
  RETURN collect({
    id: CASE WHEN t.id IS :: STRING NOT NULL THEN t.id ELSE 'no id, node ' + elementId(t) END,  // part: id_of(t)
    parent_id: t.parent_id, thought_type: t.thought_type,
    step_index: CASE WHEN t.step_index IS :: INTEGER AND t.step_index < 2147483648 THEN t.step_index END,  // part: step(t)
    outside_chain: NOT coalesce(t.chained = true, t.session_id IS NULL),  // part: in_chain(t)
    content: CASE WHEN coalesce(t.expires_at > datetime(), true) THEN left(toStringOrNull(t.content), $text_length) END,
    created_at: CASE WHEN t.created_at IS :: ZONED DATETIME THEN t.created_at END,  // part: zoned(t.created_at)
    author: t.author, redacted_at: t.redacted_at,
    children: COUNT {
      (t)<-[:CHILD_OF]-(c:Thought) WHERE c.namespace = $namespace AND c.session_id = $session_id
    }
  }) AS nodes
}
RETURN nodes,
  COUNT {
    MATCH (t:Thought) WHERE t.namespace = $namespace AND t.session_id = $session_id AND t.step_index IS NOT NULL // for the index
  } AS total,
  CASE WHEN top IS NULL THEN COLLECT {
    MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, step_index)
    WHERE t.namespace = $namespace AND t.session_id = $session_id AND end <= t.step_index < 2147483648
    RETURN t.step_index ORDER BY t.step_index LIMIT 1
  }[0] ELSE COLLECT {
    MATCH (top)<-[:CHILD_OF]-(t:Thought)
    WHERE t.namespace = $namespace AND t.session_id = $session_id AND end <= t.step_index < 2147483648
    RETURN t.step_index ORDER BY t.step_index LIMIT 1
  }[0] END AS next
