// Removes the content, hypothesis and salt of thoughts of one session, or of none, with every copy of them: caption, vector, analysis,
// error; their MENTIONS, which tell of the text, and the notes of their links. The digests stay, so the chain still verifies. So do the
// thoughts' places, their links and their times.
// step of a row records the redaction in the session's chain, hashed after the head that lock_head.cypher has locked; it is null for a
// thought without a session. A thought without text gets no step: if one has been redacted meanwhile, nothing is written, and the caller
// reads again. redacted_at says nothing: anybody who writes to the database can set it.
:param namespace => 'default';
:param session_id => 'try';
:param reason => 'asked for';
:param rows => [{id: 'thought-1', at: datetime(), step: {id: randomUUID(), namespace: 'default', session_id: 'try', content: 'Redacted thought-1: asked for', step_index: 1, chain_hash: 'hash', previous_thought_id: 'thought-1', is_private: false}}];
CYPHER 25
UNWIND $rows AS row
MATCH (t:Thought {id: row.id}) WHERE t.namespace = $namespace
SET t.lock = 0
WITH row, t, t.content IS NOT NULL OR t.salt IS NOT NULL OR t.hypothesis IS NOT NULL AS fresh
WITH collect({row: row, t: t, fresh: fresh}) AS found
WITH all(one IN found WHERE one.fresh) AS fresh, found
// In: fresh, found. Out: nothing; removes the texts.
CALL (fresh, found) {
  UNWIND CASE WHEN fresh THEN found ELSE [] END AS one
  WITH one.t AS t, one.row AS row
  SET t.redacted_at = row.at, t.redacted_reason = $reason, t.title = '(redacted)'
  // part: erased(t)
  REMOVE t.content, t.salt, t.hypothesis, t.embedding_a, t.embedding_b, t.framework_analysis,
         t.error_signature, t.other_forms, t.playbook, t.standing, t.embedding_deferred, t.mentions_deferred
  FOREACH (mention IN [(t)-[m:MENTIONS]->() | m] | DELETE mention)
  FOREACH (link IN [(t)-[r:ASSOCIATES|REFERENCES|DEPENDS_ON|REINFORCES|CONTRADICTS|SOLVES]-() WHERE r.note IS NOT NULL | r] | REMOVE link.note)
  // end of part
  // part: changed(t)
  SET t.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [t.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    t.noted_at = datetime.realtime(), t.replica = null
  // end of part
}
// In: fresh. Out: nothing; stores the steps, the last of which becomes the head of the session.
CALL (fresh) {
  UNWIND CASE WHEN fresh THEN [row IN $rows WHERE row.step IS NOT NULL | row.step] ELSE [] END AS new
  MATCH (session:Session {namespace: $namespace, id: $session_id})
  CREATE (step:Thought)-[:IN_SESSION]->(session)
  SET step = new, step.stored_at = datetime.realtime()
  // part: changed(step)
  SET step.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [step.changed_at] | CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END),
    step.noted_at = datetime.realtime(), step.replica = null
  // end of part
  WITH session, step ORDER BY step.step_index
  WITH session, collect(step) AS steps
  FOREACH (last IN [steps[-1]] | SET session.head_hash = last.chain_hash, session.head_step = last.step_index,
    session.head_id = last.id, session.head_key_id = last.key_id,
    session.has_private = coalesce(session.has_private, false) OR any(step IN steps WHERE step.is_private))
  WITH steps
  UNWIND steps AS step
  MATCH (previous:Thought {id: step.previous_thought_id}) WHERE previous.namespace = step.namespace
  CREATE (step)-[:FOLLOWS]->(previous)
}
RETURN fresh
