// Creates the links that waited for thoughts which exist by now: those that an import brought to links of this database, and
// those that this database had for links of the import. A link to a private thought of another session waits on.
:param namespace => 'default';
CYPHER 25
MATCH (p:Pending) WHERE p.namespace = $namespace AND p.id > ''
MATCH (t:Thought {id: p.id}) WHERE t.namespace = $namespace
CALL (p, t) {
  MATCH (waiting)-[a:AWAITS]->(p)
  WHERE CASE t.is_private WHEN false THEN true ELSE t.session_id = waiting.session_id END  // part: permitted(t, waiting.session_id)
  CREATE (waiting)-[:$(a.type)]->(t)
  DELETE a
}
CALL (p) {
  WITH p WHERE NOT EXISTS { (p)<-[:AWAITS]-() }
  DELETE p
}
RETURN count(t) AS settled
