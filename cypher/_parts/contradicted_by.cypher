// part: contradicted_by(n, moment, session = $own_session, namespace = $namespace)
// The id of the thought or valid knowledge that contradicts the node most strongly, or null. The conditions are outside the
// pattern, where the planner handles them faster.
contradicted_by: reduce(strongest = [-2.0, null], c IN [
  c IN [({{n}})<-[link:CONTRADICTS]-(x) | {
    node: x, cosine: coalesce(link.cosine, 1.0),
    in_chain: y  // part: in_chain(x)
  }]
  WHERE c.node.namespace = {{namespace}}
    AND CASE WHEN c.node:Thought
      THEN
        c.node.content IS NOT NULL  // part: not_redacted(c.node)
        AND (c.node.is_private = false OR c.node.session_id = {{session}})  // part: visible(c.node, {{session}})
        AND c.in_chain
      ELSE
        c.node.valid_from <= {{moment}} AND c.node.valid_to > {{moment}}  // part: valid_at(c.node, {{moment}})
      END | [c.cosine, c.node.id]] | CASE WHEN c > strongest THEN c ELSE strongest END)[1],
