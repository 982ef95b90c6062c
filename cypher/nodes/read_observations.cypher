// Reads for each of several entities a page of the facts about it, the latest first. $as_of is the moment at which they
// must be valid; with $history, closed ones are read too.
:param ids => ['entity-1'];
:param namespace => 'default';
:param as_of => datetime();
:param history => false;
:param after => [-9223372036854775807, 0, ''];
:param take => 10;
CYPHER 25
UNWIND $ids AS of
CALL (of) {
  MATCH (:Entity {id: of, namespace: $namespace})<-[:ABOUT]-(o:Observation)
  WHERE
    // part: fact_of(o)
    o.namespace = $namespace
    AND ($history OR
      o.valid_from <= $as_of AND o.valid_to > $as_of  // part: valid_at(o, $as_of)
    )
    // end of part
  WITH o, CASE WHEN o.valid_from IS :: ZONED DATETIME NOT NULL THEN [-o.valid_from.epochSeconds, -o.valid_from.nanosecond, o.id] ELSE [9223372036854775807, 0, o.id] END AS position
  WITH o, position WHERE position > $after
  WITH o, position ORDER BY position LIMIT $take
  RETURN collect({
    id: o.id, position: position
  }) AS items
}
RETURN of AS id, items
