// Reads a page of the sessions of a namespace with their heads, in the order of their ids.
:param namespace => 'default';
:param after => '';
:param take => 100;
CYPHER 25
MATCH (s:Session) WHERE s.namespace = $namespace AND s.id > $after AND s.head_step >= 0
WITH s ORDER BY s.namespace, s.id LIMIT $take
RETURN s.id AS id, s.created_at AS created_at, s.head_id AS head_id, s.head_hash AS head_hash, s.head_step AS head_step,
  s.head_key_id AS head_key_id, s.branches AS branches
