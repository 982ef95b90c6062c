// Thoughts by meaning, with every property that may filter inside the index. Factor 10 finds 99.8 % of the ten
// nearest turns of real talk, 5 finds 98.3 % and 3 finds 96.5 %, in 3 to 41 % less time (docs/memory/search.md has the
// table). Created when the embedder is known, and so never with wrong dimensions. Not quantized: a quantized index
// fails every search of a small namespace once a vector is removed from it (redacted, deleted), since it returns more
// rows than it has.
:param dimensions => 384;
CYPHER 25
CREATE VECTOR INDEX thought_embedding_a IF NOT EXISTS FOR (t:Thought) ON t.embedding_a
WITH [t.namespace, t.session_id, t.chain_id, t.origin, t.trust, t.author, t.mode, t.thought_type, t.confidence,
      t.created_at, t.is_private, t.hot, t.found_until, t.action_id, t.previous_thought_id, t.revises_thought,
      t.branch_from, t.parent_id]
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimensions,
  `vector.similarity_function`: 'COSINE',
  `vector.quantization.enabled`: false,
  `vector.default_search_expansion_factor`: 10.0
}}
