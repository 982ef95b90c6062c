// Removes a thought's content and salt, and every copy of the content: caption, vector, analysis, error, and what
// other thoughts quoted when they recalled it. The digest stays, so the chain still verifies. So do the thought's
// place, its links and its times.
:param id => 'thought-1';
:param namespace => 'default';
:param reason => 'asked for';
:param now => datetime();
CYPHER 25
MATCH (t:Thought {id: $id}) WHERE t.namespace = $namespace
SET t.lock = 0
WITH t, t.redacted_at IS NULL AS fresh, left(t.content, 200) AS quoted
CALL (t, quoted, fresh) {
  WITH * WHERE fresh
  MATCH (t)<-[:RECALLS]-(by:Thought) WHERE by.enriched_content CONTAINS quoted
  SET by.enriched_content = replace(by.enriched_content, quoted, '(redacted)')
}
FOREACH (_ IN CASE WHEN fresh THEN [1] ELSE [] END |
  SET t.redacted_at = $now, t.redacted_reason = $reason, t.title = '(redacted)'
  REMOVE t.content, t.salt, t.enriched_content, t.embedding_a, t.embedding_b, t.framework_analysis,
         t.error_signature, t.playbook, t.embedding_deferred)
RETURN fresh, t.redacted_at AS redacted_at
