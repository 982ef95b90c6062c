// Reads a page of old thoughts with what the curator judges them by, in order of their times. Thoughts that
// are not hot, are redacted or are no step of their chain are counted, and not returned: they are not recalled anyway.
:param namespace => 'default';
:param before => datetime() - duration('P30D');
:param after_time => '0001-01-01T00:00:00Z';
:param after_id => '';
:param page => 1000;
:param own_session => '';
:param text_length => 120;
CYPHER 25
// part: old_thoughts()
MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
WHERE t.namespace = $namespace AND t.created_at >= datetime($after_time) AND t.created_at < $before
  AND (t.created_at > datetime($after_time) OR t.id > $after_id)
WITH t ORDER BY t.namespace, t.created_at, t.id LIMIT $page
WITH collect(t) AS page
// end of part
// In: page. Out: active, the thoughts to judge.
CALL (page) {
  UNWIND page AS t
  WITH t
  WHERE t.hot = true  // part: hot(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND coalesce(t.chained = true, t.session_id IS NULL)  // part: in_chain(t)
  RETURN collect(t {
    .id, .session_id, .door, .thought_type,
    is_private: coalesce(t.is_private <> false, true),  // part: private(t)
    salience: toFloatOrNull(coalesce(t.salience, t.significance)),
    outcome: toFloatOrNull(t.outcome_score),
    accesses: coalesce(toIntegerOrNull(t.access_count), 0),
    used_at: toString(CASE WHEN t.last_accessed > t.created_at THEN t.last_accessed ELSE t.created_at END),
    pinned: coalesce(t.pinned = true, false),
    standing: coalesce(t.standing = true, false),
    playbook: coalesce(t.playbook = true, false),
    // It goes back to a summary that was made of it before it was restored.
    summary: head([(s:Thought)-[r:REFERENCES]->(t) WHERE r.made_by = 'curator' AND s.content IS NOT NULL | s.id]),
    unresolved: (t.mode = 'stuck' OR t.thought_type = 'todo') AND NOT coalesce(t.outcome_score > 0, false) AND NOT EXISTS {
      (t)<-[link:SOLVES|REVISES]-(x:Thought)
      WHERE coalesce(x.trust, 2) >= coalesce(t.trust, 2)  // part: may_change(x, t)
        AND coalesce(link.trust, 3) >= coalesce(t.trust, 2)  // part: may_change(link, t, 3)
    },
    visible: CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true),  // part: visible(t)
    text: left(t.content, $text_length)
  }) AS active
}
RETURN size(page) AS thoughts, toString(page[-1].created_at) AS last_time, page[-1].id AS last_id, active
