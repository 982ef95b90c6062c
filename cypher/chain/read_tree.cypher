// A page of a session's thought tree: its next roots in step order, and what hangs under them, flat.
// A root has no parent, or one outside the session. A thought has one parent, so every node is reached once;
// levels below $depth and nodes beyond $nodes are left to another call.
CYPHER 25
CALL () {
  MATCH (root:Thought)
  WHERE root.namespace = $namespace AND root.session_id = $session_id AND root.step_index >= $after
    AND NOT EXISTS { (root)-[:CHILD_OF]->(p:Thought) WHERE p.namespace = $namespace AND p.session_id = $session_id }
  WITH root ORDER BY root.step_index LIMIT $take + 1
  RETURN collect(root) AS roots
}
CALL (roots) {
  UNWIND roots[..$take] AS root // one more is only asked for to know that there is one
  MATCH (root) ((a)<-[:CHILD_OF]-(b:Thought WHERE b.namespace = $namespace AND b.session_id = $session_id)){0,60} (n)
  WHERE size(a) <= $depth
  WITH n, a, size(a) AS level ORDER BY level, n.step_index LIMIT $nodes
  RETURN collect({
    id: n.id, parent: CASE WHEN level = 0 THEN null ELSE a[-1].id END, level: level, thought_type: n.thought_type,
    step_index: n.step_index, content: n.content, created_at: n.created_at, author: n.author,
    children: COUNT { (n)<-[:CHILD_OF]-(c:Thought) WHERE c.namespace = $namespace AND c.session_id = $session_id }
  }) AS nodes
}
CALL () {
  MATCH (t:Thought) WHERE t.namespace = $namespace AND t.session_id = $session_id
  RETURN count(t) AS total
}
RETURN total, size(roots) AS roots, nodes
