// Reads a session's chain in step order after one step, for verification: streamed, since the index thought_steps has
// the order. targets holds the ids that the relationships lead to, for comparison with the immutable id properties;
// pending holds the links that still wait for their target.
:param namespace => 'default';
:param session_id => 'try';
:param after => -1;
CYPHER 25
MATCH (t:Thought)
WHERE t.namespace = $namespace AND t.session_id = $session_id AND t.step_index > $after
WITH t ORDER BY t.step_index
RETURN
  t {.id, .namespace, .session_id, .step_index, .thought_type, .mode, .origin, .author, .content, .salt,
     .content_digest, .tags, .confidence, .significance, .hypothesis, .created_at, .recorded_at,
     .previous_thought_id, .revises_thought, .branch_from, .parent_id, .action_id, .context_id,
     .hash_version, .hash_alg, .key_id, .content_hash, .chain_hash, .prev_hash} AS thought,
  {
    previous_thought_id: [(t)-[:FOLLOWS]->(x) | x.id],
    revises_thought: [(t)-[:REVISES]->(x) | x.id],
    branch_from: [(t)-[:BRANCHES_FROM]->(x) | x.id],
    parent_id: [(t)-[:CHILD_OF]->(x) | x.id],
    action_id: [(t)-[:FOR_ACTION]->(x) | x.id]
  } AS targets,
  [(t)-[:AWAITS]->(p) | p.id] AS pending,
  EXISTS { (t)-[:IN_SESSION]->(:Session {namespace: $namespace, id: $session_id}) } AS in_session
