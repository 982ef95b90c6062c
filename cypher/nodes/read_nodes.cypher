// Reads thoughts, entities and observations by their ids, one row for each id. As in search/read_node, a private thought
// is read in its own session only, and the id of a merged node leads to the one that it was merged into.
:param ids => ['thought-1', 'entity-1'];
:param namespace => 'default';
:param own_session => '';
CYPHER 25
UNWIND $ids AS id
OPTIONAL MATCH (named:Thought|Entity|Observation {id: id, namespace: $namespace})
WHERE (named.is_private = false OR named.session_id = $own_session OR NOT named:Thought) AND coalesce(named.expires_at > datetime(), true)  // part: visible_node(named)
WITH id,
  coalesce([(named)-[:MERGED_INTO]->(kept) | kept][0], named)  // part: kept(named)
  AS n
RETURN id, {
  // part: node(n)
  node: CASE
    WHEN n:Thought THEN n {
      // part: members(ThoughtMembers)
      .title, .mode, .submode, .thought_type, .author, .origin, .tags, .confidence, .significance, .salience,
      .hypothesis, .verification_supports, .verification_contradicts, .is_private, .pinned, .hot, .standing,
      .session_id, .chain_id, .context_id, .action_id, .previous_thought_id, .revises_thought, .branch_from,
      .parent_id, .step_index, .created_at, .recorded_at, .expires_at, .access_count, .last_accessed,
      .outcome_score, .emotional_weight, .error_signature, .injection_scale, .mass, .redacts, .redacted_at,
      .redacted_reason, .content_hash, .prev_hash, .chain_hash, .hash_version, .key_id,
      // end of part
      .id, kind: 'thought', content: toStringOrNull(n.content),
      outside_chain: NOT coalesce(n.chained = true, n.session_id IS NULL)  // part: in_chain(n)
    }
    WHEN n:Entity THEN n {
      // part: members(EntityMembers)
      .id, .name, .entity_type, .aliases, .description, .valid_from, .valid_to, .recorded_at, .access_count, .mass,
      // end of part
      kind: 'entity', .data
    }
    WHEN n:Observation THEN n {
      // part: members(ObservationMembers)
      .source, .standing, .valid_from, .valid_to, .recorded_at, .access_count, .mass,
      // end of part
      .id, kind: 'observation', content: toStringOrNull(n.content),
      entity_id: [(n)-[:ABOUT]->(about:Entity) WHERE about.namespace = $namespace | about.id][0],
      learned_from: [(n)-[:LEARNED_FROM]->(source:Thought) WHERE source.namespace = $namespace | source.id],
      supersedes: [(n)-[:REVISES]->(earlier:Observation) WHERE earlier.namespace = $namespace | earlier.id][0],
      superseded_by: [(n)<-[:REVISES]-(later:Observation) WHERE later.namespace = $namespace | later.id][0]
    }
  END
  // end of part
} AS found
