// Reads for each of several thoughts a page of what it recalled, in the order of the ranks, with the scores of then. A
// few memories are recalled by many thoughts, so only their ids are returned. A private memory is returned in its own
// session only. A recall made by hand may have no rank.
:param ids => ['thought-1'];
:param namespace => 'default';
:param own_session => '';
:param after => [-1, ''];
:param take => 10;
CYPHER 25
UNWIND $ids AS of
CALL (of) {
  MATCH (t:Thought {id: of, namespace: $namespace})-[r:RECALLS]->(m:Thought|Entity|Observation)
  WHERE m.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND (m.is_private = false OR m.session_id = $own_session OR NOT m:Thought) AND coalesce(m.found_until > datetime(), true)  // part: visible_node(m)
  WITH r, m, coalesce(toIntegerOrNull(r.rank), 0) AS rank
  WITH r, m, rank WHERE [rank, m.id] > $after
  WITH r, m, rank ORDER BY rank, m.id LIMIT $take
  RETURN collect({id: m.id, rank: rank, position: [rank, m.id], recall: properties(r)}) AS items
}
RETURN of AS id, items
