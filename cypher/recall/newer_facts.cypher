// Finds pairs of facts of one entity that say nearly the same, with a cosine of at least $least: the newer is the one that
// is true from a later time on, or was stored later. The newer comes first, unless the older is more trusted.
:param namespace => 'default';
:param ids => ['observation-1', 'observation-2'];
:param least => 0.8;
CYPHER 25
MATCH (o:Observation) WHERE o.id IN $ids AND o.namespace = $namespace AND o.embedding_a IS NOT NULL
WITH o ORDER BY o.valid_from DESC, o.recorded_at DESC, o.id
WITH o.entity_id AS entity, collect(o) AS facts
UNWIND range(0, size(facts) - 2) AS i
UNWIND range(i + 1, size(facts) - 1) AS j
WITH facts[i] AS newer, facts[j] AS older
WHERE 2 * vector.similarity.cosine(newer.embedding_a, older.embedding_a) - 1 >= $least
WITH newer, older, CASE
  WHEN
    coalesce(newer.trust, 2) >= coalesce(older.trust, 2)  // part: may_change(newer, older)
  THEN [newer.id, older.id] ELSE [older.id, newer.id] END AS pair
RETURN pair[0] AS first, pair[1] AS second
