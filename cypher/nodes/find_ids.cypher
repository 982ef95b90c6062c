// Finds the ids of the thoughts, entities and facts that begin with one of $beginnings, at most six of each. What the
// caller may not read does not exist. A section of a long thought is no result of its own.
:param beginnings => ['1b4e28ba'];
:param namespace => 'default';
:param own_session => '';
CYPHER 25
UNWIND $beginnings AS beginning
CALL (beginning) {
  MATCH (n:Thought) WHERE n.id STARTS WITH beginning
  RETURN n
  UNION ALL
  MATCH (n:Entity) WHERE n.id STARTS WITH beginning
  RETURN n
  UNION ALL
  MATCH (n:Observation) WHERE n.id STARTS WITH beginning
  RETURN n
}
WITH beginning, n
WHERE n.namespace = $namespace
  AND (NOT n.id CONTAINS '::')  // part: whole(n)
  AND (n.is_private = false OR n.session_id = $own_session OR NOT n:Thought) AND coalesce(n.found_until > datetime(), true)  // part: visible_node(n)
WITH beginning, n.id AS id ORDER BY id
RETURN beginning, collect(id)[..6] AS ids
