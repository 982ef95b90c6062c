// Reads of a thought what its redaction needs: its session, whether it is private, and its text with its digest.
// No row for a thought that does not exist, or that is private to another session.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
CYPHER 25
MATCH (t:Thought {id: $id}) WHERE t.namespace = $namespace
  AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: permitted(t)
RETURN t.session_id AS session_id,
  coalesce(t.is_private <> false, true)  // part: private(t)
  AS is_private,
  toStringOrNull(coalesce(t.content, t.hypothesis)) AS content, t.content_digest AS digest
