// Reads what a map draws: the largest communities, of each the members of the greatest mass, about $nodes in all, and the
// relationships among these nodes.
:param namespace => 'default';
:param now => datetime();
:param communities => 12;
:param nodes => 120;
:param text_length => 80;
CYPHER 25
// part: analysed_nodes()
CALL () {
  MATCH (n:Thought)
  WHERE n.namespace = $namespace AND n.recorded_at > datetime({year: 1})
    AND n.is_private = false AND coalesce(n.expires_at > datetime(), true)  // part: public(n)
    AND n.content IS :: STRING NOT NULL  // part: not_redacted(n)
    AND n.redacts IS NULL
  RETURN n
  UNION ALL
  MATCH (n:Entity)
  WHERE n.namespace = $namespace AND n.name_key >= '' AND n.type_key IS NOT NULL
    AND n.valid_from <= $now AND n.valid_to > $now  // part: valid_at(n, $now)
  RETURN n
  UNION ALL
  MATCH (n:Observation)
  WHERE n.namespace = $namespace AND n.entity_id >= '' AND n.fact_key IS NOT NULL
    AND n.valid_from <= $now AND n.valid_to > $now  // part: valid_at(n, $now)
  RETURN n
}
// end of part
WITH n WHERE n.community IS :: INTEGER NOT NULL AND n.community <= $communities
WITH n,
  // part: label_terms(n)
  size([term IN split(toStringOrNull(n.community_label), ', ')
    WHERE toLower(coalesce(toStringOrNull(n.content), toStringOrNull(n.name))) CONTAINS toLower(term)]) AS label_terms
  // end of part
ORDER BY coalesce(toFloatOrNull(n.mass), 0.0) DESC, label_terms DESC, n.id
WITH n.community AS number, toStringOrNull(head(collect(n.community_label))) AS label, collect(n) AS members
WITH number, label, members ORDER BY number
WITH collect({number: number, label: label, members: members}) AS every
WITH [c IN every | {number: c.number, label: c.label, size: size(c.members), shown: c.members[..$nodes / size(every)]}] AS found
WITH found, reduce(every = [], c IN found | every + c.shown) AS drawn
// In: drawn. Out: links, each pair of linked nodes once.
CALL (drawn) {
  UNWIND drawn AS a
  MATCH (a)-[]->(b) WHERE b IN drawn
  RETURN collect(DISTINCT {start: a.id, end: b.id}) AS links
}
RETURN links, [c IN found | c {
    .number, .label, .size,
    members: [n IN c.shown | {
      id: n.id, mass: toFloatOrNull(n.mass),
      kind: toLower([label IN labels(n) WHERE label IN ['Thought', 'Entity', 'Observation']][0]),  // part: kind(n)
      text: left(coalesce(toStringOrNull(n.name), toStringOrNull(n.content), ''), $text_length)
    }]
  }] AS communities
