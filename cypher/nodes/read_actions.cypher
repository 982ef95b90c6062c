// Reads actions by their ids, one row for each that exists.
:param ids => ['action-1'];
:param namespace => 'default';
CYPHER 25
UNWIND $ids AS id
MATCH (a:Action {namespace: $namespace, id: id})
RETURN a.id AS id,
  CASE WHEN a.created_at IS :: ZONED DATETIME THEN a.created_at END  // part: zoned(a.created_at)
  AS created_at
