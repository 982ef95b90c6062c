// Reads a page of the thoughts under one label (chain_id), of any session, as a thread in time. Private thoughts are
// read in the reader's own session only. Built as read_session_thread, for the same reasons.
:param namespace => 'default';
:param own_session => '';
:param chain_id => 'chain-1';
:param latest_first => true;
:param seconds => 253402300799;
:param nanoseconds => 0;
:param step => -1;
:param id => '~';
:param skip => 0;
:param take => 10;
:param text_length => 600;
CYPHER 25
CALL () {
  WITH 1 AS one WHERE NOT $latest_first
  MATCH (t:Thought) USING INDEX t:Thought(chain_id, created_at)
  WHERE t.chain_id = $chain_id
    AND t.created_at >= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})  // part: from_position(t)
    AND t.namespace = $namespace
    AND (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
    AND [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] > [$seconds, $nanoseconds, $step, $id]  // part: after_position(t)
  WITH t ORDER BY t.chain_id, t.created_at, t.step_index, t.id SKIP $skip LIMIT $take
  RETURN t
  UNION ALL
  WITH 1 AS one WHERE $latest_first
  MATCH (t:Thought) USING INDEX t:Thought(chain_id, created_at)
  WHERE t.chain_id = $chain_id
    AND t.created_at <= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})  // part: to_position(t)
    AND t.namespace = $namespace
    AND (t.is_private = false OR t.session_id = $own_session)  // part: visible(t)
    AND [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] < [$seconds, $nanoseconds, $step, $id]  // part: before_position(t)
  WITH t ORDER BY t.chain_id DESC, t.created_at DESC, t.step_index DESC, t.id DESC SKIP $skip LIMIT $take
  RETURN t
}
// part: thread_thoughts(t)
RETURN collect({
  id: t.id, created_at: t.created_at, content: left(coalesce(toStringOrNull(t.content), ''), $text_length), session_id: t.session_id,
  chain_id: t.chain_id, previous_thought_id: t.previous_thought_id, revises_thought: t.revises_thought,
  branch_from: t.branch_from, confidence: t.confidence, redacted_at: t.redacted_at,
  outside_chain: CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END <> CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END,  // part: in_chain(t, <>)
  position: [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id]
}) AS thoughts
// end of part
