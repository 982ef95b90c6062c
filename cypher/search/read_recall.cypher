// Reads what a thought recalled by its RECALLS relationships, with every part of the score as it was stored then. A private
// memory is read in its own session only.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
CYPHER 25
MATCH (t:Thought {id: $id, namespace: $namespace})-[r:RECALLS]->(m)
WHERE m.namespace = $namespace
  AND (m.is_private = false OR m.session_id = $own_session OR NOT m:Thought) AND coalesce(m.found_until > datetime(), true)  // part: visible_node(m)
RETURN m.id AS id, properties(r) AS edge
