// Reads the thoughts of a namespace, of a session or with a label that were stored since a moment of the server's clock,
// in the order of that clock: the poll of subscriptions. Without any it is one seek in the index.
//
// Transactions commit in another order than they begin, so $since lies behind the last read by the longest time that a
// transaction may take ($slack, also before the first read), and $known has the ids that were read since then.
:param namespace => 'default';
:param own_session => '';
:param session_id => null;
:param chain_id => null;
:param since => null;
:param slack => duration('PT2M');
:param known => ['thought-1'];
:param take => 100;
CYPHER 25
CALL () {
  MATCH (t:Thought) USING INDEX t:Thought(namespace, stored_at)
  WHERE t.namespace = $namespace AND t.stored_at >= coalesce($since, datetime.statement() - $slack)
    AND NOT t.id IN $known
    AND ($session_id IS NULL OR t.session_id = $session_id) AND ($chain_id IS NULL OR t.chain_id = $chain_id)
    AND (NOT t.id CONTAINS '::')  // part: whole(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
  WITH t ORDER BY t.namespace, t.stored_at LIMIT $take
  RETURN collect([t.id, t.stored_at]) AS found
}
RETURN datetime.statement() AS now, found
