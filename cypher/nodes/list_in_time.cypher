// Lists for each of several sessions or labels (chain_id) a page of its thoughts in time, along the index on session or label
// and time, so that the last page of ten thousand thoughts costs as much as the first. $by says which of them the ids
// are. Of a session, $from_step leaves out the steps of the chain before it, and what is outside of the chain, and
// $chain_id what has another label. The time of a position is two numbers: a Python datetime drops nanoseconds, and a
// page would begin at the thought that ended the one before. The hints keep the plan at the index whatever the
// statistics are. What is not wanted is null in a bound of the index: a condition outside it is tested for each thought.
:param ids => ['try'];
:param by => 'session_id';
:param namespace => 'default';
:param own_session => '';
:param latest_first => true;
:param seconds => 253402300799;
:param nanoseconds => 0;
:param step => -1;
:param id => '~';
:param from_step => null;
:param chain_id => null;
:param take => 10;
CYPHER 25
UNWIND $ids AS of
WITH of, COLLECT {
  MATCH (s:Session {namespace: $namespace, id: of}) WHERE $by = 'session_id'
  RETURN
    CASE WHEN s.branches IS :: LIST<STRING NOT NULL> NOT NULL THEN 1 + size(s.branches) END  // part: branches(s)
}[0] AS branches
CALL (of) {
  WITH CASE WHEN $by = 'session_id' AND NOT $latest_first THEN of END AS wanted
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, created_at)
  WHERE t.namespace = $namespace AND t.session_id = wanted
    AND t.created_at >= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})  // part: from_position(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND (NOT t.id CONTAINS '::')  // part: whole(t)
    AND CASE WHEN t.created_at IS :: ZONED DATETIME NOT NULL THEN [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] END > [$seconds, $nanoseconds, $step, $id]  // part: after_position(t)
    AND ($from_step IS NULL OR t.step_index >= $from_step) AND ($chain_id IS NULL OR t.chain_id = $chain_id)
  RETURN t ORDER BY t.namespace, t.session_id, t.created_at, t.step_index, t.id LIMIT $take
  UNION ALL
  WITH CASE WHEN $by = 'session_id' AND $latest_first THEN of END AS wanted
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, session_id, created_at)
  WHERE t.namespace = $namespace AND t.session_id = wanted
    AND t.created_at <= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})  // part: to_position(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND (NOT t.id CONTAINS '::')  // part: whole(t)
    AND CASE WHEN t.created_at IS :: ZONED DATETIME NOT NULL THEN [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] END < [$seconds, $nanoseconds, $step, $id]  // part: before_position(t)
    AND ($from_step IS NULL OR t.step_index >= $from_step) AND ($chain_id IS NULL OR t.chain_id = $chain_id)
  RETURN t ORDER BY t.namespace DESC, t.session_id DESC, t.created_at DESC, t.step_index DESC, t.id DESC LIMIT $take
  UNION ALL
  WITH CASE WHEN $by = 'chain_id' AND NOT $latest_first THEN of END AS wanted
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, chain_id, created_at)
  WHERE t.namespace = $namespace AND t.chain_id = wanted
    AND t.created_at >= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})  // part: from_position(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND (NOT t.id CONTAINS '::')  // part: whole(t)
    AND CASE WHEN t.created_at IS :: ZONED DATETIME NOT NULL THEN [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] END > [$seconds, $nanoseconds, $step, $id]  // part: after_position(t)
  RETURN t ORDER BY t.namespace, t.chain_id, t.created_at, t.step_index, t.id LIMIT $take
  UNION ALL
  WITH CASE WHEN $by = 'chain_id' AND $latest_first THEN of END AS wanted
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, chain_id, created_at)
  WHERE t.namespace = $namespace AND t.chain_id = wanted
    AND t.created_at <= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})  // part: to_position(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND (NOT t.id CONTAINS '::')  // part: whole(t)
    AND CASE WHEN t.created_at IS :: ZONED DATETIME NOT NULL THEN [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] END < [$seconds, $nanoseconds, $step, $id]  // part: before_position(t)
  RETURN t ORDER BY t.namespace DESC, t.chain_id DESC, t.created_at DESC, t.step_index DESC, t.id DESC LIMIT $take
}
RETURN of AS id, collect({
  id: t.id, branches: branches,
  position: [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id]  // part: position(t)
}) AS items
