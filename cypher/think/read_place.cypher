// Reads of a thought what its redaction needs: its session, whether it is private, its text, and whether its community
// has a label. No row for a thought that does not exist.
:param id => 'thought-1';
:param namespace => 'default';
CYPHER 25
MATCH (t:Thought {id: $id}) WHERE t.namespace = $namespace
RETURN t.session_id AS session_id,
  coalesce(t.is_private <> false, true)  // part: private(t)
  AS is_private,
  toStringOrNull(t.content) AS content, t.community_label IS NOT NULL AS labelled
