// Creates thoughts of an export as they were stored, hashes included, and moves the heads of their sessions, which
// lock_sessions.cypher has locked. So every chain verifies after every batch.
// What gets a vector still lacks that of the slot that is filled or kept beside this one or, if the database has switched
// meanwhile, that of the active one (maintain/begin_reembed).
:param namespace => 'default';
:param rows => [{properties: {id: randomUUID(), namespace: 'default', session_id: 'try', content: 'text', step_index: 0}, session: 'try', vector: null}];
:param heads => [{id: 'try', head_hash: 'hash', head_step: 0, head_id: 'thought-1', head_key_id: null, has_private: false}];
CYPHER 25
CALL () {
  UNWIND $heads AS head
  MATCH (s:Session {namespace: $namespace, id: head.id})
  SET s.importing = true, s.head_hash = head.head_hash, s.head_step = head.head_step, s.head_id = head.head_id,
      s.head_key_id = head.head_key_id, s.has_private = coalesce(s.has_private, false) OR head.has_private
}
OPTIONAL MATCH (database:LegacyMind {id: 'database'})
WITH CASE WHEN database.active_slot = 'embedding_a' THEN database.other_slot ELSE database.active_slot END AS beside
UNWIND $rows AS row
CREATE (t:Thought) SET t = row.properties, t.noted_at = datetime.realtime()
CALL (t, row, beside) {
  WITH t, beside, row.vector AS vector WHERE vector IS NOT NULL
  SET t.embedding_deferred = beside
  CALL db.create.setNodeVectorProperty(t, 'embedding_a', vector)
}
CALL (t, row) {
  WITH t, row WHERE row.session IS NOT NULL
  MERGE (s:Session {namespace: $namespace, id: row.session})
  CREATE (t)-[:IN_SESSION]->(s)
}
RETURN count(t) AS stored
