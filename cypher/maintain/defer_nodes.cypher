// Marks what has no vector of the active slot's model as waiting for one, and removes vectors of another length: a page of one
// kind of node in the order of ids. Where another slot is in use and has its vector, the node waits for this slot only. Nodes
// are locked in one order, by id, and looked at again after that. Without a row, no node is left or the slot is not active.
:param kind => 'thought';
:param after => '';
:param take => 1000;
CYPHER 25
MATCH (d:LegacyMind {id: 'database'}) WHERE d.active_slot = 'embedding_a'
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
// In: the database, n. Out: marked, whether it was marked.
CALL (d, n) {
  WITH d, n
  WHERE CASE WHEN n.embedding_a IS :: LIST<INTEGER | FLOAT> THEN size(n.embedding_a) END <> d.embedding_a_dim  // part: foreign(n, d)
    OR n.embedding_a IS NULL AND n.ns_key IS NOT NULL AND n.redacts IS NULL AND n.redacted_at IS NULL AND NOT coalesce(n.embedding_deferred IN [true, 'embedding_a'], false)  // part: lacking(n)
  SET n.lock = 0
  WITH d, n
  WHERE CASE WHEN n.embedding_a IS :: LIST<INTEGER | FLOAT> THEN size(n.embedding_a) END <> d.embedding_a_dim  // part: foreign(n, d)
    OR n.embedding_a IS NULL AND n.ns_key IS NOT NULL AND n.redacts IS NULL AND n.redacted_at IS NULL AND NOT coalesce(n.embedding_deferred IN [true, 'embedding_a'], false)  // part: lacking(n)
  SET n.embedding_deferred = CASE WHEN d.other_slot IS NOT NULL AND n.embedding_b IS NOT NULL THEN 'embedding_a' ELSE true END
  REMOVE n.embedding_a, n.embedding_a_at
  RETURN count(n) AS marked
}
WITH d, count(n) AS seen, max(n.id) AS last, sum(marked) AS marked
RETURN seen, last, marked
