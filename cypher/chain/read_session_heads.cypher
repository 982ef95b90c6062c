// Reads the head of every session of a namespace, to anchor them: streamed in the order of the index.
:param namespace => 'default';
CYPHER 25
MATCH (s:Session) USING INDEX SEEK s:Session(namespace, id)
WHERE s.namespace = $namespace AND s.id IS NOT NULL
RETURN s.id AS session_id, s.head_hash AS head_hash, s.head_step AS head_step, s.head_key_id AS head_key_id
ORDER BY s.namespace, s.id
