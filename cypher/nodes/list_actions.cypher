// Lists the actions of a namespace in the order of their ids, along the index of their key.
:param namespace => 'default';
:param after => '';
:param take => 10;
CYPHER 25
MATCH (a:Action) USING INDEX SEEK a:Action(namespace, id)
WHERE a.namespace = $namespace AND a.id > $after
RETURN a.id AS id,
  CASE WHEN a.created_at IS :: ZONED DATETIME THEN a.created_at END  // part: zoned(a.created_at)
  AS created_at
ORDER BY a.namespace, a.id LIMIT $take
