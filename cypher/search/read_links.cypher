// Reads what one thought links to and what links to it. A link exists when its relationship does: the immutable id
// alone may wait for its thought. Ten thousand thoughts may link to one, so each kind has a page, oldest first. Private thoughts exist in their own session only.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
:param types => ['FOLLOWS', 'REVISES', 'BRANCHES_FROM', 'CHILD_OF'];
:param skip => 0;
:param take => 10;
CYPHER 25
MATCH (t:Thought {id: $id, namespace: $namespace})
WHERE CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
UNWIND $types AS type
CALL (t, type) {
  MATCH (x:Thought)-[r:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]->(t)
  WHERE type(r) = type AND x.namespace = $namespace
    AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.found_until > datetime(), true)  // part: visible(x)
    AND (NOT x.id CONTAINS '::')  // part: whole(x)
  WITH x ORDER BY x.created_at, x.id SKIP $skip LIMIT $take
  RETURN collect(x.id) AS ids
}
WITH t, collect(ids) AS pointing
RETURN t {
  .previous_thought_id, .revises_thought, .branch_from, .parent_id, .action_id, .redacted_at,
  outside_chain: NOT coalesce(t.chained = true, t.session_id IS NULL)  // part: in_chain(t)
} AS thought,
COLLECT {
  MATCH (t)-[r:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF|FOR_ACTION]->(x)
  WHERE x.namespace = $namespace
    AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
  RETURN [type(r), x.id]
} AS resolved, pointing
