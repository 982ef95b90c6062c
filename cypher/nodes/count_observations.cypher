// Counts for each of several entities the facts that nodes/read_observations reads.
:param ids => ['entity-1'];
:param namespace => 'default';
:param as_of => datetime();
:param history => false;
CYPHER 25
UNWIND $ids AS of
RETURN of AS id, COUNT {
  MATCH (:Entity {id: of, namespace: $namespace})<-[:ABOUT]-(o:Observation)
  WHERE
    // part: fact_of(o)
    o.namespace = $namespace
    AND ($history OR
      o.valid_from <= $as_of AND o.valid_to > $as_of  // part: valid_at(o, $as_of)
    )
    // end of part
} AS count
