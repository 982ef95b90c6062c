// Redacts stored thoughts that a later step of their session redacts in an export. What quotes them was changed when they
// were redacted there.
:param namespace => 'default';
:param rows => [{id: 'thought-1', session_id: 'try', step_index: 4, redacted_at: datetime(), redacted_reason: 'asked for'}];
CYPHER 25
UNWIND $rows AS row
MATCH (t:Thought {id: row.id})
WHERE t.namespace = $namespace AND t.session_id = row.session_id AND t.step_index < row.step_index AND t.content IS NOT NULL
SET t.redacted_at = row.redacted_at, t.redacted_reason = row.redacted_reason, t.title = '(redacted)'
REMOVE t.content, t.salt, t.hypothesis, t.embedding_a, t.embedding_b, t.framework_analysis,
       t.error_signature, t.other_forms, t.playbook, t.standing, t.embedding_deferred, t.mentions_deferred
FOREACH (mention IN [(t)-[m:MENTIONS]->() | m] | DELETE mention)
RETURN t.id AS id
