// Entities and observations by their words alone, as they were known to be true at one moment. What is true is
// not in the index: where the best hits are mostly of other times or kinds, all that it has are asked. A tie at the
// end is read as in match_thoughts.
CYPHER 25
CALL () {
  CALL db.index.fulltext.queryNodes('knowledge_text', $text_query, {limit: $text_limit}) YIELD node AS n, score
  WITH score, n.kind IN $kinds AND n.valid_from <= $as_of AND n.valid_to > $as_of AS passes ORDER BY score DESC
  WITH count(score) AS seen, min(score) AS least, collect(CASE WHEN passes THEN score END) AS passed
  RETURN CASE
    WHEN seen < $text_limit OR passed[$take - 1] > least THEN $text_limit
    WHEN size(passed) = seen THEN $deep_limit
    ELSE $all_hits
  END AS reach
}
CALL (reach) {
  CALL db.index.fulltext.queryNodes('knowledge_text', $text_query, {limit: reach}) YIELD node AS n, score
  WITH n, score
  WHERE n.namespace = $namespace AND n.kind IN $kinds AND n.valid_from <= $as_of AND n.valid_to > $as_of
  RETURN n, score ORDER BY score DESC, n.id LIMIT $take
}
OPTIONAL MATCH (n)-[:ABOUT]->(about:Entity)
WITH n, score, head(collect(about.name)) AS entity ORDER BY score DESC, n.id
RETURN collect({
  id: n.id, kind: n.kind,
  text: left(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END, $text_length),
  score: score, created_at: n.recorded_at, entity: coalesce(n.name, entity), entity_type: n.entity_type,
  valid_from: n.valid_from, valid_to: n.valid_to
}) AS hits
