// part: analysed_nodes(moment = $now)
// In: the parameters. Out: rows of n, the nodes of a namespace that graph algorithms read: public thoughts with a text that
// record no redaction, and knowledge that is valid at the moment. Each branch begins at an index of the namespace.
CALL () {
  MATCH (n:Thought)
  WHERE n.namespace = $namespace AND n.recorded_at > datetime({year: 1})
    AND n.is_private = false  // part: public(n)
    AND n.content IS :: STRING NOT NULL  // part: not_redacted(n)
    AND (NOT n.id CONTAINS '::')  // part: whole(n)
    AND n.redacts IS NULL
  RETURN n
  UNION ALL
  MATCH (n:Entity)
  WHERE n.namespace = $namespace AND n.name_key >= '' AND n.type_key IS NOT NULL
    AND n.valid_from <= {{moment}} AND n.valid_to > {{moment}}  // part: valid_at(n, {{moment}})
  RETURN n
  UNION ALL
  MATCH (n:Observation)
  WHERE n.namespace = $namespace AND n.entity_id >= '' AND n.fact_key IS NOT NULL
    AND n.valid_from <= {{moment}} AND n.valid_to > {{moment}}  // part: valid_at(n, {{moment}})
  RETURN n
}
