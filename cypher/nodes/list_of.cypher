// Lists for each of several nodes a page of the thoughts that link to it in one way, oldest first: what follows, revises
// or branches from a thought, its children, what recalled it or names it, or what led to an action.
:param ids => ['thought-1'];
:param link => 'CHILD_OF';
:param namespace => 'default';
:param own_session => '';
:param seconds => -62135596800;
:param nanoseconds => 0;
:param step => -9223372036854775808;
:param id => '';
:param take => 10;
CYPHER 25
UNWIND $ids AS of
CALL (of) {
  MATCH (n:Thought|Entity|Observation|Action {id: of, namespace: $namespace})
  MATCH (n)<-[link:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF|FOR_ACTION|RECALLS|MENTIONS]-(t:Thought)
  WHERE type(link) = $link AND t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND (NOT t.id CONTAINS '::')  // part: whole(t)
    AND CASE WHEN t.created_at IS :: ZONED DATETIME NOT NULL THEN [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] END > [$seconds, $nanoseconds, $step, $id]  // part: after_position(t)
  WITH t ORDER BY t.created_at, t.step_index, t.id LIMIT $take
  RETURN collect({
    id: t.id,
    position: [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id]  // part: position(t)
  }) AS items
}
RETURN of AS id, items
