// Reads for each of several thoughts a page of what it recalled, in the order of the ranks, with the scores of then.
// A private memory is read in its own session only. A recall made by hand may have no rank.
:param ids => ['thought-1'];
:param namespace => 'default';
:param own_session => '';
:param after => [-1, ''];
:param take => 10;
CYPHER 25
UNWIND $ids AS of
CALL (of) {
  MATCH (t:Thought {id: of, namespace: $namespace})-[r:RECALLS]->(m:Thought|Entity|Observation)
  WHERE m.namespace = $namespace
    AND (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
    AND (m.is_private = false OR m.session_id = $own_session OR NOT m:Thought)  // part: visible_node(m)
  WITH r, m, coalesce(toIntegerOrNull(r.rank), 0) AS rank
  WITH r, m, rank WHERE [rank, m.id] > $after
  WITH r, m, rank ORDER BY rank, m.id LIMIT $take
  RETURN collect(r {
    .score, .cosine, .similarity, .recency, .salience, .access, .contradiction, .via, rank: rank,
    position: [rank, m.id],
    // part: node(m)
    node: CASE
      WHEN m:Thought THEN m {
        .id, kind: 'thought', content: toStringOrNull(m.content),
        .title, .mode, .submode, .thought_type, .author, .origin, .tags, .confidence, .significance, .salience, .hypothesis,
        .is_private, .pinned, .hot, .standing, .session_id, .chain_id, .context_id, .action_id, .previous_thought_id,
        .revises_thought, .branch_from, .parent_id, .access_count, .last_accessed, .outcome_score, .mass, .community_label,
        .redacts, .redacted_at, .redacted_reason, .content_hash, .prev_hash, .chain_hash, .hash_version, .key_id,
        step_index: CASE WHEN m.step_index IS :: INTEGER THEN m.step_index END,  // part: step(m)
        outside_chain: CASE WHEN EXISTS { (m)-[:IN_SESSION]->() } THEN 1 ELSE 0 END <> CASE WHEN m.session_id IS NULL THEN 0 WHEN m.chain_hash IS NOT NULL AND m.step_index IS :: INTEGER NOT NULL AND m.step_index >= 0 THEN 1 ELSE -1 END,  // part: in_chain(m, <>)
        created_at: CASE WHEN m.created_at IS :: ZONED DATETIME THEN m.created_at END,  // part: zoned(m.created_at)
        recorded_at: CASE WHEN m.recorded_at IS :: ZONED DATETIME THEN m.recorded_at END  // part: zoned(m.recorded_at)
      }
      WHEN m:Entity THEN m {
        .id, kind: 'entity', .name, .entity_type, .aliases, description: toStringOrNull(m.description), .data,
        .valid_from, .valid_to, .recorded_at, .access_count, .mass, .community_label
      }
      WHEN m:Observation THEN m {
        .id, kind: 'observation', content: toStringOrNull(m.content), .source, .valid_from, .valid_to, .recorded_at,
        .access_count, .mass, .community_label,
        entity_id: [(m)-[:ABOUT]->(about:Entity) WHERE about.namespace = $namespace | about.id][0],
        learned_from: [(m)-[:LEARNED_FROM]->(source:Thought) WHERE source.namespace = $namespace | source.id],
        supersedes: [(m)-[:REVISES]->(earlier:Observation) WHERE earlier.namespace = $namespace | earlier.id][0],
        superseded_by: [(m)<-[:REVISES]-(later:Observation) WHERE later.namespace = $namespace | later.id][0]
      }
    END
    // end of part
  }) AS items
}
RETURN of AS id, items
