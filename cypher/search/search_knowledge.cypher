// Entities and observations by meaning, as they were known to be true at one moment.
CYPHER 25
CALL () {
  MATCH (n:Entity|Observation)
    SEARCH n IN (
      VECTOR INDEX knowledge_embedding_a FOR $vector
      WHERE n.namespace = $namespace AND n.kind IN $kinds AND n.valid_from <= $as_of AND n.valid_to > $as_of
      LIMIT $take
    ) SCORE AS similarity
  WITH n, 2 * similarity - 1 AS cosine
  WHERE cosine >= $min_similarity
  RETURN n, cosine ORDER BY cosine DESC, n.id SKIP $skip
}
OPTIONAL MATCH (n)-[:ABOUT]->(about:Entity)
WITH n, cosine, collect(about.name)[0] AS entity
RETURN collect({
  id: n.id, kind: n.kind,
  text: CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END,
  score: cosine, created_at: n.recorded_at, entity: coalesce(n.name, entity), entity_type: n.entity_type,
  valid_from: n.valid_from, valid_to: n.valid_to
}) AS hits
