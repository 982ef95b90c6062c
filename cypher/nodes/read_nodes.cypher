// Reads thoughts, entities and observations by their ids, one row for each id. As in search/read_node, a private thought
// is read in its own session only, and the id of a merged node leads to the one that it was merged into.
:param ids => ['thought-1', 'entity-1'];
:param namespace => 'default';
:param own_session => '';
CYPHER 25
UNWIND $ids AS id
OPTIONAL MATCH (named:Thought|Entity|Observation {id: id, namespace: $namespace})
WHERE (named.is_private = false OR named.session_id = $own_session OR NOT named:Thought)  // part: visible_node(named)
WITH id,
  coalesce([(named)-[:MERGED_INTO]->(kept) | kept][0], named)  // part: kept(named)
  AS n
RETURN id, {
  // part: node(n)
  node: CASE
    WHEN n:Thought THEN n {
      .id, kind: 'thought', content: toStringOrNull(n.content),
      .title, .mode, .submode, .thought_type, .author, .origin, .tags, .confidence, .significance, .salience, .hypothesis,
      .is_private, .pinned, .hot, .standing, .session_id, .chain_id, .context_id, .action_id, .previous_thought_id,
      .revises_thought, .branch_from, .parent_id, .access_count, .last_accessed, .outcome_score, .mass, .community_label,
      .redacts, .redacted_at, .redacted_reason, .content_hash, .prev_hash, .chain_hash, .hash_version, .key_id,
      step_index: CASE WHEN n.step_index IS :: INTEGER THEN n.step_index END,  // part: step(n)
      outside_chain: NOT coalesce(n.chained = true, n.session_id IS NULL),  // part: in_chain(n)
      created_at: CASE WHEN n.created_at IS :: ZONED DATETIME THEN n.created_at END,  // part: zoned(n.created_at)
      recorded_at: CASE WHEN n.recorded_at IS :: ZONED DATETIME THEN n.recorded_at END  // part: zoned(n.recorded_at)
    }
    WHEN n:Entity THEN n {
      .id, kind: 'entity', .name, .entity_type, .aliases, description: toStringOrNull(n.description), .data,
      .valid_from, .valid_to, .recorded_at, .access_count, .mass, .community_label
    }
    WHEN n:Observation THEN n {
      .id, kind: 'observation', content: toStringOrNull(n.content), .source, .valid_from, .valid_to, .recorded_at,
      .access_count, .mass, .community_label,
      entity_id: [(n)-[:ABOUT]->(about:Entity) WHERE about.namespace = $namespace | about.id][0],
      learned_from: [(n)-[:LEARNED_FROM]->(source:Thought) WHERE source.namespace = $namespace | source.id],
      supersedes: [(n)-[:REVISES]->(earlier:Observation) WHERE earlier.namespace = $namespace | earlier.id][0],
      superseded_by: [(n)<-[:REVISES]-(later:Observation) WHERE later.namespace = $namespace | later.id][0]
    }
  END
  // end of part
} AS found
