// Reads the head that a session's chain must end in. Always one row.
:param namespace => 'default';
:param session_id => 'try';
CYPHER 25
OPTIONAL MATCH (s:Session {namespace: $namespace, id: $session_id})
RETURN s.head_hash AS head_hash, s.head_step AS head_step, s.head_id AS head_id, s.head_key_id AS head_key_id
