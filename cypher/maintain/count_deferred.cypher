// Counts the nodes that wait for their vectors, by the indexes on the property that marks them.
CYPHER 25
CALL () {
  MATCH (t:Thought) WHERE t.embedding_deferred = true RETURN count(t) AS n
  UNION ALL
  MATCH (e:Entity) WHERE e.embedding_deferred = true RETURN count(e) AS n
  UNION ALL
  MATCH (o:Observation) WHERE o.embedding_deferred = true RETURN count(o) AS n
}
RETURN sum(n) AS waiting
