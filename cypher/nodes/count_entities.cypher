// Counts the entities that knowledge/list_entities lists.
:param namespace => 'default';
:param type_key => null;
:param as_of => datetime();
CYPHER 25
MATCH (e:Entity) USING INDEX SEEK e:Entity(namespace, name)
WHERE e.namespace = $namespace AND e.name >= '' AND ($type_key IS NULL OR e.type_key = $type_key) AND e.merged_at IS NULL
  AND e.valid_from <= $as_of AND e.valid_to > $as_of  // part: valid_at(e, $as_of)
RETURN count(e) AS count
