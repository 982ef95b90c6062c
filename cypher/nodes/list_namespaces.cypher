// Lists namespaces in order. Each is the first in an index after the one before, so that the thoughts and entities of a
// namespace are not read.
:param after => '';
:param take => 10;
CYPHER 25
RETURN reduce(found = [$after], number IN range(1, $take) | found + COLLECT {
  CALL (found) {
    MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, recorded_at)
    WHERE t.namespace > found[-1] AND t.recorded_at IS NOT NULL
    RETURN t.namespace AS name ORDER BY t.namespace LIMIT 1
    UNION ALL
    MATCH (e:Entity) USING INDEX SEEK e:Entity(namespace, name_key, type_key)
    WHERE e.namespace > found[-1] AND e.name_key IS NOT NULL AND e.type_key IS NOT NULL
    RETURN e.namespace AS name ORDER BY e.namespace LIMIT 1
  }
  RETURN name ORDER BY name LIMIT 1
})[1..] AS names
