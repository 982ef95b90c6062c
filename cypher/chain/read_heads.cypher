// Reads every session of a namespace with its chain head, streamed in the order of their ids, to export the heads or
// to verify all chains. A session without a Session node, known only from its thoughts, has no head. While somebody appends,
// a head may come with values from before and from after: fits, if a step has it.
:param namespace => 'default';
:param after => '';
:param take => 100;
CYPHER 25
CALL () {
  MATCH (s:Session) WHERE s.namespace = $namespace AND s.id > $after
  WITH s ORDER BY s.namespace, s.id LIMIT $take
  WITH s.id AS session_id, s.head_hash AS head_hash, s.head_step AS head_step, s.head_key_id AS head_key_id
  RETURN session_id, head_hash, head_step, head_key_id, EXISTS {
    MATCH (t:Thought) USING INDEX t:Thought(namespace, session_id, step_index)
    WHERE t.namespace = $namespace AND t.session_id = session_id AND t.step_index = head_step AND t.chain_hash = head_hash
  } AS fits
  UNION
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id)
  WHERE t.namespace = $namespace AND t.session_id > $after
  // In the order of the index, as far as $take sessions; a later one cannot be on the page.
  WITH t ORDER BY t.namespace, t.session_id
  WITH DISTINCT t.namespace AS space, t.session_id AS session_id LIMIT $take
  WITH session_id
  WHERE NOT EXISTS { (:Session {namespace: $namespace, id: session_id}) }
  RETURN session_id, null AS head_hash, null AS head_step, null AS head_key_id, true AS fits
}
RETURN session_id, head_hash, head_step, head_key_id, fits ORDER BY session_id LIMIT $take
