// part: solved_by(t, session = $own_session, namespace = $namespace)
// The id of the thought that solves a problem, or a version of it, in its latest revision: of several, the one with the
// greatest salience; null if there is none. The conditions are outside the patterns, where the planner handles them faster.
solved_by: reduce(best = [-1.0, datetime('0001-01-01'), null], solution IN [
  s IN [({{t}})<-[:REVISES*0..8]-()<-[:SOLVES]-(first) | reduce(latest = null, x IN [
    x IN [(first)<-[:REVISES*0..8]-(version) | version]
    WHERE x.namespace = {{namespace}}
      AND x.content IS NOT NULL  // part: not_redacted(x)
      AND (x.is_private = false OR x.session_id = {{session}})  // part: visible(x, {{session}})
      AND x.hot = true  // part: hot(x)
      AND true  // part: in_chain(x)
    ] | CASE WHEN latest IS NULL OR x.created_at > latest.created_at THEN x ELSE latest END)]
  WHERE s IS NOT NULL | [coalesce(s.salience, 0.0), s.created_at, s.id]] | CASE WHEN solution > best THEN solution ELSE best END)[2],
