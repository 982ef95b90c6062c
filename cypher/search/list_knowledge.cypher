// Lists the ids of the entities and facts that are true at $as_of, in the order in which they were stored, when there is
// no query. With $about, only these entities and the facts about them. Positions are as in list_thoughts, with -1 for the step.
:param namespace => 'default';
:param kinds => ['entity', 'observation'];
:param about => [];
:param as_of => datetime();
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
  WITH 1 AS one WHERE 'observation' IN $kinds
  MATCH (n:Observation) USING INDEX SEEK n:Observation(namespace, entity_id, fact_key)
  WHERE n.namespace = $namespace AND n.entity_id >= '' AND n.fact_key IS NOT NULL
  RETURN n
}
WITH n
WHERE n.recorded_at IS :: ZONED DATETIME NOT NULL
  AND n.valid_from <= $as_of AND n.valid_to > $as_of  // part: valid_at(n, $as_of)
  AND ($about = [] OR coalesce(n.entity_id, n.id) IN $about)
WITH n, [n.recorded_at.epochSeconds, n.recorded_at.nanosecond, -1, n.id] AS position
WHERE CASE WHEN $latest_first THEN position < [$seconds, $nanoseconds, $step, $id] ELSE position > [$seconds, $nanoseconds, $step, $id] END
RETURN n.id AS id, position
ORDER BY CASE WHEN $latest_first THEN n.recorded_at END DESC, CASE WHEN $latest_first THEN n.id END DESC, n.recorded_at, n.id LIMIT $take
