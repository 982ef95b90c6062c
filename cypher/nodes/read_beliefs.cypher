// Reads what was believed about several thoughts at $now, one row for each id: what revised, solved and contradicted each
// by then. Of several, the latest revision counts, the solution of the greatest salience, and the strongest contradiction.
// The conditions follow a WITH, so that the planner always begins at the thought.
:param ids => ['thought-1'];
:param namespace => 'default';
:param own_session => '';
:param now => datetime();
CYPHER 25
UNWIND $ids AS id
OPTIONAL MATCH (t:Thought {id: id, namespace: $namespace})
RETURN id, coalesce(t.created_at <= $now, true) AS thought, coalesce(t.redacted_at <= $now, false) AS redacted,
  COLLECT {
    MATCH (t)<-[:REVISES]-{1,8}(x:Thought)
    WITH DISTINCT x
    WHERE x.namespace = $namespace AND x.created_at <= $now
      AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
      AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
      AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
    RETURN x.id ORDER BY x.created_at DESC, x.id DESC LIMIT 1
  }[0] AS revised_by,
  COLLECT {
    MATCH (t)<-[:REVISES]-{0,8}()<-[s:SOLVES]-(x:Thought)
    WITH s, x
    WHERE x.namespace = $namespace AND coalesce(s.created_at <= $now, true)
      AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
      AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
      AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
    RETURN x.id ORDER BY coalesce(x.salience, 0.0) DESC, x.created_at DESC, x.id LIMIT 1
  }[0] AS solved_by,
  COLLECT {
    MATCH (t)<-[c:CONTRADICTS]-(x)
    WITH c, x
    WHERE x.namespace = $namespace AND coalesce(c.created_at <= $now, true)
      AND CASE WHEN x:Thought
        THEN
          x.content IS :: STRING NOT NULL  // part: not_redacted(x)
          AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END AND coalesce(x.expires_at > datetime(), true)  // part: visible(x)
          AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        ELSE
          x.valid_from <= $now AND x.valid_to > $now  // part: valid_at(x, $now)
        END
    RETURN x.id ORDER BY coalesce(c.cosine, 1.0) DESC, x.id LIMIT 1
  }[0] AS contradicted_by
