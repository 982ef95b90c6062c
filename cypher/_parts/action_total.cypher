// part: action_total()
// In: the parameters. Out: total, how many thoughts led to the action that the reader may see.
CALL () {
  MATCH (:Action {namespace: $namespace, id: $action_id})<-[:FOR_ACTION]-(t:Thought)
  WHERE t.namespace = $namespace
    AND true  // part: existed(t, $known)
    AND true  // part: visible(t)
  RETURN count(t) AS total
}
