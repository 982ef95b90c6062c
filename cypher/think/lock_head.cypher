// Locks a session and only then reads its chain head. Used after three mismatches of the expected head: with the lock
// held in an explicit transaction, store_thoughts.cypher cannot miss. MERGE alone takes no lock on a node that exists, and
// reading before the SET forks the chain.
:param namespace => 'default';
:param session_id => 'try';
:param genesis => 'genesis';
:param recorded_at => datetime();
CYPHER 25
MERGE (s:Session {namespace: $namespace, id: $session_id})
ON CREATE SET s.head_hash = $genesis, s.head_step = -1, s.created_at = $recorded_at
SET s.lock = 0
WITH s
RETURN s.head_hash AS hash, s.head_step AS step, s.head_id AS id, s.head_key_id AS key_id,
  // part: last_steps(s)
  COLLECT {
    MATCH (last:Thought) USING INDEX last:Thought(namespace, session_id, step_index)
    WHERE last.namespace = s.namespace AND last.session_id = s.id AND last.step_index >= s.head_step AND last.step_index <= CASE WHEN s.head_step < 2147483647 THEN s.head_step + 1 END
      AND (last.chain_hash = s.head_hash OR last.prev_hash = s.head_hash OR last.id = s.head_id)
    RETURN last {.id, .step_index, .prev_hash, .content_hash, .chain_hash, .hash_alg, .key_id} LIMIT 2
  }
  // end of part
  AS last
