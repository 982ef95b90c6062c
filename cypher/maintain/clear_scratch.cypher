// Takes away what the demo's tampering left. It can only reach a scratch namespace; no door deletes a thought.
CYPHER 25
MATCH (n:Thought|Session|Entity|Observation|Action|Pending)
WHERE $namespace STARTS WITH 'demo-scratch-' AND n.namespace = $namespace
DETACH DELETE n
RETURN count(*) AS deleted
