// A page of a session as a thread in time, private thoughts with it. The index on session and time gives the order,
// and the cursor (the last thought of the page before: its time and id) the place to begin, so a page of ten
// thousand costs what a page of ten does. The time goes as two numbers: a Python datetime drops nanoseconds,
// with which a page would begin at the thought the last one ended with. The hint holds the plan to that index
// whatever the statistics say.
CYPHER 25
CALL () {
  WITH 1 AS one WHERE NOT $latest_first
  MATCH (t:Thought) USING INDEX t:Thought(session_id, created_at)
  WHERE t.session_id = $session_id AND t.created_at >= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})
    AND t.namespace = $namespace /*filters*/
    AND [t.created_at.epochSeconds, t.created_at.nanosecond, t.id] > [$seconds, $nanoseconds, $id]
  WITH t ORDER BY t.session_id, t.created_at, t.id SKIP $skip LIMIT $take
  RETURN t
  UNION ALL
  WITH 1 AS one WHERE $latest_first
  MATCH (t:Thought) USING INDEX t:Thought(session_id, created_at)
  WHERE t.session_id = $session_id AND t.created_at <= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})
    AND t.namespace = $namespace /*filters*/
    AND [t.created_at.epochSeconds, t.created_at.nanosecond, t.id] < [$seconds, $nanoseconds, $id]
  WITH t ORDER BY t.session_id DESC, t.created_at DESC, t.id DESC SKIP $skip LIMIT $take
  RETURN t
}
RETURN collect({
  id: t.id, created_at: t.created_at, content: left(coalesce(t.content, ''), $text_length), session_id: t.session_id,
  chain_id: t.chain_id, previous_thought_id: t.previous_thought_id, revises_thought: t.revises_thought,
  branch_from: t.branch_from, confidence: t.confidence, redacted_at: t.redacted_at,
  position: [t.created_at.epochSeconds, t.created_at.nanosecond, t.id]
}) AS thoughts
