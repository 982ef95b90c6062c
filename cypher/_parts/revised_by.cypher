// part: revised_by(n, session = $own_session, namespace = $namespace)
// The id of the latest revision of a thought, or of the observation that superseded one, or null. The conditions are
// outside the pattern, where the planner handles them faster.
revised_by: reduce(latest = [datetime('0001-01-01'), null], r IN [
  x IN [({{n}})<-[:REVISES*1..8]-(revision) | revision]
  WHERE x.namespace = {{namespace}}
    AND CASE WHEN x:Thought
      THEN
        x.content IS NOT NULL  // part: not_redacted(x)
        AND (x.is_private = false OR x.session_id = {{session}})  // part: visible(x, {{session}})
        AND x  // part: in_chain(x)
      ELSE true END | [coalesce(x.created_at, x.valid_from), x.id]] | CASE WHEN r > latest THEN r ELSE latest END)[1],
