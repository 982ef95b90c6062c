// Reads for each of several thoughts a page of its relations of some types to other nodes, in one direction or both, in
// the order of types: what `relate_thought`, an outcome, an analysis or the test of a hypothesis made, or the entities
// that its text names. Something private is returned in its own session only.
:param ids => ['thought-1'];
:param types => ['SOLVES', 'CONTRADICTS'];
:param direction => 'both';
:param namespace => 'default';
:param own_session => '';
:param after => ['', '', ''];
:param take => 10;
CYPHER 25
UNWIND $ids AS of
CALL (of) {
  MATCH (t:Thought {id: of, namespace: $namespace})-[r:ASSOCIATES|REFERENCES|DEPENDS_ON|REINFORCES|CONTRADICTS|SOLVES|MENTIONS]-(n:Thought|Entity|Observation)
  WHERE type(r) IN $types AND n.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND (n.is_private = false OR n.session_id = $own_session OR NOT n:Thought) AND coalesce(n.found_until > datetime(), true)  // part: visible_node(n)
    AND (NOT n.id CONTAINS '::')  // part: whole(n)
  WITH r, n.id AS id, type(r) AS type, CASE startNode(r) WHEN t THEN 'out' ELSE 'in' END AS direction
  WHERE $direction IN ['both', direction] AND [type, direction, id] > $after
  WITH r, id, type, direction ORDER BY type, direction, id LIMIT $take
  RETURN collect({
    id: id, type: type, direction: direction, weight: toFloatOrNull(r.weight), note: toStringOrNull(r.note),
    position: [type, direction, id]
  }) AS items
}
RETURN of AS id, items
