// Reads nodes that maintain/find_by_hand has found, and the entity that an observation is about. other_types are the
// properties with a type that LegacyMind does not store, such as a date, which becomes text in Python.
:param element_ids => [];
CYPHER 25
UNWIND $element_ids AS element_id
MATCH (n:Entity|Observation|Thought)
WHERE elementId(n) = element_id AND (n.ns_key IS NULL OR n.fact_key IS NOT NULL AND n.entity_id IS NULL)
CALL (n) {
  OPTIONAL MATCH (n)-[:ABOUT]->(e:Entity)
  RETURN e ORDER BY e.id LIMIT 1
}
RETURN element_id, CASE WHEN n:Entity THEN 'entity' WHEN n:Observation THEN 'observation' ELSE 'thought' END AS kind,
  properties(n) AS properties,
  [name IN keys(n) WHERE NOT n[name] IS :: STRING | BOOLEAN | INTEGER | FLOAT | ZONED DATETIME | LIST<STRING | INTEGER | FLOAT> | name] AS other_types,
  EXISTS { (n)-[:IN_SESSION]->() } AS in_session,
  e IS NOT NULL AS has_entity, e.id AS entity_id, e.namespace AS entity_namespace, e.ns_key IS NOT NULL AS entity_known
