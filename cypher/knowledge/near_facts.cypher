// Finds, for facts that a call has just stored, the nearest open facts of the same entity that the call does not have: at
// most three, with a cosine of at least $least. The caller decides whether one of them is no longer true. Of an entity
// with more facts than $compared, some are not compared.
:param namespace => 'default';
:param ids => ['observation-1'];
:param moment => datetime();
:param least => 0.7;
:param compared => 2000;
CYPHER 25
UNWIND $ids AS id
MATCH (o:Observation {id: id})-[:ABOUT]->(e:Entity) WHERE o.namespace = $namespace AND o.embedding_a IS NOT NULL
// In: o, e. Out: near, its nearest facts, the nearest first.
CALL (o, e) {
  MATCH (e)<-[:ABOUT]-(other:Observation)
  WHERE NOT other.id IN $ids
    AND other.content IS :: STRING NOT NULL  // part: not_redacted(other)
    AND other.valid_from <= $moment AND other.valid_to > $moment  // part: valid_at(other, $moment)
    AND other.embedding_a IS NOT NULL
  WITH o, other LIMIT $compared
  WITH other, 2 * vector.similarity.cosine(o.embedding_a, other.embedding_a) - 1 AS cosine
  WHERE cosine >= $least
  ORDER BY cosine DESC, other.id LIMIT 3
  RETURN collect(other {.id, .content, .valid_from, .origin, .door, .trust}) AS near
}
RETURN o.id AS id, near
