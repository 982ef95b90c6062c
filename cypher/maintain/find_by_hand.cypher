// Finds the nodes of a label that were made by hand: LegacyMind itself stores each with ns_key, but the stubs of merged
// ones. Nodes of Graphiti (uuid, group_id) and of neo4j-agent-memory (type, id) in the same database are left out:
// knowledge/read_graphiti and knowledge/read_agent_memory import them. Reads every node of the label. entity is the one
// that an observation is about.
:param label => 'Entity';
:param limit => 1000000000;
CYPHER 25
MATCH (n:$($label))
WHERE n.ns_key IS NULL AND n.merged_at IS NULL
  AND NOT (n.uuid IS NOT NULL AND n.group_id IS NOT NULL OR n.type IS NOT NULL AND n.id IS NOT NULL)
WITH n LIMIT $limit
RETURN elementId(n) AS element_id, properties(n) AS properties,
  COLLECT {
    MATCH (n)-[:ABOUT]->(e:Entity)
    RETURN e {.id, .name, .entity_type, .namespace, known: e.ns_key IS NOT NULL} ORDER BY e.id LIMIT 1
  }[0] AS entity
