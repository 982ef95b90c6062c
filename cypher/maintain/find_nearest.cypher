// Finds for each vector the nearest nodes of its namespace in a slot, thoughts and knowledge together: by the vectors
// alone, so that the vectors of two models can be compared.
:param questions => [{id: 'thought-1', namespace: 'default', vector: [x IN range(1, 384) | 0.1]}];
:param take => 11;
CYPHER 25
UNWIND $questions AS question
WITH question.id AS id, question.namespace AS namespace, question.vector AS vector
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
