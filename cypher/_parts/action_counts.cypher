// part: action_counts()
// In: the parameters. Out: total, how many thoughts led to the action, and private, how many of them the reader may not see.
CALL () {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(t:Thought)
  WHERE t.namespace = $namespace
    AND true  // part: existed(t, $known)
  WITH coalesce(
    true  // part: visible(t)
    , false) AS shown
  RETURN count(CASE WHEN shown THEN 1 END) AS total, count(CASE WHEN NOT shown THEN 1 END) AS private
}
