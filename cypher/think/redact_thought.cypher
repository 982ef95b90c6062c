// Removes a thought's content, hypothesis and salt, and every copy of them: caption, vector, analysis, error; and its
// MENTIONS, which tell of the text. The digests stay, so the chain still verifies. So do the thought's place, its links and
// its times.
// $steps holds the step that records the redaction in the session's chain, hashed after the head that lock_head.cypher
// has locked; it is empty for a thought without a session. A thought without text gets no further step. Its redacted_at
// says nothing: anybody who writes to the database can set it.
:param id => 'thought-1';
:param namespace => 'default';
:param reason => 'asked for';
:param now => datetime();
:param steps => [{id: randomUUID(), namespace: 'default', session_id: 'try', content: 'Redacted thought-1: asked for', step_index: 1, chain_hash: 'hash', previous_thought_id: 'thought-1', is_private: false}];
CYPHER 25
MATCH (t:Thought {id: $id}) WHERE t.namespace = $namespace
SET t.lock = 0
WITH t, t.content IS NOT NULL OR t.salt IS NOT NULL OR t.hypothesis IS NOT NULL AS fresh
FOREACH (_ IN CASE WHEN fresh THEN [1] ELSE [] END |
  SET t.redacted_at = $now, t.redacted_reason = $reason, t.title = '(redacted)'
  REMOVE t.content, t.salt, t.hypothesis, t.embedding_a, t.embedding_b, t.framework_analysis,
         t.error_signature, t.other_forms, t.playbook, t.standing, t.embedding_deferred, t.mentions_deferred)
FOREACH (mention IN CASE WHEN fresh THEN [(t)-[m:MENTIONS]->() | m] ELSE [] END | DELETE mention)
// In: $steps. Out: nothing; stores the session's last step.
CALL (fresh) {
  UNWIND $steps AS new
  WITH new WHERE fresh
  MATCH (session:Session {namespace: $namespace, id: new.session_id})
  CREATE (step:Thought)-[:IN_SESSION]->(session)
  SET step = new, step.stored_at = datetime.realtime(), session.head_hash = step.chain_hash, session.head_step = step.step_index,
      session.head_id = step.id, session.head_key_id = step.key_id,
      session.has_private = coalesce(session.has_private, false) OR step.is_private
  WITH step
  MATCH (previous:Thought {id: step.previous_thought_id}) WHERE previous.namespace = step.namespace
  CREATE (step)-[:FOLLOWS]->(previous)
}
RETURN fresh, t.redacted_at AS redacted_at
