// Reads the communities that the last analysis stored, the largest first, each with its members by mass. $community selects
// one; then $member_skip and $member_take page through its members. labelled has what the labels of the largest communities are made
// of: their first members. unassigned counts the nodes that are in no community: those of very small groups, and those stored since.
:param namespace => 'default';
:param now => datetime();
:param community => null;
:param skip => 0;
:param take => 20;
:param member_skip => 0;
:param member_take => 3;
:param text_length => 300;
CYPHER 25
// part: analysed_nodes()
CALL () {
  MATCH (n:Thought)
  WHERE n.namespace = $namespace AND n.recorded_at > datetime({year: 1})
    AND n.is_private = false AND coalesce(n.found_until > datetime(), true)  // part: public(n)
    AND n.content IS :: STRING NOT NULL  // part: not_redacted(n)
    AND (NOT n.id CONTAINS '::')  // part: whole(n)
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
WITH n, n.community AS number ORDER BY coalesce(n.mass, 0.0) DESC, n.id
WITH number, count(*) AS size,
  count(CASE WHEN n:Thought THEN 1 END) AS thoughts, count(CASE WHEN n:Entity THEN 1 END) AS entities,
  collect(n)[..40] AS named,
  CASE WHEN number IS NOT NULL AND ($community IS NULL OR number = $community)
    THEN collect(n)[$member_skip..$member_skip + $member_take] ELSE [] END AS first
WITH number, size, thoughts, entities, named, first ORDER BY number
WITH collect({number: number, size: size, thoughts: thoughts, entities: entities, named: named, first: first}) AS every
WITH [c IN every WHERE c.number IS NOT NULL] AS every, [c IN every WHERE c.number IS NULL | c.size] AS others
WITH every, others, [c IN every WHERE $community IS NULL OR c.number = $community] AS found
RETURN size(every) AS community_count, coalesce(others[0], 0) AS unassigned,
  [c IN every WHERE c.number <= 100 OR c.number = $community OR c IN found[$skip..$skip + $take] | [
    c.number,
    [n IN c.named | {name: n.name, tags: coalesce(n.tags, []), text: left(coalesce(n.content, n.description, ''), 400)}]
  ]] AS labelled,
  [c IN found[$skip..$skip + $take] | c {
    .number, label: '', .size, .thoughts, .entities, observations: c.size - c.thoughts - c.entities,
    members: [n IN c.first | {
      id: n.id, mass: n.mass,
      kind: toLower([label IN labels(n) WHERE label IN ['Thought', 'Entity', 'Observation']][0]),  // part: kind(n)
      text: left(coalesce(n.name, n.content, ''), $text_length)
    }]
  }] AS communities
