// part: page_of_kind()
// In: d and the parameters. Out: rows of d and n, a page of one kind of node in the order of ids.
CALL () {
  WITH 1 AS one WHERE $kind = 'thought'
  MATCH (n:Thought) WHERE n.id > $after
  RETURN n ORDER BY n.id LIMIT $take
  UNION ALL
  WITH 1 AS one WHERE $kind = 'entity'
  MATCH (n:Entity) WHERE n.id > $after
  RETURN n ORDER BY n.id LIMIT $take
  UNION ALL
  WITH 1 AS one WHERE $kind = 'observation'
  MATCH (n:Observation) WHERE n.id > $after
  RETURN n ORDER BY n.id LIMIT $take
}
WITH d, n ORDER BY n.id
