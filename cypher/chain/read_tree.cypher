// A page of a session's thought tree: its next roots in step order, and what hangs under them, flat.
// A root has no parent, or one outside the session. min(length(path)) visits every thought once, on its nearest
// level and under its first root, also where somebody gave thoughts two parents by hand, which doubles the ways
// down with every level. One tree comes after the other, so that what $nodes cuts off begins the next page;
// levels below $depth are left to another call.
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
  CALL (root) {
    RETURN root AS n, 0 AS level
    UNION ALL
    WITH root WHERE $depth > 0
    MATCH path = (root)<-[:CHILD_OF*1..50]-(n:Thought)
    WHERE all(x IN nodes(path) WHERE x.namespace = $namespace AND x.session_id = $session_id)
    RETURN n, min(length(path)) AS level
  }
  WITH root, n, level ORDER BY level, root.step_index
  WITH n, min(level) AS level, collect(root.step_index)[0] AS root
  ORDER BY root, level, n.step_index LIMIT $nodes
  RETURN collect({
    id: n.id, level: level, thought_type: n.thought_type, step_index: n.step_index,
    parents: [(n)-[:CHILD_OF]->(p:Thought) WHERE p.namespace = $namespace AND p.session_id = $session_id | p.id],
    content: left(n.content, $text), created_at: n.created_at, author: n.author,
    children: COUNT { (n)<-[:CHILD_OF]-(c:Thought) WHERE c.namespace = $namespace AND c.session_id = $session_id }
  }) AS nodes
}
CALL () {
  MATCH (t:Thought) WHERE t.namespace = $namespace AND t.session_id = $session_id
  RETURN count(t) AS total
}
RETURN total, size(roots) AS roots, nodes
