// Finds the thoughts with more than $most relationships among the newest thoughts and those that they recall, the most crowded
// first, and counts the nodes of the database. As in sample_vectors, id() gives the newest.
:param take => 1000;
:param most => 1000;
:param show => 3;
CYPHER 25
// In: the parameters. Out: crowded, the id and the number of relationships of each.
CALL () {
  MATCH (t:Thought) WITH t ORDER BY id(t) DESC LIMIT $take
  // In: t. Out: n, the thought and the thoughts that it recalls.
  CALL (t) {
    RETURN t AS n
    UNION ALL
    MATCH (t)-[:RECALLS]->(n:Thought)
    RETURN n
  }
  WITH DISTINCT n
  WITH n, COUNT { (n)--() } AS relationships WHERE $most > 0 AND relationships > $most
  WITH n, relationships ORDER BY relationships DESC, n.id LIMIT $show
  RETURN collect([n.id, relationships]) AS crowded
}
RETURN crowded, COUNT { () } AS nodes
