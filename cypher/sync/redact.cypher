// Redacts what a verified step of the same session redacts, and remembers it for a text that comes later. Of several
// redactions of one thought the earliest counts at every home; rows are in falling order of time.
:param namespace => 'default';
:param rows => [{id: 'thought-1', session_id: 'try', redacted_at: datetime(), redacted_reason: 'asked for'}];
CYPHER 25
UNWIND $rows AS row
MERGE (removed:Removed {namespace: $namespace, id: row.id})
FOREACH (first IN CASE WHEN coalesce(row.redacted_at < removed.removed_at, true) THEN [removed] ELSE [] END |
  SET first.removed_at = row.redacted_at, first.reason = row.redacted_reason, first.session_id = row.session_id)
WITH row
MATCH (t:Thought {id: row.id}) WHERE t.namespace = $namespace AND (t.content IS NOT NULL OR row.redacted_at < t.redacted_at)
  AND coalesce(t.session_id, '') = coalesce(row.session_id, '')
SET t.redacted_at = row.redacted_at, t.redacted_reason = row.redacted_reason, t.title = '(redacted)'
// part: erased(t)
REMOVE t.content, t.salt, t.hypothesis, t.embedding_a, t.embedding_b, t.framework_analysis,
       t.error_signature, t.other_forms, t.playbook, t.standing, t.embedding_deferred, t.mentions_deferred
FOREACH (mention IN [(t)-[m:MENTIONS]->() | m] | DELETE mention)
FOREACH (link IN [(t)-[r:ASSOCIATES|REFERENCES|DEPENDS_ON|REINFORCES|CONTRADICTS|SOLVES]-() WHERE r.note IS NOT NULL | r] | REMOVE link.note)
// end of part
RETURN t.id AS id
