// Reads a session's chain in step order after one step, its branches beside each other, for verification: streamed, since the index thought_steps has
// the order. targets holds the ids that the relationships lead to, for comparison with the immutable id properties; a
// target of another namespace or label has the id ''. waiting holds the links that wait for their target; overdue are those
// whose target exists and may be read in the session. restored has the step that this one
// redacted, if it has a text. Steps that are no integers are read by read_outside.
:param namespace => 'default';
:param session_id => 'try';
:param after => -1;
CYPHER 25
MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, step_index)
WHERE t.namespace = $namespace AND t.session_id = $session_id AND $after < t.step_index < 2147483648
  AND t.step_index IS :: INTEGER NOT NULL
WITH t ORDER BY t.namespace, t.session_id, t.step_index, t.id
RETURN
  t {
    // part: members(VERIFIED)
    .origin, .door, .by, .mode, .submode, .thought_type, .author, .tags, .confidence, .significance, .hypothesis,
    .is_private, .session_id, .chain_id, .context_id, .action_id, .previous_thought_id, .revises_thought,
    .branch_from, .parent_id, .step_index, .created_at, .recorded_at, .expires_at, .redacts, .redacted_at,
    .redacted_reason, .content_hash, .prev_hash, .chain_hash, .hash_version, .key_id, .id, .namespace, .content,
    .content_digest, .hypothesis_digest, .salt, .hash_alg,
    // end of part
    .chained
  } AS thought,
  {
    previous_thought_id: [(t)-[:FOLLOWS]->(x) | CASE WHEN x:Thought AND x.namespace = $namespace THEN x.id ELSE '' END],
    revises_thought: [(t)-[:REVISES]->(x) | CASE WHEN x:Thought AND x.namespace = $namespace THEN x.id ELSE '' END],
    branch_from: [(t)-[:BRANCHES_FROM]->(x) | CASE WHEN x:Thought AND x.namespace = $namespace THEN x.id ELSE '' END],
    parent_id: [(t)-[:CHILD_OF]->(x) | CASE WHEN x:Thought AND x.namespace = $namespace THEN x.id ELSE '' END],
    action_id: [(t)-[:FOR_ACTION]->(x) | CASE WHEN x:Action AND x.namespace = $namespace THEN x.id ELSE '' END]
  } AS targets,
  [(t)-[w:AWAITS]->(p) | {
    type: w.type,
    id: CASE WHEN p:Pending AND p.namespace = $namespace THEN p.id ELSE '' END,
    overdue: EXISTS {
      (x:Thought {id: p.id, namespace: $namespace})
      WHERE CASE x.is_private WHEN false THEN true ELSE x.session_id = $session_id END  // part: permitted(x, $session_id)
    }
  }] AS waiting,
  EXISTS { (t)-[:IN_SESSION]->(:Session {namespace: $namespace, id: $session_id}) } AND COUNT { (t)-[:IN_SESSION]->() } = 1 AS in_session,
  COLLECT {
    MATCH (x:Thought {id: t.redacts, namespace: $namespace, session_id: $session_id})
    WHERE x.content IS NOT NULL OR x.salt IS NOT NULL OR x.hypothesis IS NOT NULL
    RETURN
      CASE WHEN x.step_index IS :: INTEGER AND x.step_index < 2147483648 THEN x.step_index END  // part: step(x)
  } AS restored
