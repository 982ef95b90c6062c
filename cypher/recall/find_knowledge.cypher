// Finds the entities and observations that a text may bring to mind: the nearest by meaning, and with $text_limit above
// 0 those that share its words. Only what is true at $moment is found.
//
// candidates: features of each, as in ranking.features.KnowledgeFeatures, nearest first. nearest and ends: as in find_thoughts.
:param namespace => 'default';
:param kinds => ['entity', 'observation'];
:param moment => datetime();
:param vector => [x IN range(1, 384) | 0.1];
:param text_query => 'retry';
:param index_limit => 10;
:param text_limit => 0;
:param pool => 10;
CYPHER 25
// In: the parameters. Out: nearest, [node, cosine, null] by meaning, nearest first.
CALL () {
  MATCH (n:Entity|Observation)
    SEARCH n IN (
      VECTOR INDEX knowledge_embedding_a FOR $vector
      WHERE n.namespace = $namespace AND n.kind IN $kinds
        AND n.valid_from <= $moment AND n.valid_to > $moment  // part: valid_at(n, $moment)
      LIMIT $index_limit
    ) SCORE AS score
  WITH n, 2 * score - 1 AS cosine ORDER BY cosine DESC, n.id
  RETURN collect([n, cosine, null]) AS nearest
}
// In: the parameters. Out: by_words, at most $pool of [node, null, score].
CALL () {
  WITH 1 AS one WHERE $text_limit > 0
  CALL db.index.fulltext.queryNodes('knowledge_text', $text_query, {limit: $text_limit}) YIELD node AS n, score
  WITH n, score
  WHERE n.namespace = $namespace AND n.kind IN $kinds
    AND n.valid_from <= $moment AND n.valid_to > $moment  // part: valid_at(n, $moment)
  WITH n, score LIMIT $pool
  RETURN collect([n, null, score]) AS by_words
}
// In: nearest and by_words. Out: candidates, as returned.
CALL (nearest, by_words) {
  UNWIND nearest[..$pool] + by_words AS found
  WITH found[0] AS n, max(found[1]) AS near, max(found[2]) AS text_score
  WITH n, coalesce(near, 2 * vector.similarity.cosine(n.embedding_a, $vector) - 1, 0.0) AS cosine, text_score
  ORDER BY cosine DESC, n.id
  RETURN collect([
    // part: knowledge_features(n, cosine, text_score)
    n.id, cosine, text_score,
    left(toStringOrNull(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END), 2000),
    size(toStringOrNull(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END)),
    CASE WHEN n:Entity THEN 'entity' ELSE 'observation' END, n.name, n.entity_type, n.fact_key,
    CASE WHEN n.recorded_at IS :: ZONED DATETIME THEN n.recorded_at.epochSeconds * 1000000 + n.recorded_at.microsecond END,
    n.mass, EXISTS { (n)<-[:REVISES|CONTRADICTS]-() }
    // end of part
  ]) AS candidates
}
RETURN candidates, [one IN nearest | [one[0].id, one[1]]] AS nearest,
  CASE WHEN size(nearest) = $index_limit THEN [nearest[-1][1]] ELSE [] END AS ends,
  EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
