// Projects the nodes of a namespace and the relationships among them, which have a weight, into the memory of GDS. $weights has
// a factor for each type of relationship. One that it lacks is left out, except that relations between entities have the factor
// of `relation` and similarities found by an algorithm that of `similar`. Without nodes there is no row.
:param graph => 'legacymind-sample';
:param namespace => 'default';
:param now => datetime();
:param weights => ({RECALLS: 1.0, ABOUT: 1.0, relation: 1.0, similar: 1.0});
:param undirected => ['*'];
CYPHER 25
// part: analysed_nodes()
CALL () {
  MATCH (n:Thought)
  WHERE n.namespace = $namespace AND n.recorded_at > datetime({year: 1})
    AND n.is_private = false AND coalesce(n.found_until > datetime(), true)  // part: public(n)
    AND n.content IS :: STRING NOT NULL  // part: not_redacted(n)
    AND (NOT n.id CONTAINS '::')  // part: whole(n)
    AND n.redacts IS NULL
  RETURN n
  UNION ALL
  MATCH (n:Entity)
  WHERE n.namespace = $namespace AND n.name_key >= '' AND n.type_key IS NOT NULL
    AND n.valid_from <= $now AND n.valid_to > $now  // part: valid_at(n, $now)
  RETURN n
  UNION ALL
  MATCH (n:Observation)
  WHERE n.namespace = $namespace AND n.entity_id >= '' AND n.fact_key IS NOT NULL
    AND n.valid_from <= $now AND n.valid_to > $now  // part: valid_at(n, $now)
  RETURN n
}
// end of part
OPTIONAL MATCH (n)-[r]->(m:Thought|Entity|Observation)
WHERE m.namespace = $namespace
  AND coalesce(
      r.valid_from <= $now AND r.valid_to > $now  // part: valid_at(r, $now)
      , true)
  AND CASE WHEN m:Thought THEN
      m.is_private = false AND coalesce(m.found_until > datetime(), true)  // part: public(m)
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
  {undirectedRelationshipTypes: $undirected}) AS projection
WITH projection WHERE projection IS NOT NULL
RETURN projection
