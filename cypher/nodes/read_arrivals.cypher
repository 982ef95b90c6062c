// Reads the thoughts of a namespace that were stored since a moment of the server's clock and are not known yet, in the
// order of that clock: the poll of subscriptions. Without any it is one seek in the index.
//
// Transactions commit in another order than they begin, so $since lies behind the last read by the longest time that a
// transaction may take. Of the thoughts since then, known are the steps of a session up to its number in $steps, because
// a session is locked while a step is added, and the thoughts without session in $ids. A read that happens while others
// commit may see a step without the one before it. after_unknown marks such a step of a session that is not in $steps.
:param namespace => 'default';
:param since => datetime() - duration('PT2M');
:param steps => ({try: 0});
:param ids => ['thought-1'];
:param most => 500;
CYPHER 25
CALL () {
  MATCH (t:Thought) USING INDEX t:Thought(namespace, stored_at)
  WHERE t.namespace = $namespace AND t.stored_at >= $since
    AND CASE WHEN t.session_id IS NULL THEN NOT t.id IN $ids
      ELSE t.step_index IS :: INTEGER NOT NULL AND t.step_index > coalesce($steps[t.session_id], -1) END
  WITH t ORDER BY t.namespace, t.stored_at LIMIT $most
  RETURN collect(t {
    .id, .session_id, .chain_id, .is_private, .stored_at, step: CASE WHEN t.session_id IS NOT NULL THEN t.step_index END,
    after_unknown: t.session_id IS NOT NULL AND $steps[t.session_id] IS NULL AND EXISTS {
      MATCH (before:Thought)
      WHERE before.namespace = $namespace AND before.session_id = t.session_id
        AND before.step_index = t.step_index - 1 AND before.stored_at >= $since
    }
  }) AS found
}
RETURN datetime.statement() AS now, found
