// Creates the links that waited for thoughts which exist by now: those that an import brought to links of this database, and
// those that this database had for links of the import.
:param namespace => 'default';
CYPHER 25
MATCH (p:Pending) WHERE p.namespace = $namespace AND p.id > ''
MATCH (t:Thought {id: p.id}) WHERE t.namespace = $namespace
CALL (p, t) {
  MATCH (waiting)-[a:AWAITS]->(p)
  CREATE (waiting)-[:$(a.type)]->(t)
}
DETACH DELETE p
RETURN count(t) AS settled
