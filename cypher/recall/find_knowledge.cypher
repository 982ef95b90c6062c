// Finds the entities and observations that a text may bring to mind: the nearest by meaning, with $text_limit above 0
// those that share its words, the facts about entities that it names, of which each has at most $most_facts, and at most
// $most_about of those about the entities $about. Only what is true at $moment is found.
//
// candidates: features of each, as in ranking.features.KnowledgeFeatures, nearest first. more: as in find_thoughts.
:param namespace => 'default';
:param kinds => ['entity', 'observation'];
:param moment => datetime();
:param vector => [x IN range(1, 384) | 0.1];
:param text_query => 'retry';
:param text_limit => 0;
:param pool => 10;
:param names => [{beginning: 'retry', keys: ['retry storm']}];
:param most_mentions => 50;
:param most_facts => 3;
:param about => [];
:param most_about => 1000;
:param reserved => 20;
:param share => 0.7;
CYPHER 25
// In: the parameters. Out: nearest, [node, cosine, null] by meaning, nearest first; none without a vector.
CALL () {
  WITH 1 AS one WHERE $vector IS NOT NULL
  MATCH (n:Entity|Observation)
    SEARCH n IN (
      VECTOR INDEX knowledge_embedding_a FOR $vector
      WHERE n.namespace = $namespace AND n.kind IN $kinds
        AND n.valid_from <= $moment AND n.valid_to > $moment  // part: valid_at(n, $moment)
      LIMIT $pool
    ) SCORE AS score
  WITH n, 2 * score - 1 AS cosine ORDER BY cosine DESC, n.id
  RETURN collect([n, cosine, null]) AS nearest
}
// In: nearest. Out: reserved, as in find_thoughts.
CALL (nearest) {
  WITH 1 AS one WHERE size(nearest) = $pool AND nearest[-1][1] >= $share * nearest[0][1] AND any(found IN nearest WHERE coalesce(found[0].trust, 2) < 3)
  MATCH (n:Entity|Observation)
    SEARCH n IN (
      VECTOR INDEX knowledge_embedding_a FOR $vector
      WHERE n.namespace = $namespace AND n.kind IN $kinds AND n.trust = 3
        AND n.valid_from <= $moment AND n.valid_to > $moment  // part: valid_at(n, $moment)
      LIMIT $reserved
    ) SCORE AS score
  WITH n, 2 * score - 1 AS cosine ORDER BY cosine DESC, n.id
  RETURN collect([n, cosine, null]) AS reserved
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
WITH nearest, reserved, by_words, {namespace: $namespace, names: $names} AS new
// part: named()
CALL (new) {
  UNWIND new.names AS possible
  // In: possible, keys of names with one beginning. Out: known, if the name of an entity has it. Few have: this saves half of the time.
  CALL (new, possible) {
    MATCH (e:Entity) USING INDEX e:Entity(namespace, name_key, type_key)
    WHERE e.namespace = new.namespace AND e.name_key STARTS WITH possible.beginning AND e.type_key IS NOT NULL
    RETURN true AS known LIMIT 1
  }
  UNWIND possible.keys AS key
  MATCH (e:Entity) USING INDEX e:Entity(namespace, name_key, type_key)
  WHERE e.namespace = new.namespace AND e.name_key = key AND e.type_key IS NOT NULL
  WITH DISTINCT
    coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
    AS e LIMIT $most_mentions
  RETURN collect(e) AS named
}
// end of part
// In: named, the entities. Out: by_name, the facts about those with few.
CALL (named) {
  UNWIND named AS e
  // In: e. Out: facts, not more than one too many.
  CALL (e) {
    MATCH (e)<-[:ABOUT]-(o:Observation)
    WHERE
      o.valid_from <= $moment AND o.valid_to > $moment  // part: valid_at(o, $moment)
    WITH o LIMIT $most_facts + 1
    RETURN collect(o) AS facts
  }
  WITH facts WHERE size(facts) <= $most_facts
  UNWIND facts AS o
  RETURN collect(DISTINCT o) AS by_name
}
// In: the parameters. Out: asked, the facts about the entities of $about, the latest first.
CALL () {
  UNWIND $about AS id
  // In: id, an entity. Out: its facts, the latest first, as many as a search reads.
  CALL (id) {
    MATCH (:Entity {id: id, namespace: $namespace})<-[:ABOUT]-(o:Observation)
    WHERE
      o.valid_from <= $moment AND o.valid_to > $moment  // part: valid_at(o, $moment)
    RETURN o ORDER BY o.valid_from DESC LIMIT $most_about
  }
  RETURN collect(o) AS asked
}
// In: nearest, reserved, by_words, by_name and asked. Out: candidates, as returned.
CALL (nearest, reserved, by_words, by_name, asked) {
  UNWIND nearest + reserved + by_words + [o IN by_name + asked | [o, null, null]] AS found
  WITH by_name, found[0] AS n, max(found[1]) AS near, max(found[2]) AS text_score
  WITH n, coalesce(near, 2 * vector.similarity.cosine(n.embedding_a, $vector) - 1, 0.0) AS cosine, text_score,
    n IN by_name AS named, [(n)-[:ABOUT]->(e:Entity) | [e.name, e.entity_type]][0] AS entity
  ORDER BY cosine DESC, n.id
  RETURN collect([
    // part: knowledge_features(n, cosine, text_score, named, entity)
    n.id, cosine, text_score,
    left(toStringOrNull(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END), 2000),
    size(toStringOrNull(CASE WHEN n:Entity THEN n.name + coalesce(': ' + n.description, '') ELSE n.content END)),
    CASE WHEN n:Entity THEN 'entity' ELSE 'observation' END, n.name, n.entity_type, n.fact_key, n.entity_id,
    CASE WHEN n.recorded_at IS :: ZONED DATETIME THEN n.recorded_at.epochSeconds * 1000000 + n.recorded_at.microsecond END,
    named, EXISTS { (n)<-[:REVISES|CONTRADICTS]-() },
    n.valid_from.epochSeconds * 1000000 + n.valid_from.microsecond, n.valid_to.epochSeconds * 1000000 + n.valid_to.microsecond,
    n.standing, n.trust, n.origin, n.door, entity
    // end of part
  ]) AS candidates
}
RETURN candidates, $pool IN [size(nearest), size(by_words)] AS more,
  EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
