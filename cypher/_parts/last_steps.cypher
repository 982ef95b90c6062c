// part: last_steps(s)
// The steps that have the head of a session or follow it: one, unless the head or the end of the chain was changed. Another
// branch has steps with these numbers too.
COLLECT {
  MATCH (last:Thought) USING INDEX last:Thought(namespace, session_id, step_index)
  WHERE last.namespace = {{s}}.namespace AND last.session_id = {{s}}.id AND last.step_index >= {{s}}.head_step AND last.step_index <= CASE WHEN {{s}}.head_step < 2147483647 THEN {{s}}.head_step + 1 END
    AND (last.chain_hash = {{s}}.head_hash OR last.prev_hash = {{s}}.head_hash OR last.id = {{s}}.head_id)
  RETURN last {.id, .step_index, .prev_hash, .content_hash, .chain_hash, .hash_alg, .key_id} LIMIT 2
}
