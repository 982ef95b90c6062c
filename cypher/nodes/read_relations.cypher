// Reads for each of several entities a page of its relations to others, by type, then by the name of the other entity.
// A relation that was created outside LegacyMind may have no time and no id: it is always valid, and the server's own id
// orders it. As in knowledge/read_entity, the label of the other end decides what is a relation.
:param ids => ['entity-1'];
:param namespace => 'default';
:param as_of => datetime();
:param history => false;
:param direction => 'both';
:param after => ['', '', ''];
:param take => 10;
CYPHER 25
UNWIND $ids AS of
CALL (of) {
  MATCH (e:Entity {id: of, namespace: $namespace})-[r]-(other)
  WHERE
    // part: relation_of(r, other)
    'Entity' IN labels(other) AND other.namespace = $namespace AND other.merged_at IS NULL
    AND ($history OR coalesce(
      r.valid_from <= $as_of AND r.valid_to > $as_of  // part: valid_at(r, $as_of)
      , true))
    // end of part
    AND ($direction = 'both' OR $direction = CASE WHEN startNode(r) = e THEN 'out' ELSE 'in' END)
  WITH e, r, other, [type(r), left(coalesce(toStringOrNull(other.name), ''), 100), coalesce(toStringOrNull(r.id), elementId(r))] AS position
  WITH e, r, other, position WHERE position > $after
  WITH e, r, other, position ORDER BY position LIMIT $take
  RETURN collect({
    type: type(r), direction: CASE WHEN startNode(r) = e THEN 'out' ELSE 'in' END, properties: properties(r),
    id: other.id, position: position
  }) AS items
}
RETURN of AS id, items
