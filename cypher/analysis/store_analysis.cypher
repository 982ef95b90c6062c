// Stores results of graph algorithms on nodes; a null removes a property. The nodes are locked in one order, by id, as think
// locks what it recalls. A node that was deleted meanwhile is skipped. No chain hashes these properties.
:param namespace => 'default';
:param rows => [{id: 'thought-1', properties: {mass: 1.5}}];
CYPHER 25
UNWIND $rows AS row
WITH row ORDER BY row.id
MATCH (n:Thought|Entity|Observation {id: row.id})
WHERE n.namespace = $namespace
SET n += row.properties
RETURN count(n) AS stored
