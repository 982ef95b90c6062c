// Finds thoughts of a page with a link in their properties and none in the graph, and with $apply creates the relationship,
// or lets the link wait if there is no target that the session of the thought may read. The properties are hashed, and the relationships are walked; thought
// statements create both. A link also counts as missing while it waits for a thought that exists by now.
:param namespace => 'default';
:param before => datetime();
:param after_time => '0001-01-01T00:00:00Z';
:param after_id => '';
:param page => 500;
:param apply => false;
:param samples => 10;
CYPHER 25
// part: old_thoughts()
MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
WHERE t.namespace = $namespace AND t.created_at >= datetime($after_time) AND t.created_at < $before
  AND (t.created_at > datetime($after_time) OR t.id > $after_id)
WITH t ORDER BY t.namespace, t.created_at, t.id LIMIT $page
WITH collect(t) AS page
// end of part
// In: page. Out: missing, a list of {t, type, id, target}.
CALL (page) {
  UNWIND page AS t
  UNWIND [['FOLLOWS', t.previous_thought_id], ['REVISES', t.revises_thought], ['BRANCHES_FROM', t.branch_from], ['CHILD_OF', t.parent_id]] AS link
  WITH t, link[0] AS type, link[1] AS id
  WHERE id IS :: STRING NOT NULL AND NOT EXISTS { (t)-[r:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]->(x:Thought) WHERE type(r) = type AND x.id = id }
  OPTIONAL MATCH (target:Thought {id: id}) WHERE target.namespace = $namespace
    AND CASE target.is_private WHEN false THEN true ELSE target.session_id = t.session_id END  // part: permitted(target, t.session_id)
  WITH t, type, id, target
  WHERE target IS NOT NULL OR NOT EXISTS { (t)-[w:AWAITS]->(p:Pending) WHERE w.type = type AND p.id = id }
  RETURN collect({t: t, type: type, id: id, target: target}) AS missing
}
// In: missing. Out: locked, the number of ends. Locks them by id.
CALL (missing) {
  UNWIND missing AS link
  UNWIND [link.t, link.target] AS n
  WITH DISTINCT n WHERE $apply AND n IS NOT NULL
  WITH n ORDER BY n.id
  SET n.lock = 0
  RETURN count(n) AS locked
}
// In: missing. Out: nothing; creates the relationships whose targets exist.
CALL (missing) {
  UNWIND missing AS link
  WITH link.t AS t, link.type AS type, link.target AS target WHERE $apply AND target IS NOT NULL
  CREATE (t)-[:$(type)]->(target)
  WITH t, type, target
  MATCH (t)-[w:AWAITS]->(p:Pending) WHERE w.type = type AND p.id = target.id
  DELETE w
}
// In: missing. Out: nothing; the other links wait.
CALL (missing) {
  UNWIND missing AS link
  WITH link.t AS t, link.type AS type, link.id AS id WHERE $apply AND link.target IS NULL
  MERGE (p:Pending {namespace: $namespace, id: id})
  CREATE (t)-[:AWAITS {type: type}]->(p)
}
RETURN size(page) AS thoughts, toString(page[-1].created_at) AS last_time, page[-1].id AS last_id, [size(missing),
  [link IN missing[..$samples] | {id: link.t.id, type: link.type, target: link.id, waits: link.target IS NULL}]] AS mended
