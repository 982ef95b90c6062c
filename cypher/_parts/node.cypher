// part: node(n)
// A node of any label with the properties that GraphQL shows, and the ids that its fields lead to. Null for no node.
node: CASE
  WHEN {{n}}:Thought THEN {{n}} {
    .id, kind: 'thought', content: toStringOrNull({{n}}.content),
    .title, .mode, .submode, .thought_type, .author, .origin, .tags, .confidence, .significance, .salience, .hypothesis,
    .is_private, .pinned, .hot, .standing, .session_id, .chain_id, .context_id, .action_id, .previous_thought_id,
    .revises_thought, .branch_from, .parent_id, .access_count, .last_accessed, .outcome_score, .mass, .community_label,
    .redacts, .redacted_at, .redacted_reason, .content_hash, .prev_hash, .chain_hash, .hash_version, .key_id,
    step_index: x,  // part: step({{n}})
    outside_chain: NOT x,  // part: in_chain({{n}})
    created_at: x,  // part: zoned({{n}}.created_at)
    recorded_at: x  // part: zoned({{n}}.recorded_at)
  }
  WHEN {{n}}:Entity THEN {{n}} {
    .id, kind: 'entity', .name, .entity_type, .aliases, description: toStringOrNull({{n}}.description), .data,
    .valid_from, .valid_to, .recorded_at, .access_count, .mass, .community_label
  }
  WHEN {{n}}:Observation THEN {{n}} {
    .id, kind: 'observation', content: toStringOrNull({{n}}.content), .source, .valid_from, .valid_to, .recorded_at,
    .access_count, .mass, .community_label,
    entity_id: [({{n}})-[:ABOUT]->(about:Entity) WHERE about.namespace = $namespace | about.id][0],
    learned_from: [({{n}})-[:LEARNED_FROM]->(source:Thought) WHERE source.namespace = $namespace | source.id],
    supersedes: [({{n}})-[:REVISES]->(earlier:Observation) WHERE earlier.namespace = $namespace | earlier.id][0],
    superseded_by: [({{n}})<-[:REVISES]-(later:Observation) WHERE later.namespace = $namespace | later.id][0]
  }
END
