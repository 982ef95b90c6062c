// part: latest_revision(first = t.namespace = $namespace)
// In: revised, a hit. Out: latest, its latest revision that passes the filters of the search, or null. The condition
// {{first}} is tested before the others.
CALL (revised) {
  OPTIONAL MATCH (revised)<-[:REVISES]-{1,8}(t:Thought)
  // Not in WHERE: the planner could begin at an index of all thoughts.
  WITH CASE
    WHEN {{first}}
    AND true  // part: visible(t)
    AND true  // part: not_redacted(t)
    AND true  // part: in_chain(t)
    // part: passes_filters(t)
    // end of part
    THEN t
  END AS t ORDER BY t.created_at DESC, t.id
  RETURN head(collect(t)) AS latest
}
