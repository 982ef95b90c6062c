// Finds for nodes with a vector in a slot the nodes of their namespace that are nearest to them, thoughts and knowledge together: by the
// vectors alone, so that the vectors of two models can be compared. A node is among the nearest to itself.
:param ids => ['thought-1'];
:param take => 11;
CYPHER 25
UNWIND $ids AS id
MATCH (asked:Thought|Entity|Observation {id: id}) WHERE asked.embedding_a IS NOT NULL
WITH id, asked.namespace AS namespace, asked.embedding_a AS vector
// In: namespace, vector. Out: rows of n and index_score, Neo4j's score of the cosine: the nearest nodes of each index.
CALL (namespace, vector) {
  MATCH (n:Thought)
    SEARCH n IN (VECTOR INDEX thought_embedding_a FOR vector WHERE n.namespace = namespace LIMIT $take) SCORE AS index_score
  RETURN n, index_score
  UNION ALL
  MATCH (n:Entity|Observation)
    SEARCH n IN (VECTOR INDEX knowledge_embedding_a FOR vector WHERE n.namespace = namespace LIMIT $take) SCORE AS index_score
  RETURN n, index_score
}
WITH id, n, index_score ORDER BY index_score DESC, n.id
RETURN id, collect(n.id)[..$take] AS nearest
