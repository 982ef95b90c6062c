// Reads for each of several entities a page of the facts about it, the latest first. $as_of is the moment at which they
// must be valid; with $history, closed ones are read too.
:param ids => ['entity-1'];
:param namespace => 'default';
:param as_of => datetime();
:param history => false;
:param after => [-9223372036854775807, 0, ''];
:param take => 10;
CYPHER 25
UNWIND $ids AS of
CALL (of) {
  MATCH (:Entity {id: of, namespace: $namespace})<-[:ABOUT]-(o:Observation)
  WHERE o.namespace = $namespace
    AND ($history OR
      o.valid_from <= $as_of AND o.valid_to > $as_of  // part: valid_at(o, $as_of)
    )
  WITH o, CASE WHEN o.valid_from IS :: ZONED DATETIME NOT NULL THEN [-o.valid_from.epochSeconds, -o.valid_from.nanosecond, o.id] ELSE [9223372036854775807, 0, o.id] END AS position
  WITH o, position WHERE position > $after
  WITH o, position ORDER BY position LIMIT $take
  RETURN collect({
    position: position,
    // part: node(o)
    node: CASE
      WHEN o:Thought THEN o {
        .id, kind: 'thought', content: toStringOrNull(o.content),
        .title, .mode, .submode, .thought_type, .author, .origin, .tags, .confidence, .significance, .salience, .hypothesis,
        .is_private, .pinned, .hot, .standing, .session_id, .chain_id, .context_id, .action_id, .previous_thought_id,
        .revises_thought, .branch_from, .parent_id, .access_count, .last_accessed, .outcome_score, .mass, .community_label,
        .redacts, .redacted_at, .redacted_reason, .content_hash, .prev_hash, .chain_hash, .hash_version, .key_id,
        step_index: CASE WHEN o.step_index IS :: INTEGER THEN o.step_index END,  // part: step(o)
        outside_chain: NOT coalesce(o.chained = true, o.session_id IS NULL),  // part: in_chain(o)
        created_at: CASE WHEN o.created_at IS :: ZONED DATETIME THEN o.created_at END,  // part: zoned(o.created_at)
        recorded_at: CASE WHEN o.recorded_at IS :: ZONED DATETIME THEN o.recorded_at END  // part: zoned(o.recorded_at)
      }
      WHEN o:Entity THEN o {
        .id, kind: 'entity', .name, .entity_type, .aliases, description: toStringOrNull(o.description), .data,
        .valid_from, .valid_to, .recorded_at, .access_count, .mass, .community_label
      }
      WHEN o:Observation THEN o {
        .id, kind: 'observation', content: toStringOrNull(o.content), .source, .valid_from, .valid_to, .recorded_at,
        .access_count, .mass, .community_label,
        entity_id: [(o)-[:ABOUT]->(about:Entity) WHERE about.namespace = $namespace | about.id][0],
        learned_from: [(o)-[:LEARNED_FROM]->(source:Thought) WHERE source.namespace = $namespace | source.id],
        supersedes: [(o)-[:REVISES]->(earlier:Observation) WHERE earlier.namespace = $namespace | earlier.id][0],
        superseded_by: [(o)<-[:REVISES]-(later:Observation) WHERE later.namespace = $namespace | later.id][0]
      }
    END
    // end of part
  }) AS items
}
RETURN of AS id, items
