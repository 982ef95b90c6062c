// part: contradicting(first = t.namespace = $namespace)
// In: revised, a hit. Out: against, the thought that contradicts it most strongly and passes the filters of the search, or
// null. As latest_revision.
CALL (revised) {
  OPTIONAL MATCH (revised)<-[link:CONTRADICTS]-(t:Thought)
  WITH CASE
    WHEN {{first}}
    AND true  // part: visible(t)
    AND true  // part: not_redacted(t)
    AND true  // part: in_chain(t)
    // part: passes_filters(t)
    // end of part
    THEN t
  END AS t, link.cosine AS cosine ORDER BY coalesce(cosine, 1.0) DESC, t.id DESC
  RETURN head(collect(t)) AS against
}
