// Finds what memories and their revisions are related to. Hubs are bounded at sixteen neighbours.
// thoughts and knowledge: [features as in ranking.features, the id of the memory, the relationship's type, hops] of each.
:param namespace => 'default';
:param own_session => '';
:param before => datetime();
:param vector => [x IN range(1, 384) | 0.1];
:param ids => ['thought-1'];
:param types => ['ASSOCIATES', 'REFERENCES', 'CONTRADICTS'];
:param hops => 2;
CYPHER 25
// In: the parameters. Out: m, what is related to a memory; source, its id; type and hops, the way.
CALL () {
  UNWIND $ids AS source
  MATCH (origin:Thought|Entity|Observation {id: source})
  // In: one memory. Out: the neighbours of it and of its revisions.
  CALL (origin) {
    MATCH (origin)<-[:REVISES]-{0,8}(version)-[link:ASSOCIATES|REFERENCES|CONTRADICTS]-(neighbour)
    WHERE type(link) IN $types AND version.namespace = $namespace
      AND (version.is_private = false OR version.session_id = $own_session OR NOT version:Thought) AND coalesce(version.found_until > datetime(), true)  // part: visible_node(version)
    RETURN neighbour, type(link) AS type LIMIT 16
  }
  // In: one neighbour. Out: the neighbour and, with two hops, its own neighbours.
  CALL (neighbour, type) {
    RETURN neighbour AS m, 1 AS hops
    UNION ALL
    WITH * WHERE $hops > 1 AND type <> 'CONTRADICTS'
    MATCH (neighbour)-[:ASSOCIATES|REFERENCES]-(m)
    RETURN m, 2 AS hops LIMIT 16
  }
  WITH source, m, type, hops
  WHERE m.namespace = $namespace
    AND CASE WHEN m:Thought
      THEN m.created_at < $before
        AND m.hot = true  // part: hot(m)
        AND m.content IS :: STRING NOT NULL  // part: not_redacted(m)
        AND CASE m.is_private WHEN false THEN true ELSE m.session_id = $own_session END AND coalesce(m.found_until > datetime(), true)  // part: visible(m)
        AND coalesce(m.chained = true, m.session_id IS NULL)  // part: in_chain(m)
      ELSE
        m.valid_from <= $before AND m.valid_to > $before  // part: valid_at(m, $before)
      END
  RETURN DISTINCT source, m, type, hops
}
WITH source, m, type, hops, coalesce(2 * vector.similarity.cosine(m.embedding_a, $vector) - 1, 0.0) AS cosine
RETURN collect(CASE WHEN m:Thought THEN [
    [
      // part: thought_features(m, m, cosine)
      m.id, cosine, null, left(CASE WHEN m.content IS :: STRING THEN m.content END, 2000), size(CASE WHEN m.content IS :: STRING THEN m.content END),
      m.author, m.session_id, m.step_index,
      CASE WHEN m.created_at IS :: ZONED DATETIME THEN m.created_at.epochSeconds * 1000000 + m.created_at.microsecond END,
      coalesce(m.salience, m.significance), m.access_count,
      m.previous_thought_id, m.revises_thought, m.branch_from, m.parent_id, m.standing,
      coalesce(m.chained = true, m.session_id IS NULL),  // part: in_chain(m)
      EXISTS { (m)<-[:REVISES|SOLVES|CONTRADICTS]-() },
      m.mode, m.thought_type, m.chain_id, m.confidence, m.trust, m.origin, m.door
      // end of part
    ],
    source, type, hops
  ] END) AS thoughts,
  collect(CASE WHEN m:Entity OR m:Observation THEN [
    [
      // part: knowledge_features(m, cosine)
      m.id, cosine, null,
      left(toStringOrNull(CASE WHEN m:Entity THEN m.name + coalesce(': ' + m.description, '') ELSE m.content END), 2000),
      size(toStringOrNull(CASE WHEN m:Entity THEN m.name + coalesce(': ' + m.description, '') ELSE m.content END)),
      CASE WHEN m:Entity THEN 'entity' ELSE 'observation' END, m.name, m.entity_type, m.fact_key, m.entity_id,
      CASE WHEN m.recorded_at IS :: ZONED DATETIME THEN m.recorded_at.epochSeconds * 1000000 + m.recorded_at.microsecond END,
      false, EXISTS { (m)<-[:REVISES|CONTRADICTS]-() },
      m.valid_from.epochSeconds * 1000000 + m.valid_from.microsecond, m.valid_to.epochSeconds * 1000000 + m.valid_to.microsecond,
      m.standing, m.trust, m.origin, m.door, null
      // end of part
    ],
    source, type, hops
  ] END) AS knowledge
