// part: in_force(t, moment, session = $own_session, namespace = $namespace)
// At a moment, nothing that the reader may see had revised or contradicted the thought.
AND size([
  x IN [({{t}})<-[link:REVISES|CONTRADICTS]-(later)
    WHERE true  // part: may_change(later, {{t}})
      AND true  // part: may_change(link, {{t}}, 3)
    | later]
  WHERE x.namespace = {{namespace}}
    AND true  // part: existed(x, {{moment}})
    AND (x.is_private = false OR x.session_id = {{session}} OR NOT x:Thought)  // part: visible_node(x, {{session}})
    AND true  // part: in_chain(x)
  ]) = 0
