// Removes a thought's content, hypothesis and salt, and every copy of them: caption, vector, analysis, error, and what
// other thoughts quoted when they recalled it. The digests stay, so the chain still verifies. So do the thought's place,
// its links and its times. A hypothesis of version 1 stays, since its record contains it.
// $steps holds the step that records the redaction in the session's chain, hashed after the head that lock_head.cypher
// has locked; it is empty for a thought without a session. A thought that is redacted already gets no further step.
:param id => 'thought-1';
:param namespace => 'default';
:param reason => 'asked for';
:param now => datetime();
:param steps => [{id: randomUUID(), namespace: 'default', session_id: 'try', content: 'Redacted thought-1: asked for', step_index: 1, chain_hash: 'hash', previous_thought_id: 'thought-1', is_private: false}];
CYPHER 25
MATCH (t:Thought {id: $id}) WHERE t.namespace = $namespace
SET t.lock = 0
WITH t, t.redacted_at IS NULL AS fresh, CASE WHEN t.content IS :: STRING NOT NULL THEN left(t.content, 200) END AS quoted
CALL (t, quoted, fresh) {
  WITH * WHERE fresh
  MATCH (t)<-[:RECALLS]-(by:Thought) WHERE by.enriched_content CONTAINS quoted
  SET by.enriched_content = replace(by.enriched_content, quoted, '(redacted)')
}
FOREACH (_ IN CASE WHEN fresh THEN [1] ELSE [] END |
  SET t.redacted_at = $now, t.redacted_reason = $reason, t.title = '(redacted)',
      t.hypothesis = CASE WHEN t.hash_version >= 2 THEN null ELSE t.hypothesis END
  REMOVE t.content, t.salt, t.enriched_content, t.embedding_a, t.embedding_b, t.framework_analysis,
         t.error_signature, t.playbook, t.standing, t.embedding_deferred)
// In: $steps. Out: nothing; stores the session's last step.
CALL (fresh) {
  UNWIND $steps AS new
  WITH new WHERE fresh
  MATCH (session:Session {namespace: $namespace, id: new.session_id})
  CREATE (step:Thought)-[:IN_SESSION]->(session)
  SET step = new, session.head_hash = step.chain_hash, session.head_step = step.step_index,
      session.head_id = step.id, session.head_key_id = step.key_id,
      session.has_private = coalesce(session.has_private, false) OR step.is_private
  WITH step
  MATCH (previous:Thought {id: step.previous_thought_id}) WHERE previous.namespace = step.namespace
  CREATE (step)-[:FOLLOWS]->(previous)
}
RETURN fresh, t.redacted_at AS redacted_at
