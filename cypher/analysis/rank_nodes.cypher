// Ranks the nodes of a namespace by PageRank: a node has mass when others with mass recall it, refer to it or are about it.
// Following in a session is no such endorsement, so $weights lacks FOLLOWS. Without nodes there is no row.
//
// The projection, the algorithm and the removal of the projection are one statement, so that a finished statement leaves
// nothing in the server's memory. drop_projections removes what a failed one left.
:param graph => 'legacymind-sample-rank';
:param namespace => 'default';
:param now => datetime();
:param weights => ({RECALLS: 1.0, REFERENCES: 1.0, DEPENDS_ON: 1.0, ASSOCIATES: 1.0, ABOUT: 1.0, relation: 1.0});
CYPHER 25
// part: analysed_nodes()
CALL () {
  MATCH (n:Thought)
  WHERE n.namespace = $namespace AND n.recorded_at > datetime({year: 1})
    AND n.is_private = false  // part: public(n)
    AND n.content IS :: STRING NOT NULL  // part: not_redacted(n)
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
// part: projected([])
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
  {undirectedRelationshipTypes: []}) AS projection
WITH projection WHERE projection IS NOT NULL
// end of part
CALL gds.pageRank.stream(projection.graphName, {relationshipWeightProperty: 'weight', maxIterations: 50, jobId: $graph}) YIELD nodeId, score
WITH projection, gds.util.asNode(nodeId) AS n, score
WITH projection, collect({id: n.id, mass: round(score, 4)}) AS ranked
CALL gds.graph.drop(projection.graphName, false) YIELD graphName
RETURN projection.relationshipCount AS relationships, ranked
