// Lists the entities of a namespace that are valid at $as_of, in the order of their names, along the index entity_name, with
// the number of their facts.
:param namespace => 'default';
:param type_key => null;
:param as_of => datetime();
:param skip => 0;
:param take => 20;
:param text_length => 200;
CYPHER 25
MATCH (e:Entity) USING INDEX SEEK e:Entity(namespace, name)
WHERE e.namespace = $namespace AND e.name >= '' AND ($type_key IS NULL OR e.type_key = $type_key) AND e.merged_at IS NULL
  AND e.valid_from <= $as_of AND e.valid_to > $as_of  // part: valid_at(e, $as_of)
WITH e ORDER BY e.namespace, e.name, e.id SKIP $skip LIMIT $take
RETURN
  e.id AS id, e.name AS name, coalesce(e.entity_type, '') AS entity_type,
  left(toStringOrNull(e.description), $text_length) AS description,
  COUNT {
    (o:Observation)-[:ABOUT]->(e)
    WHERE o.namespace = $namespace
      AND o.valid_from <= $as_of AND o.valid_to > $as_of  // part: valid_at(o, $as_of)
  } AS observations
ORDER BY e.namespace, e.name, e.id
