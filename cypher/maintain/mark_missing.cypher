// Marks what has a vector in the other slot and none in this one, which is being filled, as waiting for it: a page of one
// kind of node in the order of ids. Nodes without a vector in either slot need none (the steps that record redactions), or
// wait for both. Nodes are locked in one order, by id, and looked at again after that: meanwhile a thought may have been
// redacted. Without a row, no node is left or the slot is not in use.
:param kind => 'thought';
:param after => '';
:param take => 1000;
CYPHER 25
MATCH (d:LegacyMind {id: 'database'}) WHERE d.other_slot = 'embedding_a'
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
// In: n. Out: marked, whether it was marked.
CALL (n) {
  WITH n WHERE n.embedding_b IS NOT NULL AND n.embedding_a IS NULL AND n.embedding_deferred IS NULL
  SET n.lock = 0
  WITH n WHERE n.embedding_b IS NOT NULL AND n.embedding_a IS NULL AND n.embedding_deferred IS NULL
  SET n.embedding_deferred = 'embedding_a'
  RETURN count(n) AS marked
}
WITH d, count(n) AS seen, max(n.id) AS last, sum(marked) AS marked
RETURN seen, last, marked
