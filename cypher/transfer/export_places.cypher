// Reads a page of the actions of a namespace, or of the places where links wait for thoughts, in the order of their ids, for
// an export.
:param namespace => 'default';
:param kind => 'action';
:param after => '';
:param take => 100;
CYPHER 25
CALL () {
  WITH * WHERE $kind = 'action'
  MATCH (n:Action) WHERE n.namespace = $namespace AND n.id > $after
  RETURN n ORDER BY n.namespace, n.id LIMIT $take
  UNION ALL
  WITH * WHERE $kind = 'pending'
  MATCH (n:Pending) WHERE n.namespace = $namespace AND n.id > $after
  RETURN n ORDER BY n.namespace, n.id LIMIT $take
}
RETURN n.id AS id, properties(n) AS properties
