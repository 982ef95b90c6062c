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
  WHERE
    // part: fact_of(o)
    o.namespace = $namespace
    AND ($history OR
      o.valid_from <= $as_of AND o.valid_to > $as_of  // part: valid_at(o, $as_of)
    )
    // end of part
  WITH o, CASE WHEN o.valid_from IS :: ZONED DATETIME NOT NULL THEN [-o.valid_from.epochSeconds, -o.valid_from.nanosecond, o.id] ELSE [9223372036854775807, 0, o.id] END AS position
  WITH o, position WHERE position > $after
  WITH o, position ORDER BY position LIMIT $take
  RETURN collect({
    position: position,
    // part: node(o)
    node: CASE
      WHEN o:Thought THEN o {
        // part: members(ThoughtMembers)
        .title, .mode, .submode, .thought_type, .author, .origin, .tags, .confidence, .significance, .salience,
        .hypothesis, .verification_supports, .verification_contradicts, .is_private, .pinned, .hot, .standing,
        .session_id, .chain_id, .context_id, .action_id, .previous_thought_id, .revises_thought, .branch_from,
        .parent_id, .step_index, .created_at, .recorded_at, .expires_at, .access_count, .last_accessed,
        .outcome_score, .emotional_weight, .error_signature, .injection_scale, .mass, .redacts, .redacted_at,
        .redacted_reason, .content_hash, .prev_hash, .chain_hash, .hash_version, .key_id,
        // end of part
        .id, kind: 'thought', content: toStringOrNull(o.content),
        outside_chain: NOT coalesce(o.chained = true, o.session_id IS NULL)  // part: in_chain(o)
      }
      WHEN o:Entity THEN o {
        // part: members(EntityMembers)
        .id, .name, .entity_type, .aliases, .description, .valid_from, .valid_to, .recorded_at, .access_count, .mass,
        // end of part
        kind: 'entity', .data
      }
      WHEN o:Observation THEN o {
        // part: members(ObservationMembers)
        .source, .standing, .valid_from, .valid_to, .recorded_at, .access_count, .mass,
        // end of part
        .id, kind: 'observation', content: toStringOrNull(o.content),
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
