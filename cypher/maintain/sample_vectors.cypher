// Finds vectors of another model than the slot's, and vectors in the slot that is not used, among the newest nodes of
// each label. No index has the model of a vector, so that the number of nodes is limited; id() gives their order from
// the end of the label's own index, which no other function does. Neo4j gives ids of deleted nodes to later ones, so that
// a new node may be missed where others were deleted; `legacymind doctor --thorough` reads all.
:param slot => 'embedding_a';
:param other => 'embedding_b';
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
WITH n[$slot + '_model'] AS model, n[$other + '_model'] AS unused,
  n[$slot + '_model'] <> d[$slot + '_model'] OR n[$slot + '_version'] <> d[$slot + '_version']
    OR n[$slot + '_dim'] <> d[$slot + '_dim'] AS foreign
RETURN count(*) AS read, count(CASE WHEN foreign THEN 1 END) AS foreign,
  collect(DISTINCT CASE WHEN foreign THEN model END) AS models, count(unused) AS unused
