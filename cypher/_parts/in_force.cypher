// part: in_force(t, session = $own_session, namespace = $namespace)
// Nothing that the reader may see revises or contradicts the thought.
AND size([
  x IN [({{t}})<-[:REVISES|CONTRADICTS]-(later) | later]
  WHERE x.namespace = {{namespace}}
    AND (x.is_private = false OR x.session_id = {{session}} OR NOT x:Thought)  // part: visible_node(x, {{session}})
    AND true  // part: in_chain(x)
  ]) = 0
