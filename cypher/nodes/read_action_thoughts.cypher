// Reads for each of several actions a page of the thoughts that led to it, oldest first.
:param ids => ['action-1'];
:param namespace => 'default';
:param own_session => '';
:param seconds => -62135596800;
:param nanoseconds => 0;
:param step => -9223372036854775808;
:param id => '';
:param take => 10;
CYPHER 25
UNWIND $ids AS of
CALL (of) {
  MATCH (:Action {namespace: $namespace, id: of})<-[:FOR_ACTION]-(t:Thought)
  WHERE t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
    AND CASE WHEN t.created_at IS :: ZONED DATETIME NOT NULL THEN [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] END > [$seconds, $nanoseconds, $step, $id]  // part: after_position(t)
  WITH t ORDER BY t.created_at, t.step_index, t.id LIMIT $take
  RETURN collect({
    position: [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id],  // part: position(t)
    // part: node(t)
    node: CASE
      WHEN t:Thought THEN t {
        // part: members(ThoughtMembers)
        .title, .mode, .submode, .thought_type, .author, .origin, .tags, .confidence, .significance, .salience,
        .hypothesis, .verification_supports, .verification_contradicts, .is_private, .pinned, .hot, .standing,
        .session_id, .chain_id, .context_id, .action_id, .previous_thought_id, .revises_thought, .branch_from,
        .parent_id, .step_index, .created_at, .recorded_at, .expires_at, .access_count, .last_accessed,
        .outcome_score, .emotional_weight, .error_signature, .injection_scale, .mass, .redacts, .redacted_at,
        .redacted_reason, .content_hash, .prev_hash, .chain_hash, .hash_version, .key_id,
        // end of part
        .id, kind: 'thought', content: toStringOrNull(t.content),
        outside_chain: NOT coalesce(t.chained = true, t.session_id IS NULL)  // part: in_chain(t)
      }
      WHEN t:Entity THEN t {
        // part: members(EntityMembers)
        .id, .name, .entity_type, .aliases, .description, .valid_from, .valid_to, .recorded_at, .access_count, .mass,
        // end of part
        kind: 'entity', .data
      }
      WHEN t:Observation THEN t {
        // part: members(ObservationMembers)
        .source, .standing, .valid_from, .valid_to, .recorded_at, .access_count, .mass,
        // end of part
        .id, kind: 'observation', content: toStringOrNull(t.content),
        entity_id: [(t)-[:ABOUT]->(about:Entity) WHERE about.namespace = $namespace | about.id][0],
        learned_from: [(t)-[:LEARNED_FROM]->(source:Thought) WHERE source.namespace = $namespace | source.id],
        supersedes: [(t)-[:REVISES]->(earlier:Observation) WHERE earlier.namespace = $namespace | earlier.id][0],
        superseded_by: [(t)<-[:REVISES]-(later:Observation) WHERE later.namespace = $namespace | later.id][0]
      }
    END
    // end of part
  }) AS items
}
RETURN of AS id, items
