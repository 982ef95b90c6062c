// Finds vectors of another length than the slot's, and texts without a vector, among the
// newest nodes of each label. No index has the length of a vector, so that the number of nodes is limited; id() gives their
// order from the end of the label's own index, which no other function does. Neo4j gives ids of deleted nodes to later ones,
// so that a new node may be missed where others were deleted.
:param take => 1000;
CYPHER 25
OPTIONAL MATCH (d:LegacyMind {id: 'database'})
CALL () {
  MATCH (n:Thought) WITH n ORDER BY id(n) DESC LIMIT $take RETURN n
  UNION ALL
  MATCH (n:Entity) WITH n ORDER BY id(n) DESC LIMIT $take RETURN n
  UNION ALL
  MATCH (n:Observation) WITH n ORDER BY id(n) DESC LIMIT $take RETURN n
}
WITH
  CASE WHEN n.embedding_a IS :: LIST<INTEGER | FLOAT> THEN size(n.embedding_a) END <> d.embedding_a_dim  // part: foreign(n, d)
  AS foreign,
  n.embedding_a IS NULL AND n.ns_key IS NOT NULL AND n.redacts IS NULL AND n.redacted_at IS NULL AND NOT coalesce(n.embedding_deferred IN [true, 'embedding_a'], false)  // part: lacking(n)
  AS lacking
RETURN count(*) AS read, count(CASE WHEN foreign THEN 1 END) AS foreign,
  count(CASE WHEN lacking THEN 1 END) AS lacking
