// Reads an entity with a page of its facts and of its relations in both directions. It is named by id, or by its
// normalised name and, if several have this name, its type; then same_name lists them and nothing else is read. The id
// and the name of a merged entity lead to the one that it was merged into.
//
// $as_of is the moment at which facts and relations must be valid. With $history, closed ones are read too. A relation
// that was created outside LegacyMind may have no time: it is always valid. The relationships of an entity to thoughts
// and observations are no relations: the label of the other end decides.
:param id => null;
:param name_key => 'ada';
:param type_key => null;
:param namespace => 'default';
:param as_of => datetime();
:param history => false;
:param least => 0;
:param skip => 0;
:param take => 10;
:param text_length => 16000;
CYPHER 25
// In: the parameters. Out: rows of e, the entities that have the id, or the name and the type.
CALL () {
  WITH 1 AS always WHERE $id IS NOT NULL
  MATCH (e:Entity {id: $id}) WHERE e.namespace = $namespace
  RETURN e
  UNION ALL
  WITH 1 AS always WHERE $id IS NULL AND $type_key IS NOT NULL
  MATCH (e:Entity {namespace: $namespace, name_key: $name_key, type_key: $type_key})
  RETURN e
  UNION ALL
  WITH 1 AS always WHERE $id IS NULL AND $type_key IS NULL
  MATCH (e:Entity {namespace: $namespace, name_key: $name_key}) WHERE e.type_key >= ''
  RETURN e ORDER BY e.type_key LIMIT 20
}
WITH DISTINCT
  coalesce([(e)-[:MERGED_INTO]->(kept) | kept][0], e)  // part: kept(e)
  AS e
WITH collect(e) AS found
WITH [one IN found | one {.id, .name, .entity_type}] AS same_name, CASE size(found) WHEN 1 THEN found[0] END AS e

// In: e, or null. Out: facts, the page of its observations.
CALL (e) {
  MATCH (e)<-[:ABOUT]-(o:Observation)
  WHERE
    // part: fact_of(o)
    o.namespace = $namespace
    AND ($history OR
      o.valid_from <= $as_of AND o.valid_to > $as_of  // part: valid_at(o, $as_of)
    )
    // end of part
    AND coalesce(o.trust, 2) >= $least
  WITH o ORDER BY o.valid_from DESC, o.id SKIP $skip LIMIT $take
  RETURN collect(o {
    .id, .source, .origin, .door, .trust, .merged_from, .valid_from, .valid_to, .recorded_at, content: coalesce(left(toStringOrNull(o.content), $text_length), ''),
    learned_from: [(o)-[:LEARNED_FROM]->(t:Thought) WHERE t.namespace = $namespace
      AND t.is_private = false AND coalesce(t.found_until > datetime(), true)  // part: public(t)
      | t.id],
    revised_by: [(o)<-[:REVISES]-(new:Observation) WHERE new.namespace = $namespace
      AND coalesce(new.trust, 2) >= coalesce(o.trust, 2)  // part: may_change(new, o)
      | new.id][0]
  }) AS facts
}

// In: e, or null. Out: relations, the page of its relations.
CALL (e) {
  MATCH (e)-[r]-(other)
  WHERE
    // part: relation_of(r, other)
    'Entity' IN labels(other) AND other.namespace = $namespace AND other.merged_at IS NULL
    AND ($history OR coalesce(
      r.valid_from <= $as_of AND r.valid_to > $as_of  // part: valid_at(r, $as_of)
      , true))
    // end of part
  WITH e, r, other ORDER BY type(r), other.name, elementId(r) SKIP $skip LIMIT $take
  RETURN collect([
    type(r), CASE WHEN startNode(r) = e THEN 'out' ELSE 'in' END, other {.id, .name, entity_type: coalesce(other.entity_type, '')},
    properties(r)
  ]) AS relations
}
RETURN
  same_name,
  e {
    // part: members(EntityMembers)
    .origin, .door, .by, .trust, .confirmed_by, .confirmed_at, .id, .name, .entity_type, .aliases, .description,
    .valid_from, .valid_to, .recorded_at, .access_count, .mass,
    // end of part
    .data
  } AS entity,
  CASE WHEN e IS NULL THEN [] ELSE
    [(e)<-[:MERGED_INTO]-(merged:Entity) | merged {.id, .name, entity_type: coalesce(merged.entity_type, ''), .description, .data, .merged_at, .merged_by, reason: merged.merged_reason, observations: merged.merged_observations, relations: merged.merged_relations}]  // part: merged(e)
  END AS merged,
  facts,
  COUNT {
    (o:Observation)-[:ABOUT]->(e)
    WHERE
      // part: fact_of(o)
      o.namespace = $namespace
      AND ($history OR
        o.valid_from <= $as_of AND o.valid_to > $as_of  // part: valid_at(o, $as_of)
      )
      // end of part
      AND coalesce(o.trust, 2) >= $least
  } AS observation_count,
  relations,
  COUNT {
    (e)-[r]-(other)
    WHERE
      // part: relation_of(r, other)
      'Entity' IN labels(other) AND other.namespace = $namespace AND other.merged_at IS NULL
      AND ($history OR coalesce(
        r.valid_from <= $as_of AND r.valid_to > $as_of  // part: valid_at(r, $as_of)
        , true))
      // end of part
  } AS relation_count
