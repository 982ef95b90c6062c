// part: projected(undirected)
// In: rows of n. Out: projection, the graph of these nodes and the relationships among them as GDS keeps it in memory; null
// without nodes. $weights has a factor for each type of relationship. One that it lacks is left out, except that relations
// between entities have the factor of `relation` and similarities found by an algorithm that of `similar`.
OPTIONAL MATCH (n)-[r]->(m:Thought|Entity|Observation)
WHERE m.namespace = $namespace
  AND coalesce(
      r.valid_from <= $now AND r.valid_to > $now  // part: valid_at(r, $now)
      , true)
  AND CASE WHEN m:Thought THEN
      m.is_private = false  // part: public(m)
      AND m.content IS :: STRING NOT NULL  // part: not_redacted(m)
      AND m.redacts IS NULL
    ELSE
      m.valid_from <= $now AND m.valid_to > $now  // part: valid_at(m, $now)
    END
WITH n, m, type(r) AS type, CASE type(r) WHEN 'RECALLS' THEN toFloatOrNull(r.score)
    WHEN 'ASSOCIATES' THEN toFloatOrNull(r.weight) WHEN 'REFERENCES' THEN toFloatOrNull(r.weight) WHEN 'DEPENDS_ON' THEN toFloatOrNull(r.weight)
  END AS strength, r.made_by = 'knn' AS similar
WITH n, m, coalesce(CASE WHEN similar THEN $weights['similar'] ELSE $weights[type] END,
    CASE WHEN n:Entity AND m:Entity THEN $weights['relation'] END, 0.0)
  * CASE WHEN strength < 0.05 THEN 0.05 ELSE coalesce(strength, 1.0) END AS weight
WITH n, CASE WHEN weight > 0 THEN m END AS m, weight
WITH gds.graph.project($graph, n, m, {relationshipType: 'LINK', relationshipProperties: {weight: weight}},
  {undirectedRelationshipTypes: {{undirected}}}) AS projection
WITH projection WHERE projection IS NOT NULL
