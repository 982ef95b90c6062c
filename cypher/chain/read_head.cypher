// Reads the head that a session's chain must end in, and those of its other branches. Always one row. More than
// one Session has the id only if somebody removed the constraint.
:param namespace => 'default';
:param session_id => 'try';
CYPHER 25
OPTIONAL MATCH (s:Session {namespace: $namespace, id: $session_id})
WITH collect(s) AS sessions
WITH sessions[0] AS s, size(sessions) AS sessions
RETURN sessions, s.head_hash AS hash, s.head_step AS step, s.head_id AS id, s.head_key_id AS key_id,
  // part: last_steps(s)
  COLLECT {
    MATCH (last:Thought) USING INDEX last:Thought(namespace, session_id, step_index)
    WHERE last.namespace = s.namespace AND last.session_id = s.id AND last.step_index >= s.head_step AND last.step_index <= CASE WHEN s.head_step < 2147483647 THEN s.head_step + 1 END
      AND (last.chain_hash = s.head_hash OR last.prev_hash = s.head_hash OR last.id = s.head_id)
    RETURN last {.id, .step_index, .prev_hash, .content_hash, .chain_hash, .hash_alg, .key_id} LIMIT 2
  }
  // end of part
  AS last,
  CASE WHEN s.branches IS :: LIST<STRING NOT NULL> NOT NULL THEN s.branches ELSE [] END AS branches
