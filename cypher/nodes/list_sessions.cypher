// Lists the ids of the sessions of a namespace in order, also of those that are known only from their thoughts. As in
// list_namespaces, the thoughts of a session are not read.
:param namespace => 'default';
:param after => '';
:param take => 10;
CYPHER 25
RETURN reduce(found = [$after], number IN range(1, $take) | found + COLLECT {
  CALL (found) {
    MATCH (s:Session) USING INDEX SEEK s:Session(namespace, id)
    WHERE s.namespace = $namespace AND s.id > found[-1]
    RETURN s.id AS name ORDER BY s.namespace, s.id LIMIT 1
    UNION ALL
    MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id)
    WHERE t.namespace = $namespace AND t.session_id > found[-1]
    RETURN t.session_id AS name ORDER BY t.namespace, t.session_id LIMIT 1
  }
  RETURN name ORDER BY name LIMIT 1
})[1..] AS names
