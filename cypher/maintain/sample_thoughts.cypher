// Samples thoughts that can be recalled, or $everything with a vector, with their vectors, in a time that does not grow with the graph. From each
// of $starts it takes the next thought in the order of ids. LegacyMind's own ids are random, so the sample is random.
// For other ids, and for a namespace that is a small part of its database, the newest thoughts are added. Without a
// namespace, all namespaces are sampled.
//
// The conditions come after the seek, because a seek with conditions could pass any number of thoughts. links are
// thoughts that a thought never recalls. A vector is returned as one value; a list of floats takes twenty times as
// long.
:param namespace => 'default';
:param starts => ['0', '8'];
:param sample_size => 10;
:param everything => false;
CYPHER 25
CALL () {
  UNWIND $starts AS start
  CALL (start) {
    MATCH (t:Thought) WHERE t.id >= start
    RETURN t ORDER BY t.id LIMIT 1
  }
  RETURN t, 0 AS turn
  UNION ALL
  MATCH (t:Thought) WHERE t.namespace = $namespace AND t.recorded_at > datetime({year: 1})
  RETURN t, 1 AS turn ORDER BY t.namespace DESC, t.recorded_at DESC LIMIT $sample_size
  UNION ALL
  WITH 1 AS turn WHERE $namespace IS NULL
  MATCH (t:Thought) WHERE t.id >= ''
  WITH t, turn ORDER BY t.id LIMIT $sample_size
  RETURN t, turn
}
WITH t, min(turn) AS turn
WHERE ($namespace IS NULL OR t.namespace = $namespace) AND t.embedding_a IS NOT NULL
  AND ($everything OR
    t.hot = true  // part: hot(t)
    AND t.is_private = false AND coalesce(t.found_until > datetime(), true)  // part: public(t)
  )
WITH t, turn ORDER BY turn, t.recorded_at DESC, t.id LIMIT $sample_size
WITH collect({
  id: t.id, namespace: t.namespace, vector: vector(t.embedding_a, size(t.embedding_a), FLOAT32),
  links: [x IN [t.previous_thought_id, t.revises_thought, t.branch_from, t.parent_id] WHERE x IS NOT NULL]
}) AS sample
RETURN sample, EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
