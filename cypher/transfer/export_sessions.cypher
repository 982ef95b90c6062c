// Reads a page of the sessions of a namespace that have no steps, in the order of their ids, for an export. Those with steps
// are read with them.
:param namespace => 'default';
:param after => '';
:param take => 100;
CYPHER 25
MATCH (s:Session) WHERE s.namespace = $namespace AND s.id > $after
WITH s ORDER BY s.namespace, s.id LIMIT $take
RETURN s.id AS id, properties(s) AS properties,
  EXISTS {
    MATCH (t:Thought) USING INDEX t:Thought(namespace, session_id, step_index)
    WHERE t.namespace = $namespace AND t.session_id = s.id AND t.step_index IS :: INTEGER NOT NULL
  } AS has_steps
