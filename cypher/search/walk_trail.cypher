// Everything that can be reached from one node over chosen relationships, nearest first, each node once.
// ANY SHORTEST keeps one path to each node, so cycles end and diamonds do not multiply. The namespace is checked
// on every hop: a trail never leaves it. Private thoughts are walked in their own session only.
CYPHER 25
OPTIONAL MATCH (start:Thought|Entity|Observation {id: $id, namespace: $namespace})
CALL (start) {
  WITH start WHERE start IS NOT NULL
  MATCH path = ANY SHORTEST (start)
    ((a)-[r:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF|RECALLS|REFERENCES|ASSOCIATES|DEPENDS_ON|REINFORCES|CONTRADICTS|SOLVES]-(b)
      WHERE type(r) IN $types AND b.namespace = $namespace
        AND ($direction = 'both' OR (startNode(r) = a) = ($direction = 'back'))
        AND (coalesce(b.is_private, false) = false OR b.session_id = start.session_id)
    ){1,100} (end)
  WHERE end <> start AND length(path) <= $depth
  WITH end, path, coalesce(last(relationships(path)).rank, 0) AS rank
  ORDER BY length(path), rank, end.created_at DESC, end.id SKIP $skip LIMIT $take
  RETURN collect({
    id: end.id,
    kind: toLower([x IN labels(end) WHERE x IN ['Thought', 'Entity', 'Observation']][0]),
    text: CASE WHEN end:Entity THEN end.name + coalesce(': ' + end.description, '') ELSE coalesce(end.content, '') END,
    depth: length(path), via: type(last(relationships(path))), reached_from: nodes(path)[-2].id,
    created_at: coalesce(end.created_at, end.recorded_at), author: end.author, mode: end.mode,
    session_id: end.session_id, step_index: end.step_index,
    score: last(relationships(path)).score, rank: last(relationships(path)).rank
  }) AS steps
}
RETURN start IS NOT NULL AS found, coalesce(steps, []) AS steps
