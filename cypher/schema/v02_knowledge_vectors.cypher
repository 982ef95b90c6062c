// Entities and observations by meaning, in one index: one search serves both.
// Not quantized, for the reason in v01.
:param dimensions => 384;
CYPHER 25
CREATE VECTOR INDEX knowledge_embedding_a IF NOT EXISTS FOR (n:Entity|Observation) ON n.embedding_a
WITH [n.namespace, n.kind, n.trust, n.valid_from, n.valid_to]
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimensions,
  `vector.similarity_function`: 'COSINE',
  `vector.quantization.enabled`: false,
  `vector.default_search_expansion_factor`: 10.0
}}
