// Removes the vectors of a slot that is not in use any more, with their times and the marks of what waited for
// one: a page of one kind of node in the order of ids, by which nodes are locked. Without a row, no node is left or the slot is in use.
:param kind => 'thought';
:param after => '';
:param take => 1000;
CYPHER 25
MATCH (d:LegacyMind {id: 'database'}) WHERE d.dropping_slot = 'embedding_a'
// part: page_of_kind()
CALL () {
  WITH 1 AS one WHERE $kind = 'thought'
  MATCH (n:Thought) WHERE n.id > $after
  RETURN n ORDER BY n.id LIMIT $take
  UNION ALL
  WITH 1 AS one WHERE $kind = 'entity'
  MATCH (n:Entity) WHERE n.id > $after
  RETURN n ORDER BY n.id LIMIT $take
  UNION ALL
  WITH 1 AS one WHERE $kind = 'observation'
  MATCH (n:Observation) WHERE n.id > $after
  RETURN n ORDER BY n.id LIMIT $take
}
WITH d, n ORDER BY n.id
// end of part
CALL (n) {
  WITH n WHERE n.embedding_a IS NOT NULL OR n.embedding_a_at IS NOT NULL OR n.embedding_deferred = 'embedding_a'
  SET n.embedding_deferred = CASE WHEN n.embedding_deferred <> 'embedding_a' THEN n.embedding_deferred END
  REMOVE n.embedding_a, n.embedding_a_at
}
WITH d, count(n) AS seen, max(n.id) AS last
RETURN seen, last, 0 AS marked
