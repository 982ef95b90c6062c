// What a bad memory touched, nearest first, and by which way: as made, what was made from it (sections, revisions, summaries,
// facts that were learned from it, branches and children); as shown, thoughts that recalled it or what was made from it, of
// which pruning keeps the ids; as after, later steps of their sessions, and facts that were learned from them: plans and
// decisions may rest on it, also of sessions to which a call $exposed any of it; as changed, what it ended, solved or contradicts. source is the node before on the way.
:param id => 'thought-1';
:param namespace => 'default';
:param own_session => '';
:param exposed => [{id: 'thought-1', session: 'session-1', at: datetime('2026-01-01'), distance: 1}];
:param most => 1000;
CYPHER 25
MATCH (bad:Thought|Observation|Entity {id: $id, namespace: $namespace})
// In: bad. Out: made, everything made from it, itself included.
CALL (bad) {
  MATCH path = (bad) (()<-[r:REVISES|LEARNED_FROM|REFERENCES|CHILD_OF|BRANCHES_FROM|MERGED_INTO]-()
    WHERE type(r) <> 'REFERENCES' OR r.made_by = 'curator'){0,8} (x)
  WITH x, path ORDER BY length(path)
  WITH x, head(collect(path)) AS path LIMIT $most
  RETURN collect({node: x, distance: length(path), source: nodes(path)[-2].id, via: type(relationships(path)[-1])}) AS made
}
// In: made. Out: shown, the thoughts that recalled any of it.
OPTIONAL CALL (made) {
  UNWIND made AS m
  WITH m.node AS source, m.distance + 1 AS distance
  MATCH (q:Thought)-[r:RECALLS]->(source)
  RETURN q, distance, source.id AS source_id
  UNION
  UNWIND made AS m
  WITH m.node AS source, m.distance + 1 AS distance
  MATCH (q:Thought) USING INDEX q:Thought(namespace, recorded_at)
  WHERE q.namespace = $namespace AND q.recorded_at >= source.recorded_at AND source.id IN q.injected_memories
  RETURN q, distance, source.id AS source_id
}
WITH bad, made, q, distance, source_id ORDER BY distance
WITH bad, made, q, head(collect({distance: distance, source: source_id})) AS first LIMIT $most
WITH bad, made, [one IN collect({node: q, distance: first.distance, source: first.source, via: 'RECALLS'}) WHERE one.node IS NOT NULL] AS shown
// In: shown. Out: after, later steps of their sessions, and what was learned from them.
OPTIONAL CALL (shown) {
  UNWIND shown AS s
  WITH s.node AS q, s.distance + 1 AS distance
  MATCH (later:Thought) USING INDEX later:Thought(namespace, session_id, step_index)
  WHERE later.namespace = $namespace AND later.session_id = q.session_id AND later.step_index >= 0
    AND (later.step_index > q.step_index OR later.recorded_at > q.recorded_at) // of another branch
  RETURN later AS x, distance, q.id AS source, 'IN_SESSION' AS via
  UNION
  UNWIND shown AS s
  WITH s.node AS q, s.distance + 1 AS distance
  MATCH (q)<-[:LEARNED_FROM]-(x:Observation)
  RETURN x, distance, q.id AS source, 'LEARNED_FROM' AS via
  UNION
  UNWIND $exposed AS e
  MATCH (later:Thought) USING INDEX later:Thought(namespace, session_id, step_index)
  WHERE later.namespace = $namespace AND later.session_id = e.session AND later.step_index >= 0 AND later.recorded_at >= e.at
  RETURN later AS x, e.distance AS distance, e.id AS source, 'SHOWN' AS via
}
WITH made, shown, [one IN collect({node: x, distance: distance, source: source, via: via}) WHERE one.node IS NOT NULL][..$most] AS after
// In: made. Out: changed, what it ended, solved or contradicts.
CALL (made) {
  UNWIND made AS m
  WITH m.node AS source, m.distance + 1 AS distance
  MATCH (source)-[r:REVISES|SOLVES|CONTRADICTS]->(x:Thought|Entity|Observation)
  RETURN collect({node: x, distance: distance, source: source.id, via: type(r)})[..$most] AS changed
}
UNWIND [one IN made | one {.*, way: 'made', place: 0}] + [one IN shown | one {.*, way: 'shown', place: 1}]
  + [one IN changed | one {.*, way: 'changed', place: 2}] + [one IN after | one {.*, way: 'after', place: 3}] AS one
WITH one.node AS n, one ORDER BY one.place, one.distance, n.id
WITH n, head(collect(one)) AS first
WHERE n.namespace = $namespace
  AND (n.is_private = false OR n.session_id = $own_session OR NOT n:Thought) AND coalesce(n.found_until > datetime(), true)  // part: visible_node(n)
RETURN n.id AS id, first.way AS way, first.distance AS distance, first.via AS via, first.source AS reached_from
ORDER BY first.place, first.distance, id LIMIT $most
