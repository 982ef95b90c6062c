// Deletes what the demo's tampering left. It reaches scratch namespaces only; no door deletes a thought.
:param namespace => 'demo-scratch-1';
CYPHER 25
MATCH (n:Thought|Session|Entity|Observation|Action|Pending)
WHERE $namespace STARTS WITH 'demo-scratch-' AND n.namespace = $namespace
DETACH DELETE n
RETURN count(*) AS deleted
