// Counts for each of several entities the relations that nodes/read_relations reads.
:param ids => ['entity-1'];
:param namespace => 'default';
:param as_of => datetime();
:param history => false;
:param direction => 'both';
CYPHER 25
UNWIND $ids AS of
RETURN of AS id, COUNT {
  MATCH (e:Entity {id: of, namespace: $namespace})-[r]-(other)
  WHERE
    // part: relation_of(r, other)
    'Entity' IN labels(other) AND other.namespace = $namespace AND other.merged_at IS NULL
    AND ($history OR coalesce(
      r.valid_from <= $as_of AND r.valid_to > $as_of  // part: valid_at(r, $as_of)
      , true))
    // end of part
    AND ($direction = 'both' OR $direction = CASE WHEN startNode(r) = e THEN 'out' ELSE 'in' END)
} AS count
