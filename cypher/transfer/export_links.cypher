// Reads the relationships that lead from some nodes of one label to nodes of LegacyMind in the same namespace, streamed, for an
// export. IN_SESSION is left out where the line of the thought says it already (see export_steps.cypher).
:param namespace => 'default';
:param kind => 'thought';
:param ids => ['thought-1'];
CYPHER 25
UNWIND range(0, size($ids) - 1) AS number
CALL (number) {
  WITH number WHERE $kind = 'thought'
  MATCH (n:Thought {id: $ids[number]}) RETURN n
  UNION ALL
  WITH number WHERE $kind = 'entity'
  MATCH (n:Entity {id: $ids[number]}) RETURN n
  UNION ALL
  WITH number WHERE $kind = 'observation'
  MATCH (n:Observation {id: $ids[number]}) RETURN n
}
WITH number, n WHERE n.namespace = $namespace
MATCH (n)-[r]->(m) WHERE m.namespace = $namespace
WITH number, n, r, m, CASE
    WHEN m:Thought THEN 'thought' WHEN m:Entity THEN 'entity' WHEN m:Observation THEN 'observation'
    WHEN m:Session THEN 'session' WHEN m:Action THEN 'action' WHEN m:Pending THEN 'pending' END AS kind
WHERE kind IS NOT NULL
  AND NOT (kind = 'session' AND type(r) = 'IN_SESSION' AND m.id = n.session_id AND COUNT { (n)-[:IN_SESSION]->() } = 1)
RETURN n.id AS id, type(r) AS type, kind, m.id AS target, properties(r) AS properties
ORDER BY number, type, kind, target, r.id, toString(r.recorded_at), toString(r.created_at), elementId(r)
