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
:param known => datetime('9999-12-31');
:param skip => 0;
:param take => 10;
:param text_length => 600;
CYPHER 25
// In: the parameters. Out: rows of t, the page of the label, in the order asked for.
CALL () {
  WITH 1 AS one WHERE NOT $latest_first
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, chain_id, created_at)
  WHERE t.chain_id = $chain_id
    AND t.created_at >= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})  // part: from_position(t)
    AND t.created_at <= $known
    AND t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
    AND CASE WHEN t.created_at IS :: ZONED DATETIME NOT NULL THEN [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] END > [$seconds, $nanoseconds, $step, $id]  // part: after_position(t)
  WITH t ORDER BY t.namespace, t.chain_id, t.created_at, t.step_index, t.id SKIP $skip LIMIT $take
  RETURN t
  UNION ALL
  WITH 1 AS one WHERE $latest_first
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, chain_id, created_at)
  WHERE t.chain_id = $chain_id
    AND t.created_at <= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})  // part: to_position(t)
    AND t.created_at <= $known
    AND t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.expires_at > datetime(), true)  // part: visible(t)
    AND CASE WHEN t.created_at IS :: ZONED DATETIME NOT NULL THEN [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] END < [$seconds, $nanoseconds, $step, $id]  // part: before_position(t)
  WITH t ORDER BY t.namespace DESC, t.chain_id DESC, t.created_at DESC, t.step_index DESC, t.id DESC SKIP $skip LIMIT $take
  RETURN t
}
RETURN collect({
  // part: thread_thoughts(t)
  id: t.id, created_at: t.created_at, content: left(coalesce(toStringOrNull(t.content), ''), $text_length), session_id: t.session_id,
  chain_id: t.chain_id, previous_thought_id: t.previous_thought_id, revises_thought: t.revises_thought,
  branch_from: t.branch_from, confidence: t.confidence,
  outside_chain: NOT coalesce(t.chained = true, t.session_id IS NULL),  // part: in_chain(t)
  position: [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id],  // part: position(t)
  // end of part
  // part: revised_by(t, $own_session)
  revised_by: reduce(latest = [datetime('0001-01-01'), null], r IN [
    x IN [(t)<-[:REVISES*1..8]-(revision) | revision]
    WHERE x.namespace = $namespace
      AND CASE WHEN x:Thought
        THEN
          x.content IS :: STRING NOT NULL  // part: not_redacted(x)
          AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x, $own_session)
          AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        ELSE true END | [coalesce(x.created_at, x.valid_from), x.id]] | CASE WHEN r > latest THEN r ELSE latest END)[1],
  // end of part
  // part: solved_by(t, $own_session)
  solved_by: reduce(best = [-1.0, datetime('0001-01-01'), null], solution IN [
    s IN [(t)<-[:REVISES*0..8]-()<-[:SOLVES]-(first) | reduce(latest = null, x IN [
      x IN [(first)<-[:REVISES*0..8]-(version) | version]
      WHERE x.namespace = $namespace
        AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x, $own_session)
        AND x.hot = true  // part: hot(x)
        AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
      ] | CASE WHEN latest IS NULL OR x.created_at > latest.created_at THEN x ELSE latest END)]
    WHERE s IS NOT NULL | [coalesce(s.salience, 0.0), s.created_at, s.id]] | CASE WHEN solution > best THEN solution ELSE best END)[2],
  // end of part
  // part: contradicted_by(t, datetime(), $own_session)
  contradicted_by: reduce(strongest = [-2.0, null], c IN [
    c IN [(t)<-[link:CONTRADICTS]-(x) | {
      node: x, cosine: coalesce(link.cosine, 1.0),
      in_chain: coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
    }]
    WHERE c.node.namespace = $namespace
      AND CASE WHEN c.node:Thought
        THEN
          c.node.content IS :: STRING NOT NULL  // part: not_redacted(c.node)
          AND CASE c.node.is_private WHEN false THEN true ELSE c.node.session_id = $own_session END AND coalesce(c.node.expires_at > datetime(), true)  // part: visible(c.node, $own_session)
          AND c.in_chain
        ELSE
          c.node.valid_from <= datetime() AND c.node.valid_to > datetime()  // part: valid_at(c.node, datetime())
        END | [c.cosine, c.node.id]] | CASE WHEN c > strongest THEN c ELSE strongest END)[1],
  // end of part
  redacted_at: t.redacted_at
}) AS thoughts
