// Reads a page of entities in the order of their names, each with the later entities that may be the same thing: those
// with the nearest vectors, and the next ones whose names begin alike. Types are compatible when they are equal or one
// has none. Each entity takes one search of the index and one range of names, whatever the number of entities. A pair is
// found from the one that comes first, so no page repeats it.
:param namespace => 'default';
:param type_key => null;
:param now => datetime();
:param neighbours => 10;
:param beginning => 4;
:param skip => 0;
:param take => 100;
CYPHER 25
CALL () {
  MATCH (e:Entity {namespace: $namespace}) WHERE e.name_key >= '' AND e.type_key >= ''
    AND e.valid_from <= $now AND e.valid_to > $now  // part: valid_at(e, $now)
    AND ($type_key IS NULL OR e.type_key = $type_key)
  RETURN e ORDER BY e.namespace, e.name_key, e.type_key SKIP $skip LIMIT $take
}
// In: e. Out: candidates, the later entities that may be the same.
CALL (e) {
  CALL (e) {
    WITH e WHERE e.embedding_a IS NOT NULL
    MATCH (n:Entity|Observation)
      SEARCH n IN (
        VECTOR INDEX knowledge_embedding_a FOR e.embedding_a
        WHERE n.namespace = $namespace AND n.kind = 'entity'
          AND n.valid_from <= $now AND n.valid_to > $now  // part: valid_at(n, $now)
        LIMIT $neighbours
      )
    RETURN n
    UNION
    // The condition on the beginning stands apart: in the range, it would make each one read all names that begin alike.
    MATCH (n:Entity {namespace: $namespace}) WHERE n.name_key >= e.name_key AND n.type_key >= ''
    WITH e, n ORDER BY n.namespace, n.name_key, n.type_key LIMIT $neighbours
    WHERE n.name_key STARTS WITH left(e.name_key, $beginning)
      AND n.valid_from <= $now AND n.valid_to > $now  // part: valid_at(n, $now)
    RETURN n
  }
  WITH e, n
  WHERE (n.name_key > e.name_key OR n.name_key = e.name_key AND n.type_key > e.type_key)
    AND (n.type_key = e.type_key OR n.type_key = '' OR e.type_key = '')
  RETURN collect([n {.id, .name, entity_type: coalesce(n.entity_type, '')},
    CASE WHEN e.embedding_a IS NULL OR n.embedding_a IS NULL THEN null
      ELSE 2 * vector.similarity.cosine(e.embedding_a, n.embedding_a) - 1 END
  ]) AS candidates
}
RETURN e {.id, .name, entity_type: coalesce(e.entity_type, '')} AS entity, candidates,
  EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
