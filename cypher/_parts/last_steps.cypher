// part: last_steps(s)
// The steps from the head of a session on: one, unless the head or the end of the chain was changed.
COLLECT {
  MATCH (last:Thought) USING INDEX last:Thought(namespace, session_id, step_index)
  WHERE last.namespace = {{s}}.namespace AND last.session_id = {{s}}.id AND last.step_index >= {{s}}.head_step
  RETURN last {.id, .step_index, .prev_hash, .content_hash, .chain_hash, .hash_alg, .key_id} LIMIT 2
}
