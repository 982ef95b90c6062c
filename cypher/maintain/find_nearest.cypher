// Finds for each vector the nearest nodes of its namespace in a slot, thoughts and knowledge together: by the vectors
// alone, so that the vectors of two models can be compared.
:param questions => [{id: 'thought-1', namespace: 'default', vector: [x IN range(1, 384) | 0.1]}];
:param take => 11;
CYPHER 25
UNWIND $questions AS question
WITH question.id AS id, question.namespace AS namespace, question.vector AS vector
// In: vector. Out: its nearest nodes with their similarity.
CALL (namespace, vector) {
  MATCH (n:Thought)
    SEARCH n IN (VECTOR INDEX thought_embedding_a FOR vector WHERE n.namespace = namespace LIMIT $take) SCORE AS similarity
  RETURN n, similarity
  UNION ALL
  MATCH (n:Entity|Observation)
    SEARCH n IN (VECTOR INDEX knowledge_embedding_a FOR vector WHERE n.namespace = namespace LIMIT $take) SCORE AS similarity
  RETURN n, similarity
}
WITH id, n, similarity ORDER BY similarity DESC, n.id
RETURN id, collect(n.id)[..$take] AS nearest
