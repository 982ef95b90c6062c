// Lists the ids of entities and facts in time, when there is no query. With $about, only these entities and the facts
// about them. $listed: 'true' lists what is true at $as_of, in the order in which it was stored; 'ended' what is no longer
// true, in the order in which it ended; 'changed' what was stored or ended between $since and $until, at its last change.
// A fact that another one replaced ended when that one was stored. Positions are as in list_thoughts, with -1 for the step.
:param namespace => 'default';
:param kinds => ['entity', 'observation'];
:param about => [];
:param listed => 'true';
:param as_of => datetime();
:param since => datetime('0001-01-01');
:param until => datetime('9999-12-31');
:param latest_first => true;
:param seconds => 253402300799;
:param nanoseconds => 0;
:param step => -1;
:param id => '~';
:param take => 10;
CYPHER 25
CALL () {
  WITH 1 AS one WHERE 'entity' IN $kinds
  MATCH (n:Entity) USING INDEX SEEK n:Entity(namespace, name)
  WHERE n.namespace = $namespace AND n.name >= '' AND n.merged_at IS NULL
  RETURN n
  UNION ALL
  WITH 1 AS one WHERE 'observation' IN $kinds AND $about = []
  MATCH (n:Observation) USING INDEX SEEK n:Observation(namespace, entity_id, fact_key)
  WHERE n.namespace = $namespace AND n.entity_id >= '' AND n.fact_key IS NOT NULL
  RETURN n
  UNION ALL
  WITH 1 AS one WHERE 'observation' IN $kinds
  UNWIND $about AS of
  MATCH (n:Observation) USING INDEX SEEK n:Observation(namespace, entity_id, fact_key)
  WHERE n.namespace = $namespace AND n.entity_id = of AND n.fact_key IS NOT NULL
  RETURN n
}
WITH n
WHERE ($about = [] OR coalesce(n.entity_id, n.id) IN $about)
  AND CASE WHEN $listed = 'true' THEN
      n.valid_from <= $as_of AND n.valid_to > $as_of  // part: valid_at(n, $as_of)
    ELSE n.quarantined_by IS NULL END
WITH n, CASE WHEN $listed <> 'true' AND n.valid_to <= $as_of
  THEN coalesce([(n)<-[r:REVISES]-(:Observation) | r.created_at][0], n.valid_to) END AS ended
WITH n, CASE WHEN $listed = 'ended' OR ended >= $since AND ended <= $until THEN ended ELSE n.recorded_at END AS at
WHERE at IS :: ZONED DATETIME NOT NULL AND at >= $since AND at <= $until
WITH n, at, [at.epochSeconds, at.nanosecond, -1, n.id] AS position
WHERE CASE WHEN $latest_first THEN position < [$seconds, $nanoseconds, $step, $id] ELSE position > [$seconds, $nanoseconds, $step, $id] END
RETURN n.id AS id, position
ORDER BY CASE WHEN $latest_first THEN at END DESC, CASE WHEN $latest_first THEN n.id END DESC, at, n.id LIMIT $take
