// Reads the sessions of the newest thoughts of a namespace, but none with a long chain: a sample of chains to verify,
// whose cost does not grow with the graph. One whose head was changed is read.
:param namespace => 'default';
:param take => 10;
:param thoughts => 500;
:param longest => 1000;
CYPHER 25
MATCH (t:Thought) USING INDEX t:Thought(namespace, recorded_at)
WHERE t.namespace = $namespace AND t.recorded_at IS NOT NULL
WITH t ORDER BY t.namespace DESC, t.recorded_at DESC LIMIT $thoughts
WITH DISTINCT t.namespace AS namespace, t.session_id AS id
MATCH (s:Session {namespace: namespace, id: id}) WHERE coalesce(s.head_step < $longest, true)
RETURN s.id AS session_id LIMIT $take
