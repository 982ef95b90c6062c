// Finds which of some namespaces have neither a thought nor an entity.
:param namespaces => ['default', 'kestrel'];
CYPHER 25
UNWIND $namespaces AS name
WITH name
WHERE NOT EXISTS {
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, recorded_at)
  WHERE t.namespace = name AND t.recorded_at IS NOT NULL
} AND NOT EXISTS {
  MATCH (e:Entity) USING INDEX SEEK e:Entity(namespace, name_key, type_key)
  WHERE e.namespace = name AND e.name_key IS NOT NULL AND e.type_key IS NOT NULL
}
RETURN name
