// Samples entities and observations that are valid now, in the way sample_thoughts.cypher samples thoughts. For a
// namespace that is a small part of its database, the first entities by name and the first observations by entity are
// added. Half of the sample are entities and half observations; if there are too few of one kind, the other fills the
// sample. links are the thoughts that an observation was learned from.
:param namespace => 'default';
:param starts => ['0', '8'];
:param sample_size => 10;
:param now => datetime();
CYPHER 25
CALL () {
  UNWIND $starts AS start
  CALL (start) {
    MATCH (n:Entity) WHERE n.id >= start
    RETURN n ORDER BY n.id LIMIT 1
    UNION ALL
    MATCH (n:Observation) WHERE n.id >= start
    RETURN n ORDER BY n.id LIMIT 1
  }
  RETURN n, 0 AS turn
  UNION ALL
  MATCH (n:Entity) WHERE n.namespace = $namespace AND n.name_key >= '' AND n.type_key IS NOT NULL
  RETURN n, 1 AS turn ORDER BY n.namespace, n.name_key LIMIT $sample_size
  UNION ALL
  MATCH (n:Observation) WHERE n.namespace = $namespace AND n.entity_id >= '' AND n.fact_key IS NOT NULL
  RETURN n, 1 AS turn ORDER BY n.namespace, n.entity_id LIMIT $sample_size
}
WITH n, min(turn) AS turn
WHERE ($namespace IS NULL OR n.namespace = $namespace) AND n.embedding_a IS NOT NULL
  AND n.valid_from <= $now AND n.valid_to > $now  // part: valid_at(n, $now)
ORDER BY turn, n.id
WITH collect(CASE WHEN n:Entity THEN n END) AS entities, collect(CASE WHEN n:Observation THEN n END) AS observations
WITH entities, observations,
  CASE WHEN 2 * size(observations) < $sample_size THEN $sample_size - size(observations) ELSE ($sample_size + 1) / 2 END AS share
UNWIND (entities[..share] + observations)[..$sample_size] AS n
WITH collect({
  id: n.id, namespace: n.namespace, vector: vector(n.embedding_a, size(n.embedding_a), FLOAT32),
  links: COLLECT { MATCH (n)-[:LEARNED_FROM]->(t:Thought) RETURN t.id LIMIT 100 }
}) AS sample
RETURN sample, EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
