// Finds the nodes of a label that were made by hand: LegacyMind itself stores each with ns_key, but the stubs of merged
// ones. Finds also the observations that somebody has linked to an entity since they were adopted. Nodes of Graphiti
// (uuid, group_id) and of neo4j-agent-memory (type, id) in the same database are left out: knowledge/read_graphiti and
// knowledge/read_agent_memory import them. Reads every node of the label, and so runs only after maintain/count_nodes.
:param label => 'Entity';
CYPHER 25
MATCH (n:$($label))
WHERE n.ns_key IS NULL AND n.merged_at IS NULL
    AND NOT (n.uuid IS NOT NULL AND n.group_id IS NOT NULL OR n.type IS NOT NULL AND n.id IS NOT NULL)
  OR n.ns_key IS NOT NULL AND n.fact_key IS NOT NULL AND n.entity_id IS NULL AND EXISTS { (n)-[:ABOUT]->(:Entity) }
RETURN elementId(n) AS element_id
