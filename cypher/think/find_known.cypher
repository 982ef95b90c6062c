// Reads which of these ids are stored already: a repeated call answers them, and an import embeds only new thoughts.
:param ids => ['thought-1'];
CYPHER 25
UNWIND $ids AS id
MATCH (t:Thought {id: id})
RETURN t {
  .id, .namespace, .content, .mode, .submode, .is_private, .expires_at, .embedding_deferred, .session_id, .chain_id,
  .previous_thought_id, .revises_thought, .branch_from, .parent_id, .action_id, .confidence, .step_index, .content_hash,
  .prev_hash, .chain_hash, .injected_memories, .injected_scores, .pruned_at
} AS stored
